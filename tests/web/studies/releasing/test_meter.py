"""The risk meter: the estimate against simulation and the largest of all distributions; the count by the audit."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from sfumato.web.studies.forms.tree import Choice, Question
from sfumato.web.studies.releasing.meter import meter
from sfumato.web.studies.releasing.uniqueness import equal_share, largest_share, values_of


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=30), st.integers(1, 80))
def test_no_distribution_makes_more_people_unique_than_the_largest_share(weights: list[float], people: int) -> None:
    shares = np.array(weights) / np.sum(weights)
    expected = float((shares * (1 - shares) ** (people - 1)).sum())
    assert expected <= largest_share(len(weights), people) + 1e-12


@pytest.mark.parametrize(("combinations", "people"), [(5, 10), (40, 40), (300, 20), (3, 60)])
def test_equal_shares_agree_with_simulation(combinations: int, people: int) -> None:
    draws = np.random.default_rng(1).integers(0, combinations, (4000, people))
    alone = [(np.bincount(draw, minlength=combinations) == 1).sum() / people for draw in draws]
    assert np.mean(alone) == pytest.approx(equal_share(combinations, people), abs=0.01)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        (Question("q", "yes_no"), (3, False)),
        (Question("q", "yes_no", required=True), (2, False)),
        (Question("q", "one", required=True), (2, False)),
        (Question("q", "many"), (4, False)),
        (Question("q", "integer", low="0", high="120"), (122, False)),
        (Question("q", "decimal", low="35", high="36", required=True), (11, True)),
        (Question("q", "date", low="2026-01-01", high="2026-01-31"), (32, False)),
        (Question("q", "string"), (None, True)),
    ],
)
def test_possible_answers_of_a_question(question: Question, values: Any) -> None:
    assert values_of(question, {"q": (Choice("a"), Choice("b"), Choice("c", retired=True))}) == values


def test_estimated_first_then_counted(study: Any, enter: Any, bob: Any, eve: Any) -> None:
    study.target = 1000
    assert meter(study).share is None
    assert [known.text for known in meter(study).known] == ["Age", "Gender", "Admitted"]
    assert meter(study).most.text == "Admitted"  # type: ignore[union-attr]
    for user, age in ((bob, 30), (eve, 30), (eve, 31)):
        enter(user, {"age": str(age), "gender": "f"})
    counted = meter(study)
    assert (counted.entries, counted.unique, counted.smallest, counted.share) == (3, 1, 1, 1 / 3)
    study.draft["questions"][1]["privacy"] = "known"  # free text: everybody can be unique
    assert meter(study).largest == 1.0
    study.draft["questions"][1]["privacy"] = "identifying"
    study.target = 2  # nearly everybody is unique, with each question or without it
    assert meter(study).most is None


def test_what_is_calculated_of_known_answers_tells_nothing_more(study: Any) -> None:
    day = {"low": "2026-01-01", "high": "2026-01-10", "required": True, "type": "date", "privacy": "known"}
    stay = {"key": "stay", "type": "calculated", "formula": "days(a, b)", "texts": {"en": "Days"}, "privacy": "known"}
    questions = [{"key": "a", "texts": {"en": "From"}, **day}, {"key": "b", "texts": {"en": "To"}, **day}]
    study.target = 50
    study.draft = {"languages": ["en"], "questions": questions}
    without = meter(study)
    study.draft = {"languages": ["en"], "questions": [*questions, stay]}
    estimate = meter(study)
    assert estimate.largest == without.largest == largest_share(100, 50)
    assert [known.follows for known in estimate.known] == [False, False, True]
    assert estimate.known[2].without == estimate.largest
    assert estimate.known[0].without > without.known[0].without  # the days would still tell something
    study.draft["questions"][1]["privacy"] = "out"
    assert meter(study).known[1].values == 102  # of a usual range, and no answer
    assert meter(study).assumes


def test_counted_are_the_people_who_are_alone(filled: Any) -> None:
    known = ("age", "town", "gender", "admitted")
    rows = [tuple(entry.answers["values"].get(key) for key in known) for entry in filled.entries.all()]
    alone = sum(count == 1 for count in Counter(rows).values())
    counted = meter(filled)
    assert {known.question.key for known in counted.known} == set(known)
    assert (counted.entries, counted.unique, counted.smallest) == (60, alone, min(Counter(rows).values()))


def test_the_meter_is_a_part_of_other_pages(client: Any, study: Any) -> None:
    address = reverse("study-release-meter", args=[study.id])
    page = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "at most" in page
    assert "<html" not in page
    assert "<html" in client.get(address).content.decode()
    study.draft = {"languages": ["en"], "questions": []}
    study.save()
    assert b"No question is known to others yet" in client.get(reverse("study-release-meter", args=[study.id])).content
