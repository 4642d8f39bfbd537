"""The three example queries of the paper on entries that were checked by hand, and the boundaries of episodes."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import (
    All,
    AnyOf,
    Between,
    Condition,
    During,
    Has,
    Is,
    Not,
    OneOf,
    Then,
    from_json,
    to_json,
)
from sfumato.web.studies.filtering.sentences import sentence
from sfumato.web.studies.filtering.twin import Facts, holds
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.tree import Form


def _one(key: str, text: str, *words: str, kind: str = "one") -> dict[str, Any]:
    choices = [{"key": word.lower(), "texts": {"en": word}} for word in words]
    return {"key": key, "type": kind, "texts": {"en": text}, "choices": choices}


FORM: dict[str, Any] = {
    "languages": ["en"],
    "questions": [
        {"key": "age", "type": "integer", "texts": {"en": "Age"}},
        {"key": "temperature", "type": "decimal", "texts": {"en": "Temperature"}},
        _one("country", "Country", "England", "France", "Greece", "Italy"),
        _one("organisms", "Microorganisms", "Pseudomonas", "Candida", "Salmonella", "Citrobacter", kind="many"),
        _one("therapy", "Therapy", "Ampicillin", "Cefotaxime", "Colistin", kind="many"),
        _one("outcome", "Outcome", "Progress", "Worse"),
        {"key": "condition", "type": "string", "texts": {"en": "Condition"}},
        {
            "key": "episode",
            "type": "group",
            "texts": {"en": "Episode"},
            "starts": "from",
            "ends": "to",
            "questions": [
                {"key": "diagnosis", "type": "string", "texts": {"en": "Diagnosis"}},
                {"key": "antibiotic", "type": "string", "texts": {"en": "Antibiotic"}},
                {"key": "dose", "type": "decimal", "texts": {"en": "Dose"}, "unit": "mg"},
                {"key": "from", "type": "date", "texts": {"en": "From"}},
                {"key": "to", "type": "date", "texts": {"en": "To"}},
            ],
        },
    ],
}


@pytest.fixture
def study(study: Any, owner: Any) -> Any:
    """The study with the form of the paper's queries."""
    from sfumato.web.studies.design.versions import publish_version

    study.draft = FORM
    study.save()
    publish_version(study, owner)
    return study


@pytest.fixture
def selects(study: Any, owner: Any, enter: Any) -> Any:
    """selects(condition, entry, ...) says for each entry, made of answers, whether SQL selects it; Python agrees."""
    from sfumato.web.studies.models import Entry

    def ask(condition: Condition, *rows: dict[str, Any]) -> list[bool]:
        assert from_json(to_json(condition)) == condition
        form = Form.from_json(FORM)
        made = [
            enter(owner, {k: v for k, v in row.items() if k != "episode"}, episode=row.get("episode", []))
            for row in rows
        ]
        visible = Entry.counted_in(study, owner, "administrator")
        chosen = set(entries_where(study, condition, visible).values_list("pk", flat=True))
        by_sql = [entry.pk in chosen for entry in made]
        assert by_sql == [holds(condition, form, Answers.from_json(entry.answers), Facts.of(entry)) for entry in made]
        return by_sql

    return ask


def _organism(*words: str) -> Condition:
    return (
        All(tuple(Is("organisms", OneOf((word,))) for word in words))
        if len(words) > 1
        else Is("organisms", OneOf(words))
    )


FIRST = All(
    (
        Is("age", Between("40", "", strict=True)),
        Is("temperature", Between("38", "", strict=True)),
        _organism("pseudomonas", "candida"),
    )
)
SECOND = All(
    (
        Is("age", Between("40", "60")),
        Is("country", OneOf(("england", "france", "greece"))),
        AnyOf((_organism("pseudomonas", "candida"), _organism("pseudomonas", "salmonella"), _organism("citrobacter"))),
        Is("therapy", OneOf(("ampicillin", "cefotaxime"))),
        Is("outcome", OneOf(("progress",))),
    )
)
BACTEREMIA = Is("diagnosis", OneOf(("Bacteremia",)))
THIRD = All(
    (
        Is("condition", OneOf(("Massive hemoptysis",))),
        Then(
            (
                Has(
                    "episode", All((BACTEREMIA, Is("antibiotic", OneOf(("Amikacin",))), Is("dose", Between("2", "4"))))
                ),
                Has("episode", BACTEREMIA),
            )
        ),
    )
)


def test_older_than_40_warmer_than_38_with_two_microorganisms(selects: Any) -> None:
    """Show patients older than 40 years of age with temperature greater than 38, diagnosed with microorganisms
    (Pseudomonas and Candida)."""
    both = ["pseudomonas", "candida"]
    assert selects(
        FIRST,
        {"age": "41", "temperature": "38.1", "organisms": both},
        {"age": "40", "temperature": "39", "organisms": both},
        {"age": "70", "temperature": "38.0", "organisms": both},
        {"age": "70", "temperature": "39", "organisms": ["pseudomonas"]},
        {"temperature": "39", "organisms": both},
        {"age": "90", "temperature": "40.5", "organisms": [*both, "salmonella"]},
    ) == [True, False, False, False, False, True]


def test_disjunctions_on_questions_and_values(selects: Any) -> None:
    """Between 40 and 60, of (England or France or Greece), with ((Pseudomonas and Candida) or (Pseudomonas and
    Salmonella) or (Citrobacter)), therapy with (Ampicillin or Cefotaxime), and progress as the outcome."""
    patient = {
        "age": "60",
        "country": "greece",
        "organisms": ["pseudomonas", "salmonella"],
        "therapy": ["cefotaxime", "colistin"],
        "outcome": "progress",
    }
    assert selects(
        SECOND,
        patient,
        {**patient, "age": "40", "country": "england", "organisms": ["citrobacter"], "therapy": ["ampicillin"]},
        {**patient, "age": "61"},
        {**patient, "country": "italy"},
        {**patient, "organisms": ["candida", "salmonella"]},
        {**patient, "therapy": ["colistin"]},
        {**patient, "outcome": "worse"},
        {**patient, "organisms": ["pseudomonas", "candida"]},
    ) == [True, True, False, False, False, False, False, True]


def test_initial_and_subsequent_episode(selects: Any) -> None:
    """Massive hemoptysis, an initial episode of Bacteremia with a dose between 2 and 4 mg of Amikacin, and subsequently
    a second episode of Bacteremia."""
    initial = {"diagnosis": "Bacteremia", "antibiotic": "Amikacin", "dose": "2", "from": "2026-01-05"}
    second = {"diagnosis": "Bacteremia", "from": "2026-02-01"}

    def patient(*episodes: dict[str, Any], condition: str = "Massive hemoptysis") -> dict[str, Any]:
        return {"condition": condition, "episode": list(episodes)}

    assert selects(
        THIRD,
        patient(initial, second),
        patient(second, {**initial, "dose": "4"}),  # the order of entry does not matter, the days do
        patient(initial),
        patient(initial, {**second, "from": "2026-01-05"}),
        patient(initial, {**second, "from": "2026-01-04"}),
        patient({**initial, "dose": "4.5"}, second),
        patient({**initial, "antibiotic": "Colistin"}, second),
        patient(initial, {"diagnosis": "Pneumonia", "from": "2026-02-01"}),
        patient({key: value for key, value in initial.items() if key != "from"}, second),
        patient({**initial, "dose": "9"}, {**second, "antibiotic": "Amikacin", "dose": "3"}),
        patient(initial, second, condition="Asthma"),
    ) == [True, True, *[False] * 9]


@pytest.mark.parametrize(("within", "expected"), [(None, True), (9, False), (10, True), (11, True)])
def test_boundary_of_within_days(selects: Any, within: int | None, expected: bool) -> None:
    """The next episode starts ten days later."""
    episodes = [{"diagnosis": "a", "from": "2026-01-31"}, {"diagnosis": "b", "from": "2026-02-10"}]
    first, second = (Has("episode", Is("diagnosis", OneOf((word,)))) for word in "ab")
    assert selects(Then((first, second), within), {"episode": episodes}) == [expected]


def test_within_days_counts_between_neighbours(selects: Any) -> None:
    """Three episodes, each within seven days of the one before, however long they take together."""
    anything = Has("episode")
    days = [{"from": day} for day in ("2026-01-01", "2026-01-08", "2026-01-15")]
    late = [*days[:2], {"from": "2026-01-16"}]
    assert selects(Then((anything,) * 3, 7), {"episode": days}, {"episode": late}) == [True, False]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("01-01", "01-10"), ("01-10", "01-12"), True),
        (("01-01", "01-09"), ("01-10", "01-12"), False),
        (("01-01", ""), ("09-10", "09-12"), True),
        (("09-10", ""), ("01-01", "09-09"), False),
        (("", "01-10"), ("01-01", "01-12"), False),
        (("01-05", "01-01"), ("01-01", "01-12"), False),
    ],
)
def test_during_shares_a_day(selects: Any, first: Any, second: Any, expected: bool) -> None:
    """No end: still going on.  No start, or an end before the start: no part."""

    def episode(days: tuple[str, str], word: str) -> dict[str, Any]:
        dates = {name: f"2026-{day}" for name, day in zip(("from", "to"), days, strict=True) if day}
        return {"diagnosis": word, **dates}

    cards = [Has("episode", Is("diagnosis", OneOf((word,)))) for word in "ab"]
    rows = {"episode": [episode(first, "a"), episode(second, "b")]}
    assert selects(During(*cards), rows) == [expected]
    assert selects(During(cards[1], cards[0]), rows)[-1] is expected


def test_during_needs_two_episodes(selects: Any) -> None:
    """An episode does not overlap itself."""
    assert selects(During(Has("episode"), Has("episode")), {"episode": [{"from": "2026-01-01"}]}) == [False]


def test_one_episode_or_any_episodes(selects: Any) -> None:
    """Inside of an episode everything holds in the same one; outside, each part may hold in another."""
    parts = (Is("diagnosis", OneOf(("a",))), Is("dose", Between("2", "")))
    rows = {"episode": [{"diagnosis": "a", "dose": "1"}, {"diagnosis": "b", "dose": "3"}]}
    assert selects(All(parts), rows) == [True]
    assert selects(Has("episode", All(parts)), rows) == [False]
    assert selects(Has("episode", AnyOf(parts), 2), rows) == [True]


def test_complement_contains_the_unanswered(selects: Any) -> None:
    """Missing satisfies nothing, so it is in every complement."""
    assert selects(Not(Is("age", Between("40", ""))), {"age": "39"}, {"age": "40"}, {}) == [True, False, True]


def test_sentences_read_the_queries_back() -> None:
    """The words of the three queries."""
    form = Form.from_json(FORM)
    choices = {question.key: question.choices for question in form.questions if question.choices}
    assert sentence(FIRST, form, choices, "en") == (
        "Entries where Age is more than 40 and Temperature is more than 38 and "
        "(Microorganisms include Pseudomonas and Microorganisms include Candida)."
    )
    assert "Country is England, France or Greece" in sentence(SECOND, form, choices, "en")
    assert sentence(THIRD, form, choices, "en") == (
        "Entries where Condition is Massive hemoptysis and there is first one “Episode” in which Diagnosis is "
        "Bacteremia and Antibiotic is Amikacin and Dose is from 2 mg to 4 mg, and on a later day one “Episode” in "
        "which Diagnosis is Bacteremia."
    )
    assert sentence(Not(Is("age", Between("40", ""))), form, choices, "en") == (
        "Entries where not (Age is at least 40), or not answered."
    )
