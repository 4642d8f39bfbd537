"""Random forms come back from their XLSForm as they were, and pyxform converts them."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.web.studies.exporting.workbooks import workbook_parts
from sfumato.web.studies.exporting.xlsform_in import read_xlsform, with_own_keys
from sfumato.web.studies.exporting.xlsform_out import xlsform
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule, When

LIST = "8b0c5b9e-3c55-4d53-9c43-6f8b3f1d2a01"
WORDS = ["Age", "Ηλικία", "=1+1", "<b>x</b>", "a & b", "it's", 'say "no"', "1", "- none", "_x0041_", "x, y; z"]
NUMBERED = {"integer": ("-3", "40"), "decimal": ("0.5", "9.75"), "date": ("1990-01-31", "2026-12-31")}
INNER = ["string", "integer", "decimal", "date", "yes_no", "one", "many", "list"]


def texts(draw: Any, languages: tuple[str, ...], number: int) -> dict[str, str]:
    """A text in each language, different for each number."""
    return {code: f"{draw(st.sampled_from(WORDS))} {number}" for code in languages}


def choices(draw: Any, languages: tuple[str, ...]) -> tuple[Choice, ...]:
    count = draw(st.integers(2, 4))
    ancestors = draw(st.sampled_from([(), ("Athens", "Ελλάδα")]))
    retired = draw(st.booleans())
    return tuple(
        Choice(f"c{n}", texts(draw, languages, n), ancestors, retired and n == count - 1) for n in range(count)
    )


def rule(draw: Any, enabling: Question) -> Rule:
    if draw(st.integers(0, 3)) == 0:
        return Rule(enabling.key)
    if enabling.type == "yes_no":
        return Rule(enabling.key, (draw(st.sampled_from(["yes", "no"])),))
    if enabling.choices:
        keys = [choice.key for choice in enabling.choices]
        return Rule(enabling.key, tuple(sorted(draw(st.sets(st.sampled_from(keys), min_size=1)))))
    if enabling.type in NUMBERED:
        low, high = NUMBERED[enabling.type]
        return draw(st.sampled_from([Rule(enabling.key, low=low, high=high), Rule(enabling.key, high=high)]))
    return Rule(enabling.key)


def question(draw: Any, kind: str, number: int, languages: tuple[str, ...], earlier: list[Question]) -> Question:
    enabling = [row for row in earlier if row.is_answered]
    count = draw(st.integers(0, min(3, len(enabling))))
    chosen = draw(st.permutations(enabling))[:count] if enabling else []
    join = "any" if count > 1 and draw(st.booleans()) else "all"
    low, high = draw(st.sampled_from([("", ""), NUMBERED[kind]])) if kind in NUMBERED else ("", "")
    numbers = [row.key for row in earlier if row.type in ("integer", "decimal")]
    formula = f"round({{{numbers[0]}}} / 2, 1) + {len(numbers)}" if numbers else "1 + 2"
    return Question(
        key=draw(st.sampled_from([f"q{number}", f"{number}q", f"Q.{number}-x"])),
        type=kind,
        texts=texts(draw, languages, number),
        hints=draw(st.sampled_from([{}, {languages[0]: "a hint"}])),
        required=kind not in ("title", "group", "calculated") and draw(st.booleans()),
        choices=choices(draw, languages) if kind in ("one", "many") else (),
        choice_list=LIST if kind == "list" else "",
        low=low,
        high=high,
        unit="mg" if kind == "decimal" else "",
        formula=formula if kind == "calculated" else "",
        when=When(tuple(rule(draw, row) for row in chosen), join),
        privacy=draw(st.sampled_from(["", "identifying", "known", "sensitive"])),
    )


@st.composite
def forms(draw: Any) -> Form:
    """A form that can be published, with groups, branching, ranges, lists and calculated questions."""
    languages = draw(st.sampled_from([("en",), ("el", "en"), ("en", "el", "fr")]))
    number, questions = 1, [question(draw, draw(st.sampled_from(INNER)), 0, languages, [])]
    for kind in draw(st.lists(st.sampled_from([*INNER, "title", "calculated", "group"]), max_size=7)):
        outer = question(draw, kind, number, languages, questions)
        number += 1
        inner: list[Question] = []
        for inner_kind in draw(st.lists(st.sampled_from(INNER), min_size=1, max_size=3)) if kind == "group" else ():
            inner.append(question(draw, inner_kind, number, languages, [*questions, *inner]))
            number += 1
        dates = [row.key for row in inner if row.type == "date"]
        most = draw(st.sampled_from([None, 5])) if inner else None
        questions.append(
            Question(**{**vars(outer), "questions": tuple(inner), "most": most, "starts": dates[0] if dates else ""})
        )
    return Form(languages, tuple(questions))


def sheets_of(form: Form) -> list[Any]:
    options = {row.key: row.choices or (Choice("a", {"en": "A"}),) for row, _group in form.walk()}
    return xlsform(form, options, "Study", "study_1")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(forms())
def test_a_form_comes_back_as_it_was(form: Form) -> None:
    assert problems(form, {LIST}) == []
    sheets = {name: [heads, *[["" if c is None else str(c) for c in row] for row in rows]]
              for name, heads, rows in sheets_of(form)}  # fmt: skip
    content = read_xlsform(sheets, "en", {LIST})
    assert content.problems == []
    assert content.form.to_json() == form.to_json()
    assert with_own_keys(content.form, form) == form


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(forms())
def test_pyxform_converts_a_form(tmp_path_factory: Any, form: Form) -> None:
    from pyxform.xls2xform import convert

    path = tmp_path_factory.mktemp("forms") / "form.xlsx"
    path.write_bytes(b"".join(workbook_parts(sheets_of(form))))
    assert "<h:html" in convert(xlsform=path).xform
