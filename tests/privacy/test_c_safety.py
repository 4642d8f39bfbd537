"""c-safety: the verifier against all readings and all knowledge."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Taxonomy, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.privacy import CSafety
from sfumato.privacy.checks.disclosure import Disclosure
from twins.c_safety import all_knowledge, c_safety_holds, disclosure, sets_of, worst

TREE = Taxonomy(
    {"all": None, "shops": "all", "food": "shops", "a": "food", "b": "food", "c": "shops", "d": "shops"}
    | {"health": "all", "clinics": "health", "e": "clinics", "f": "clinics", "g": "health"},
    sensitive=["clinics", "g"],  # health is not marked, but all under it is
)
LABELS = ["all", "shops", "food", "a", "b", "c", "health", "clinics", "e", "f", "g"]


def walks(rows: list[str] | list[list[str]], persons: str | list[str] | None = None) -> Trajectories:
    return Trajectories.from_lists(rows, persons=persons, taxonomy=TREE)


@st.composite
def published(draw: st.DrawFn, longest: int) -> Trajectories:
    rows = draw(st.lists(st.lists(st.sampled_from(LABELS), max_size=longest), min_size=1, max_size=7))
    who = draw(st.none() | st.lists(st.sampled_from("uvw"), min_size=len(rows), max_size=len(rows)))
    return walks(rows, who)


@settings(max_examples=80, deadline=None)
@given(data=published(longest=4))
def test_the_worst_case_is_the_worst_of_all(data: Trajectories) -> None:
    found = CSafety(c=0.5).check(data)
    rows = data.to_lists()
    countings = {"person": data.units.tolist(), "record": list(range(len(rows)))}
    most = max(worst(TREE, rows, units) for units in countings.values())
    assert found.measured["worst_probability"] == float(most)
    assert "probability_bound" not in found.measured
    assert found.holds is (most <= Fraction(1, 2))
    if most:
        known, place = found.measured["worst_known"], found.measured["worst_place"]
        units = countings[found.measured.get("worst_unit", "person")]
        assert disclosure(TREE, rows, units, known, [place]) == most


@settings(max_examples=25, deadline=None)
@given(data=published(longest=3))
def test_no_knowledge_and_no_set_of_places_discloses_more(data: Trajectories) -> None:
    """Brute force without any shortcut: every sequence of nodes, every set of leaves."""
    rows, units = data.to_lists(), data.units.tolist()
    seen, most = Disclosure(data, TREE), worst(TREE, rows, units)
    knowledge = all_knowledge(TREE, rows)
    singles = [disclosure(TREE, rows, units, known, [place]) for known in knowledge for place in "efg"]
    assert max(singles, default=0) == most
    for known in Random(1).sample(sorted(knowledge), min(6, len(knowledge))):
        for places in sets_of("efg", 3):
            chance = disclosure(TREE, rows, units, known, places)
            assert seen.probability(known, places) == chance <= most


def test_longer_knowledge_may_disclose_more_or_less() -> None:
    rows = walks(["a", "ae", "ab", "ab", "abc", "abce"])
    seen = Disclosure(rows, TREE)
    assert seen.probability("a", "e") == Fraction(1, 3)
    assert seen.probability("ab", "e") == Fraction(1, 4)
    assert seen.probability("abc", "e") == Fraction(1, 2)
    assert CSafety(c=0.5).check(rows).measured["worst_known"] == ["a", "b", "c"]


def test_a_group_above_c_is_safe_if_nobody_can_find_it_alone() -> None:
    """The class of (a) discloses 1, but whoever knows a finds (a, b) as well."""
    rows = walks(["ae", "ab", "ab", "ab"])
    assert Disclosure(rows, TREE).prices()[0] == [1, 0]
    found = CSafety(c=0.25).check(rows)
    assert found.holds is True
    assert found.measured["worst_probability"] == 0.25


def test_knowledge_that_is_nobodys_own_sequence_can_be_the_worst() -> None:
    """(a, c) is in no record; it finds (food, c) and (a, shops), each of which hides behind the same third one."""
    rows = [["food", "c", "e"], ["a", "shops", "e"], ["food", "shops"], ["food"], ["food"], ["c"], ["c"]]
    found = CSafety(c=0.5).check(walks(rows))
    assert found.holds is False
    assert found.witnesses == ({"known": ["a", "c"], "place": "e", "probability": "2/3"},)
    own = {tuple(label for label in row if label != "e") for row in rows}
    assert max(disclosure(TREE, rows, range(7), known, "e") for known in own) == Fraction(1, 2)


@pytest.mark.parametrize(("c", "holds"), [(0.3, True), (0.29999999, False), (0.1 + 0.2, True)])
def test_c_is_compared_without_slop(c: float, holds: bool) -> None:
    rows = walks(["ae"] * 3 + ["a"] * 7)
    assert CSafety(c=c).check(rows).holds is holds


def test_leaves_that_nobody_visits_count_too() -> None:
    rows = walks([["a", "clinics"], ["a", "clinics"], ["a"], ["a", "e"]])
    seen = Disclosure(rows, TREE)
    assert seen.probability("a", "f") == Fraction(1, 4)
    assert seen.probability("a", "e") == Fraction(1, 2)


def test_quasi_identifiers_never_stand_for_sensitive_places() -> None:
    rows = walks([["all"], ["all", "e"]])
    assert Disclosure(rows, TREE).probability(["all"], ["f"]) == 0
    assert Disclosure(rows, TREE).leaves("all") == ("a", "b", "c", "d")


def test_records_of_one_person_are_read_together() -> None:
    """Three of ten days of one person: nobody else is in the crowd."""
    rows = ["ae"] * 3 + ["a"] * 7
    assert CSafety(c=0.3).check(walks(rows)).holds is True
    found = CSafety(c=0.3).check(walks(rows, ["u"] * 10))
    assert found.holds is False
    assert found.measured["worst_probability"] == 1.0


def test_groups_that_share_their_cushion_are_unsafe_together() -> None:
    """x fills both groups; knowing a finds u, v and x."""
    rows, who = ["abe", "ab", "ace", "ac"], ["u", "x", "v", "x"]
    assert CSafety(c=0.5).check(walks(rows)).holds is True
    found = CSafety(c=0.5).check(walks(rows, who))
    assert found.holds is False
    assert found.measured["worst_probability"] == 2 / 3


def test_without_persons_in_the_files_a_check_by_person_is_not_possible() -> None:
    original = walks(["ae", "a", "b", "b"], ["u", "v", "u", "v"])
    release = Trajectories.from_lists([["food"], ["food"], ["a"], ["a", "e"]], taxonomy=TREE)
    release = replace(release, members={"food": ("a", "b")})
    assert CSafety(c=0.5).check(release, original).holds == "not checkable"


@pytest.mark.parametrize("rows", [[], [[]], [["e"], ["e", "f"]], [["a"], ["b"]]])
def test_nothing_to_know_or_nothing_to_hide(rows: list[list[str]]) -> None:
    found = CSafety(c=0.01).check(walks(rows))
    assert found.holds is True
    assert found.measured["worst_probability"] == 0
    assert found.measured["without_quasi_identifier"] == sum(set(row) <= set("ef") for row in rows)


def test_labels_that_the_taxonomy_does_not_explain_are_violations() -> None:
    strange = walks([["a"], ["nowhere"]])
    assert CSafety(c=1).check(strange).witnesses == ({"label": "nowhere", "problem": "the taxonomy has no such node"},)
    lying = replace(walks([["clinics"], ["a"]]), members={"clinics": ("e",)})
    assert CSafety(c=1).check(lying).holds is False
    assert c_safety_holds(CSafety(c=1), lying) is False
    honest = replace(walks([["clinics"], ["all"]]), members={"clinics": ("e", "f"), "all": tuple("abcd")})
    assert CSafety(c=1).check(honest).holds is True


def test_too_much_knowledge_to_try_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = walks(["ae", "ab", "ab", "ab"])
    monkeypatch.setattr("sfumato.privacy.c_safety._MORE_WORK", 1)
    found = CSafety(c=0.25).check(rows)
    assert found.holds == "not checkable"
    assert found.measured["probability_bound"] == 1.0
    assert "worst_probability" not in found.measured
    assert CSafety(c=1).check(rows).holds is True  # no group discloses more than 1 anyhow


@settings(max_examples=60, deadline=None)
@given(data=published(longest=4), work=st.integers(0, 20_000))
def test_a_search_that_ends_early_states_an_upper_bound(data: Trajectories, work: int) -> None:
    """What was found so far is not the worst, so it is not stated as such."""
    most = worst(TREE, data.to_lists(), data.units.tolist())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sfumato.privacy.c_safety._WORK", work)
        measured = CSafety(c=1).check(data).measured
    if "worst_probability" in measured:
        assert measured["worst_probability"] == float(most)
    else:
        assert most <= measured["probability_bound"] <= 1
        assert not {"worst_place", "worst_known"} & set(measured)


@pytest.mark.parametrize("c", [0, -0.1, 1.1, "x"])
def test_c_is_a_probability_above_nothing(c: object) -> None:
    with pytest.raises(ParameterError) as refusal:
        CSafety(c=c)  # type: ignore[arg-type]
    assert str(refusal.value) == f"CSafety: c must be a number above 0 and at most 1, got {c!r}"


def test_the_taxonomy_must_be_there_and_call_something_sensitive() -> None:
    with pytest.raises(MissingKnowledge, match=r"^c-safety: needs a taxonomy"):
        CSafety(c=0.5).check(Trajectories.from_lists(["ab"]))
    with pytest.raises(DataError, match=r"^c-safety: wanted a taxonomy with sensitive nodes, found none"):
        CSafety(c=0.5).check(Trajectories.from_lists(["a"], taxonomy=Taxonomy({"x": None, "a": "x"})))


def test_what_is_known_and_what_is_guessed_are_kept_apart() -> None:
    seen = Disclosure(walks(["ae"]), TREE)
    for known, places, problem in (
        ("e", "f", "wanted the name of a quasi-identifier, found another"),
        ("a", "b", "wanted the name of a sensitive leaf, found another"),
        ("a", ["clinics"], "wanted sensitive leaves, found an inner node"),
    ):
        with pytest.raises(DataError, match=problem):
            seen.probability(known, places)
