"""CAST: corner cases and refusals; the worked example is in tests/papers, the promise in the common trial."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Cast, Taxonomy, Trajectories, Workplaces
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.privacy import CSafety
from twins.c_safety import worst

TREE = Taxonomy(
    {"all": None, "shops": "all", "food": "shops", "a": "food", "b": "food", "c": "shops", "d": "shops"}
    | {"health": "all", "clinics": "health", "e": "clinics", "f": "clinics", "g": "health"},
    sensitive=["health"],
)


def walks(rows: list[str], persons: list[str] | str | None = None) -> Trajectories:
    return Trajectories.from_lists(rows, persons=persons, taxonomy=TREE)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[Trajectories, Cast]:
    rows = draw(st.lists(st.text("abcdefg", max_size=6), min_size=4, max_size=12))
    who = draw(st.none() | st.lists(st.sampled_from("uvwxy"), min_size=len(rows), max_size=len(rows)))
    c = draw(st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.75]))
    size, distance = draw(st.integers(2, 4)), draw(st.sampled_from(["hops", "leaves"]))
    return walks(rows, who), Cast(c=c, group_size=size, distance=distance)


@settings(max_examples=60, deadline=None)
@given(chosen=inputs())
def test_every_output_is_safe_by_brute_force_and_every_label_true(chosen: tuple[Trajectories, Cast]) -> None:
    data, method = chosen
    try:
        release = method.anonymize(data)
    except Infeasible:
        return
    seen = release.data.with_persons(release.persons)
    assert worst(TREE, seen.to_lists(), seen.units.tolist()) <= Fraction(str(method.c))
    assert release.holds
    _assert_true(data, release)


def _assert_true(data: Trajectories, release: object) -> None:
    """Every visit is published as itself or above, in its order; records are never mixed."""
    published, origin = release.data, release.origin  # type: ignore[attr-defined]
    for record in range(len(published)):
        part = origin[published.offsets[record] : published.offsets[record + 1]]
        assert (np.diff(part) > 0).all()
        assert len(set(data.record_of_element()[part])) == 1
        for at, label in zip(part, published.labels(record), strict=True):
            place = data.names[data.codes[at]]
            assert place in published.members.get(label, (label,))
            assert (place in TREE.sensitive) == (label in TREE.sensitive)


def test_every_group_has_the_same_quasi_identifiers() -> None:
    chance = Random(4)
    data = walks(["".join(chance.choice("abcdefg") for _ in range(chance.randint(1, 5))) for _ in range(60)])
    release = Cast(c=0.3, group_size=5).anonymize(data)
    shown: dict[tuple[str, ...], int] = {}
    for row in release.data.to_lists():
        key = tuple(label for label in row if label not in TREE.sensitive)
        shown[key] = shown.get(key, 0) + 1
    shown.pop((), None)
    untouched = sum(count for count in shown.values() if count % 5)
    assert untouched <= release.counts["untouched_records"] < 60


def test_where_c_holds_already_nothing_is_generalized() -> None:
    """A sensitive place in one of three is allowed, and the second kind of trajectory has none at all."""
    rows = ["abe", "ab", "ab", "cd", "ca", "d"]
    release = Cast(c=0.34, group_size=2).anonymize(walks(rows))
    assert sorted("".join(row) for row in release.data.to_lists()) == sorted(rows)
    assert release.counts["generalized_visits"] == release.counts["suppressed_visits"] == 0
    assert (release.counts["untouched_records"], release.counts["groups"]) == (6, 0)
    assert release.holds


def test_groups_that_keep_c_stay_as_they_are_beside_groups_that_do_not() -> None:
    rows = ["ae", "ae", "c", "bb", "bd"]  # c is left over of its length
    release = Cast(c=0.5, group_size=2).anonymize(walks(rows))
    shown = [" ".join(row) for row in release.data.to_lists()]
    assert shown == ["a clinics", "a clinics", "b b", "b d", "c"]
    assert (release.counts["untouched_records"], release.counts["groups"]) == (3, 1)
    assert release.holds


def test_a_person_with_many_trajectories_is_no_cushion() -> None:
    """By records, one of two with the same places visits e; x counts half in each of two groups."""
    rows, who = ["abe", "ab", "cae", "ca"], ["u", "x", "v", "x"]
    assert Cast(c=0.5, group_size=2).anonymize(walks(rows)).counts["untouched_records"] == 4
    assert Cast(c=0.5, group_size=2).anonymize(walks(rows, who)).counts["untouched_records"] == 0


def test_trajectories_of_sensitive_places_only_are_published_as_they_are_and_counted() -> None:
    release = Cast(c=0.1, group_size=2).anonymize(walks(["a", "a", "ef", "g", "e"]))
    assert release.data.to_lists() == [["a"], ["a"], ["e"], ["e", "f"], ["g"]]
    assert release.counts["sensitive_only_records"] == 3
    assert release.verdicts[0][1].measured["without_quasi_identifier"] == 3
    assert any("sensitive places only" in limit["text"] for limit in release.certificate().not_covered)
    assert release.holds


def test_what_is_left_at_the_end_is_suppressed_and_counted() -> None:
    release = Cast(c=0.5, group_size=2).anonymize(walks(["ae", "ae", "be"]))
    assert release.data.to_lists() == [["a", "clinics"], ["a", "clinics"]]
    assert release.counts["suppressed_records"] == 1
    assert release.counts["suppressed_visits"] == 2
    assert release.certificate().records["suppressed"] == 1


def test_a_sensitive_place_above_its_top_is_suppressed_in_the_whole_group() -> None:
    release = Cast(c=0.3, group_size=2).anonymize(walks(["ae", "ae"]))  # 1, 1/2, 1/3: above 0.3 at the top
    assert release.data.to_lists() == [["a"], ["a"]]
    assert release.counts["suppressed_sensitive"] == 2
    release = Cast(c=0.34, group_size=2).anonymize(walks(["ae", "ae"]))
    assert release.data.to_lists() == [["a", "health"], ["a", "health"]]
    assert release.data.members == {"health": ("e", "f", "g")}


def test_positions_are_restored() -> None:
    rows = Cast(c=1, group_size=2).anonymize(walks(["eaf", "agg", "gab", "ab"])).data.to_lists()
    assert rows == [["a", "b"], ["a", "g", "g"], ["e", "a", "f"], ["g", "a", "b"]]


def test_one_person_never_fills_a_group() -> None:
    data = walks(["ae", "a", "a", "a"], ["u", "u", "u", "v"])
    release = Cast(c=0.4, group_size=2).anonymize(data)
    assert len(release.data) == 2
    assert len(set(release.persons.codes.tolist())) == 2


def test_persons_in_several_groups_count_less_in_each() -> None:
    """By records c = 1/2 allows one visit to e in a group of two; x in both groups cannot hide both u and v."""
    rows, who = ["abe", "ab", "cae", "ca"], ["u", "x", "v", "x"]
    assert "e" in str(Cast(c=0.5, group_size=2).anonymize(walks(rows)).data.to_lists())
    release = Cast(c=0.5, group_size=2).anonymize(walks(rows, who))
    assert release.holds
    assert "'e'" not in str(release.data.to_lists())


def test_given_workplaces_are_suppressed_for_those_who_work_there() -> None:
    data = replace(
        walks(["ae", "ae", "a"], ["ann", "bob", "col"]),
        workplaces=Workplaces.of("person", [("ann", "e"), ("ann", "a")]),
    )
    release = Cast(c=0.5, group_size=3).anonymize(data)
    assert release.data.to_lists() == [["a"], ["a"], ["a", "e"]]  # a is not sensitive, and stays
    assert release.counts["suppressed_as_workplace"] == 1
    assert release.data.workplaces is None


def test_chains_of_single_children_and_sensitive_leaves_under_the_root() -> None:
    tree = Taxonomy({"r": None, "x": "r", "y": "x", "a": "y", "b": "r", "s": "r"}, sensitive=["s"])
    data = Trajectories.from_lists(["as", "as", "b", "a"], taxonomy=tree)
    release = Cast(c=0.4, group_size=4).anonymize(data)
    assert release.data.to_lists() == [["r"]] * 4  # s has no sensitive node above it
    assert release.data.members == {"r": ("a", "b")}
    assert release.counts["suppressed_sensitive"] == 2


def test_the_certificate_can_be_checked_from_the_files(tmp_path: object) -> None:
    from sfumato import verify

    chance = Random(8)
    data = walks(["".join(chance.choice("abcdefg") for _ in range(chance.randint(1, 5))) for _ in range(50)])
    path = Cast(c=0.3, group_size=5).anonymize(data).write(f"{tmp_path}/out")
    assert verify(path).verdicts[0][1].holds is True
    assert (path / "context" / "taxonomy.csv").read_text().startswith("node,parent,sensitive\nall,,false\n")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"c": 0}, "Cast: c must be a number above 0 and at most 1, got 0"),
        ({"c": 1.5}, "Cast: c must be a number above 0 and at most 1, got 1.5"),
        ({"group_size": 1}, "Cast: group_size must be a whole number of at least 2, got 1"),
        ({"distance": "miles"}, "Cast: distance must be one of 'hops', 'leaves', got 'miles'"),
    ],
)
def test_parameters_are_checked(values: dict[str, object], problem: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Cast.from_json({"c": 0.5, "group_size": 2, **values})
    assert str(refusal.value) == problem


def test_refusals() -> None:
    with pytest.raises(Infeasible) as refusal:
        Cast(c=0.5, group_size=4).anonymize(walks(["a", "b", "", "c"]))
    assert str(refusal.value) == "cast: group_size=4 needs at least 4 records with a visit, these data have 3"
    with pytest.raises(Infeasible, match="2 persons with a visit, these data have 1"):
        Cast(c=0.5, group_size=2).anonymize(walks(["a", "b"], ["u", "u"]))
    with pytest.raises(MissingKnowledge, match=r"^cast: needs taxonomy"):
        Cast(c=0.5, group_size=2).anonymize(Trajectories.from_lists(["a", "b"]))
    plain = Taxonomy({"all": None, "a": "all", "b": "all"})
    with pytest.raises(DataError) as wrong:
        Cast(c=0.5, group_size=2).anonymize(Trajectories.from_lists(["a", "b"], taxonomy=plain))
    assert str(wrong.value) == (
        "cast: wanted a taxonomy with sensitive nodes, found none; mark them in its column 'sensitive'"
    )
    with pytest.raises(DataError, match=r"wanted a leaf for every location of the data, found none for 1"):
        Cast(c=0.5, group_size=2).anonymize(walks(["a", "z"]))


def test_the_promise_is_c_safety() -> None:
    assert Cast(c=0.3, group_size=2).guarantees == (CSafety(c=0.3),)
