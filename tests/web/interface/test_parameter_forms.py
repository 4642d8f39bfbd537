"""Forms from declared parameters: every declaration of the catalogue renders, and its default comes back."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from sfumato import catalogue
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of

_REGISTRIES = (
    catalogue.METHODS,
    catalogue.MODELS,
    catalogue.MEASURES,
    catalogue.ATTACKS,
    catalogue.GENERATORS,
    catalogue.MINERS,
)
_DECLARED = [registry.load(name) for registry in _REGISTRIES for name in registry.built_in]


class _Form(HTMLParser):
    """What a browser would send for a form as it stands, and the ids and labels of its fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.fields: set[str] = set()
        self._select = ""
        self._disabled = 0
        self.feed(page)

    def handle_starttag(self, tag: str, pairs: Any) -> None:
        attributes = dict(pairs)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "label":
            self.labelled.add(attributes["for"])
        if tag == "fieldset":
            self._disabled += bool(self._disabled or "disabled" in attributes)
        if tag in ("input", "select") and "name" in attributes and attributes.get("type") != "hidden":
            self.fields.add(attributes["id"])
        if self._disabled:
            return
        if tag == "input" and "name" in attributes:
            kind = attributes.get("type", "text")
            if kind not in ("checkbox", "radio") or "checked" in attributes:
                self.sent.append((attributes["name"], attributes.get("value", "on")))
        elif tag == "select":
            self._select = attributes["name"]
        elif tag == "option" and self._select and "selected" in attributes:
            self.sent.append((self._select, attributes["value"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "fieldset" and self._disabled:
            self._disabled -= 1

    def post(self) -> QueryDict:
        answer = QueryDict(mutable=True)
        for name, value in self.sent:
            answer.appendlist(name, value)
        return answer


def _rendered(fields: Any) -> _Form:
    return _Form(render_to_string("interface/fields.html", {"fields": fields}))


@pytest.mark.parametrize("declared", _DECLARED, ids=lambda declared: declared.__name__)
def test_every_declaration_renders_and_its_values_come_back(declared: Any) -> None:
    required = {
        parameter.name: (parameter.grid or (parameter.at_least or parameter.at_most or 1,))[0]
        for parameter in declared.parameters()
        if parameter.required
    }
    if declared.name in ("sequences", "itemsets"):
        required["top"] = 3  # or a support, so neither is required
    object_ = declared.from_json(required)
    form = _rendered(fields_of(declared, object_.to_json(), prefix="x-"))
    assert len(set(form.ids)) == len(form.ids)
    assert form.fields <= form.labelled
    values = values_of(declared, form.post(), "x-")
    assert declared.from_json(values) == object_
    again = _rendered(fields_of(declared, form.post(), prefix="x-"))
    assert again.sent == form.sent


def test_a_wrong_value_is_kept_and_its_sentence_is_beside_its_field() -> None:
    method = catalogue.method_class("rum-bound")
    post = QueryDict(
        "k=1&m=2&delta=7&relational=incognito&relational-incognito-suppression=3&relational-incognito-l=1"
        "&transaction=coat&transaction-coat-suppression=0.4"
    )
    with pytest.raises(FormErrors) as refusal:
        values_of(method, post)
    assert set(refusal.value.errors) == {"k", "delta", "relational-incognito-suppression"}
    assert refusal.value.errors["k"] == "k must be a whole number of at least 2, got 1"
    page = render_to_string("interface/fields.html", {"fields": fields_of(method, post, errors=refusal.value.errors)})
    assert page.count('role="alert"') == 3
    assert 'value="7"' in page


def test_a_method_in_a_method_keeps_its_parameters() -> None:
    method = catalogue.method_class("rum-bound")
    values = {"k": 3, "m": 2, "delta": 0.5, "transaction": {"method": "coat", "suppression": 0.4}}
    form = _rendered(fields_of(method, values))
    back = values_of(method, form.post())
    assert back["transaction"] == {"method": "coat", "suppression": 0.4}
    assert method.from_json(back) == method.from_json(values)


def test_a_word_or_a_number() -> None:
    method = catalogue.method_class("zga")
    rest = "k=2&l=2&m=1"
    assert values_of(method, QueryDict(f"{rest}&clusters-is=word&clusters=7"))["clusters"] == "auto"
    assert values_of(method, QueryDict(f"{rest}&clusters-is=number&clusters=7"))["clusters"] == 7
    with pytest.raises(FormErrors) as refusal:
        values_of(method, QueryDict(f"{rest}&clusters-is=number&clusters="))
    assert list(refusal.value.errors) == ["clusters"]


def test_a_field_that_was_not_on_the_page_has_its_default() -> None:
    method = catalogue.method_class("disassociate")
    assert "refine" not in values_of(method, QueryDict("k=2&m=1"))
    assert values_of(method, QueryDict("k=2&m=1&refine-shown=1"))["refine"] is False
    shown = {field.parameter: field for field in fields_of(method, QueryDict("k=7"))}
    assert (shown["k"].value, shown["refine"].checked) == ("7", True)


def test_borders_of_intervals_come_back() -> None:
    method = catalogue.method_class("icba")
    values = {"k": 2, "interval": [0, 600, 1300]}
    form = _rendered(fields_of(method, values))
    assert method.from_json(values_of(method, form.post())) == method.from_json(values)


def test_a_file_is_offered_and_never_typed() -> None:
    measure = catalogue.measure_class("are")
    post = QueryDict("workload=/etc/passwd")
    assert "workload" not in values_of(measure, post)
    with pytest.raises(FormErrors):
        values_of(measure, post, offered={"workload": [("w1", "my queries")]})
    assert values_of(measure, QueryDict("workload=w1"), offered={"workload": [("w1", "mine")]})["workload"] == "w1"


def test_markup_in_values_is_text() -> None:
    method = catalogue.method_class("top-down")
    post = QueryDict("k=2&class_column=%3Cscript%3E")
    page = render_to_string("interface/fields.html", {"fields": fields_of(method, post)})
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
