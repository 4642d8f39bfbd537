"""What a participant can learn by filtering: own values, counts, words and rows, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import from_json, from_text
from sfumato.web.studies.filtering.tree import ConditionRefused
from sfumato.web.studies.filtering.values import range_of, stored_values

MARKUP = "<script>alert(1)</script>"


@pytest.fixture
def filled(study: Any, bob: Any, eve: Any, enter: Any) -> Any:
    """An entry of Bob, and one of Eve with values of her own."""
    enter(bob, {"age": "63", "gender": "m", "drugs": "yes", "drug": "Aspirin"}, episode=[{"diagnosis": "Flu"}])
    enter(
        eve,
        {"age": "99", "gender": "f", "drugs": "yes", "drug": "Zyprexa", "organisms": ["sal"]},
        episode=[{"diagnosis": "Zoster", "from": "2026-01-01"}],
    )
    return study


def _own(study: Any, user: Any) -> Any:
    from sfumato.web.studies.models import Entry

    return Entry.counted_in(study, user, "participant")


def test_values_counts_and_ranges_are_own(filled: Any, bob: Any) -> None:
    """Distinct values, their counts, and the range of numbers."""
    for key, expected in (
        ("drug", [("Aspirin", 1)]),
        ("gender", [("m", 1)]),
        ("organisms", []),
        ("diagnosis", [("Flu", 1)]),
    ):
        values = stored_values(filled, key, _own(filled, bob), bob)
        assert [(value.text, value.count) for value in values] == expected
    assert range_of(filled, "age", _own(filled, bob), bob) == ("63", "63")


def test_pages_show_no_word_of_others(as_bob: Any, filled: Any, eve: Any) -> None:
    """Whatever a participant adds or guesses, the page has no value, name or id of another centre."""
    centre = str(filled.centres.get(name="Laiko").pk)
    for part in (
        {"kind:r-0": "is", "key:r-0": "drug", "test:r-0": "one_of", "search:r-0": "z"},
        {"kind:r-0": "is", "key:r-0": "diagnosis", "test:r-0": "one_of"},
        {"kind:r-0": "is", "key:r-0": "age", "test:r-0": "between"},
        {"kind:r-0": "about", "key:r-0": "author", "test:r-0": "one_of", "value:r-0": str(eve.pk)},
        {"kind:r-0": "about", "key:r-0": "centre", "test:r-0": "one_of", "value:r-0": centre},
    ):
        fields = {"kind:r": "all", **part, "column": ["drug", "age", "@author", "@centre"], "table": "yes"}
        for name in ("study-filter", "study-filter-part", "study-filter-count"):
            page = as_bob.post(reverse(name, args=[filled.id]), fields).content.decode()
            words = ("Zyprexa", "Zoster", ">99<", '"99"', " 99", ">eve<", "Laiko")
            assert not any(word in page for word in words)


def test_every_statement_about_rows_names_the_author(as_bob: Any, filled: Any, bob: Any) -> None:
    """Each query on entries, episodes or cells is restricted to own rows, also inside of subqueries."""
    own = {"has": "episode", "inside": {"is": "diagnosis", "test": {"one_of": ["Flu"]}}}
    condition = {
        "all": [
            {"not": {"is": "drug", "test": {"contains": "z"}}},
            {"any": [{**own, "at_least": 2}, {"then": [own, own], "within_days": 3}, {"during": [own, own]}, own]},
        ]
    }
    with CaptureQueriesContext(connection) as captured:
        fields = {"condition": json.dumps(condition), "column": ["drug"], "table": "yes"}
        assert as_bob.post(reverse("study-filter", args=[filled.id]), fields).status_code == 200
    asked = [query["sql"] for query in captured if '"studies_cell"' in query["sql"] or '"studies_e' in query["sql"]]
    assert asked
    for sql in asked:
        tables = sum(sql.count(f'FROM "studies_{name}"') for name in ("cell", "episode", "entry"))
        assert sql.count('"author_id" = ') >= tables, sql


def test_labels_of_retired_options_of_others(as_bob: Any, filled: Any, bob: Any, enter: Any) -> None:
    """An option that was retired, and that only others chose, keeps its name to itself."""
    from sfumato.web.studies.models import FormVersion

    version = FormVersion.objects.get(study=filled)
    for question in version.tree["questions"]:
        if question["key"] == "organisms":
            question["choices"][2]["retired"] = True
    FormVersion.objects.filter(pk=version.pk).update(tree=version.tree)
    condition = json.dumps({"is": "organisms", "test": {"one_of": ["sal"]}})
    address = reverse("study-filter-count", args=[filled.id])
    assert "Salmonella" not in as_bob.post(address, {"condition": condition}).content.decode()
    enter(bob, {"organisms": ["sal"]})
    assert "Salmonella" in as_bob.post(address, {"condition": condition}).content.decode()


def test_markup_in_values_is_text(client: Any, owner: Any, study: Any, enter: Any) -> None:
    """A stored value with markup is shown as it was typed."""
    enter(owner, {"name": MARKUP, "drugs": "yes", "drug": MARKUP})
    fields = {"kind:r": "all", "kind:r-0": "is", "key:r-0": "drug", "test:r-0": "one_of", "value:r-0": MARKUP}
    page = client.post(reverse("study-filter", args=[study.id]), {**fields, "column": ["name"]}).content.decode()
    assert MARKUP not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("text", "expected"),
    [("100%", 1), ("%", 1), ("10_0", 0), ("_", 0), ("\\", 1), ("a\\b", 1), ("ΩΜΕΓΑΣ", 1), ("needle", 1)],
)
def test_contains_takes_every_letter_literally(study: Any, owner: Any, enter: Any, text: str, expected: int) -> None:
    """Per cent, underscore and backslash are letters; case and accents do not matter; long texts are searched whole."""
    for name in ("100% sure", "1000", "a\\b", "ωμέγας", "x" * 300 + "needle"):
        enter(owner, {"name": name})
    condition = from_json({"is": "name", "test": {"contains": text}})
    from sfumato.web.studies.models import Entry

    assert entries_where(study, condition, Entry.counted_in(study, owner, "administrator")).count() == expected


@pytest.mark.parametrize(
    "content",
    [
        {"all": [{"all": []}] * 101},
        {"is": "age", "test": {"one_of": ["1"] * 2001}},
        {"is": "name", "test": {"contains": "x" * 10_001}},
        {"is": "name", "test": {"contains": "a\x00b"}},
        {"is": "name", "test": {"one_of": ["\ud800"]}},
        {"is": ["age"], "test": {"answered": True}},
        {"is": "age", "test": {"between": ["1"]}},
        {"has": "episode", "at_least": 0},
        {"has": "episode", "at_least": True},
        {"then": [{"is": "age", "test": {"answered": True}}] * 2},
        {"during": [{"has": "episode"}]},
        {"then": [{"has": "episode"}] * 2, "within_days": 10**30},
        {"never": 1},
        [],
        "age",
        7,
    ],
)
def test_conditions_that_cannot_be_read_are_refused(content: Any) -> None:
    """With one sentence that quotes no value."""
    with pytest.raises(ConditionRefused, match=r"^wanted "):
        from_json(content)


@pytest.mark.parametrize("text", ["{", '{"not":' * 50 + "{}" + "}" * 50, "[" * 100_000, "x" * 200_001, "NaN"])
def test_texts_that_cannot_be_read_are_refused(text: str) -> None:
    """Also very deep and very long ones."""
    with pytest.raises(ConditionRefused):
        from_text(text)


@pytest.mark.parametrize(
    "content",
    [
        {"is": "gone", "test": {"answered": True}},
        {"is": "title", "test": {"answered": True}},
        {"is": "age", "test": {"contains": "4"}},
        {"is": "age", "test": {"between": ["", ""]}},
        {"is": "age", "test": {"between": ["old", ""]}},
        {"is": "age", "test": {"one_of": []}},
        {"is": "admitted", "test": {"between": ["2026-02-30", ""]}},
        {"is": "name", "test": {"contains": "\u0301"}},
        {"has": "age"},
        {"has": "episode", "inside": {"is": "age", "test": {"answered": True}}},
        {"has": "episode", "inside": {"has": "episode"}},
        {"then": [{"has": "episode"}]},
        {"then": [{"has": "episode"}] * 6},
        {"then": [{"has": "episode", "at_least": 2}, {"has": "episode"}]},
        {"about": "author", "test": {"one_of": ["1 OR 1=1"]}},
        {"about": "state", "test": {"one_of": ["secret"]}},
        {"about": "password", "test": {"answered": True}},
        {"any": []},
    ],
)
def test_conditions_that_do_not_fit_the_form_are_refused(study: Any, owner: Any, content: Any) -> None:
    """Before anything is asked of the database."""
    from sfumato.web.studies.models import Entry

    with pytest.raises(ConditionRefused):
        entries_where(study, from_json(content), Entry.counted_in(study, owner, "administrator"))


def test_huge_posts_end_in_a_sentence(client: Any, study: Any, owner: Any, enter: Any) -> None:
    """A condition of too many parts, or nested too deeply, is a page of one sentence."""
    enter(owner, {"age": "1"})
    address = reverse("study-filter", args=[study.id])
    many = {f"kind:r-{number}": "any" for number in range(300)}
    deep = {"kind:r" + "-0" * number: "all" for number in range(60)}
    for fields in ({"kind:r": "all", **many}, deep, {"kind:r": "bogus"}):
        answer = client.post(address, fields)
        assert answer.status_code == 422
        assert "wanted " in answer.content.decode()


def test_long_texts_are_compared_whole(study: Any, owner: Any, enter: Any) -> None:
    """Two texts that begin with the same 200 letters are different values."""
    from sfumato.web.studies.models import Entry

    first, second = "x" * 250 + "a", "x" * 250 + "b"
    for name in (first, second, second):
        enter(owner, {"name": name})
    visible = Entry.counted_in(study, owner, "administrator")
    condition = from_json({"is": "name", "test": {"one_of": [second]}})
    assert entries_where(study, condition, visible).count() == 2
    values = stored_values(study, "name", visible)
    assert [value.count for value in values] == [2, 1]
    again = from_json({"is": "name", "test": {"one_of": [values[0].text]}})
    assert entries_where(study, again, visible).count() == 2
