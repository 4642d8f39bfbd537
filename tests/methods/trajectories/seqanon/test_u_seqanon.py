"""USeqAnon against its literal twin, and in the cases that ask for thought."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import CONSTRAINTS, LOCATIONS, PLACES, persons, records
from sfumato import Places, SeqAnon, Trajectories, USeqAnon
from sfumato.data import Constraints
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from twins.seqanon import u_seqanon

SPREAD = Places.planar({name: (x, x * x % 7) for x, name in enumerate(LOCATIONS)})
ALL_IN_ONE = Constraints(dict.fromkeys(LOCATIONS, "everything"))
EACH_ALONE = Constraints({name: name for name in LOCATIONS})
PAIRS = Constraints(dict(zip(LOCATIONS, "uvvuww", strict=True)))


def walks(rows: Any, constraints: Constraints | None, who: Any = None, places: Places = PLACES) -> Trajectories:
    return replace(Trajectories.from_lists(rows, places=places, persons=who), constraints=constraints)


def plain(rows: Any, members: Any = None) -> list[list[tuple[str, ...]]]:
    """Records as members, in an order of their own; empty ones are not published."""
    known = members or {}
    shown = [[tuple(sorted(known.get(label, (label,)) if members is not None else label)) for label in r] for r in rows]
    return sorted(row for row in shown if row)


@pytest.mark.parametrize(
    "constraints", [CONSTRAINTS, ALL_IN_ONE, EACH_ALONE, PAIRS], ids=["common", "all in one", "each alone", "pairs"]
)
@pytest.mark.parametrize("places", [PLACES, SPREAD], ids=["lattice", "spread"])
@settings(max_examples=80, deadline=None)
@given(
    rows=records(), k=st.integers(2, 4), m=st.integers(1, 3), delta=st.sampled_from([0, 20, 50, 100]), draw=st.data()
)
def test_the_output_is_that_of_the_literal_twin(
    constraints: Constraints, places: Places, rows: Any, k: int, m: int, delta: float, draw: Any
) -> None:
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    data = walks(rows, constraints, who, places)
    method = USeqAnon(k=k, m=m, delta=delta)
    if len({unit for unit, row in zip(units, rows, strict=True) if row}) < k:
        with pytest.raises(Infeasible, match=f"u-seqanon: k={k} needs at least {k}"):
            method.anonymize(data)
        return
    partition = {location: constraints[location] for location in LOCATIONS}
    expected, suppressed = u_seqanon(rows, units, places, partition, k, m)
    visited = {location for row in rows for location in row}
    if len(suppressed) / len(visited) > delta / 100 or suppressed == visited:
        with pytest.raises(Infeasible, match="would have to be suppressed"):
            method.anonymize(data)
        return
    release = method.anonymize(data)
    assert plain(release.data.to_lists(), release.data.members) == plain(expected)
    assert release.counts["suppressed_locations"] == len(suppressed)
    assert release.counts["suppressed_visits"] == sum(map(len, rows)) - sum(map(len, expected))
    assert release.counts["suppressed_records"] == sum(not row for row in expected)
    assert release.holds
    _assert_true_and_inside(data, release)


def _assert_true_and_inside(data: Trajectories, release: Any) -> None:
    """Every published label stands for the visit it came from, and for locations of one constraint."""
    for published, private in zip(release.data.codes, release.origin, strict=True):
        label = release.data.names[published]
        assert data.names[data.codes[private]] in release.data.members.get(label, (label,))
    assert data.constraints is not None
    for members in release.data.members.values():
        assert len({data.constraints[member] for member in members}) == 1


@pytest.mark.parametrize("seed", range(4))
def test_larger_data_with_many_changes_agree_with_the_twin(seed: int) -> None:
    """Merges after suppressions in the same size and in later ones; persons with several records."""
    rng = np.random.default_rng(seed)
    names = [f"p{number:02}" for number in range(40)]
    places = Places.planar({name: tuple(rng.integers(0, 9, 2)) for name in names})
    constraints = {name: f"c{rng.integers(0, 12)}" for name in names}
    rows = [[names[i] for i in (rng.zipf(1.4, rng.integers(1, 6)) - 1) % 40] for _ in range(110)]
    who = rng.integers(0, 60, len(rows)).tolist() if seed % 2 else None
    data = replace(Trajectories.from_lists(rows, places=places, persons=who), constraints=Constraints(constraints))
    expected, suppressed = u_seqanon(rows, who or list(range(len(rows))), places, constraints, 3, 3)
    assert 0 < len(suppressed) < len({name for row in rows for name in row})
    release = USeqAnon(k=3, m=3, delta=100).anonymize(data)
    assert plain(release.data.to_lists(), release.data.members) == plain(expected)
    assert release.counts["suppressed_locations"] == len(suppressed)
    _assert_true_and_inside(data, release)


def test_one_constraint_is_seqanon_where_merging_is_enough() -> None:
    data = walks(["abc", "cbd", "efa", "bb", "fe"], ALL_IN_ONE)
    one, other = (method.anonymize(data).data for method in (SeqAnon(k=3, m=2), USeqAnon(k=3, m=2, delta=0)))
    assert one.to_lists() == other.to_lists()
    assert one.members == other.members


def test_a_suppressed_generalized_location_counts_every_member() -> None:
    """a and b are merged, are still only two persons, and go: 2 of 3 locations, and with them two trajectories."""
    data = walks([["a"], ["b"], ["c"], ["c"], ["c"]], Constraints({"a": "u", "b": "u", "c": "w"}))
    with pytest.raises(Infeasible) as refusal:
        USeqAnon(k=3, m=1, delta=66).anonymize(data)
    assert str(refusal.value) == (
        "u-seqanon: 66.67 percent of the locations (2 of 3) would have to be suppressed, delta=66 allows fewer; "
        "raise delta, lower k or m, or give larger constraints"
    )
    release = USeqAnon(k=3, m=1, delta=66.67).anonymize(data)
    assert release.data.to_lists() == [["c"]] * 3
    assert release.counts == {
        "suppressed_visits": 2,
        "suppressed_records": 2,
        "merged_locations": 0,
        "suppressed_locations": 2,
    }
    assert release.certificate().records == {"published": 3, "suppressed": 2, "added": 0, "split": 0}


@pytest.mark.parametrize("seed", range(6))
def test_the_refusal_names_a_delta_that_is_enough(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [[LOCATIONS[i] for i in rng.integers(0, 6, rng.integers(1, 4))] for _ in range(9)] + [["a"]] * 3
    with pytest.raises(Infeasible) as refusal:
        USeqAnon(k=3, m=2, delta=0).anonymize(walks(rows, PAIRS))
    found = re.search(r"([\d.]+) percent of the locations \((\d) of (\d)\)", str(refusal.value))
    assert found is not None
    if found[2] != found[3]:
        release = USeqAnon(k=3, m=2, delta=float(found[1])).anonymize(walks(rows, PAIRS))
        assert release.counts["suppressed_locations"] == int(found[2])
    with pytest.raises(Infeasible, match="would have to be suppressed"):
        USeqAnon(k=3, m=2, delta=float(found[1]) - 0.02).anonymize(walks(rows, PAIRS))


def test_nothing_left_is_refused_whatever_delta_is() -> None:
    """One label is left, (x,x) has support 1: SEQANON cuts visits, U-SEQANON would suppress everything."""
    with pytest.raises(Infeasible) as refusal:
        USeqAnon(k=2, m=2, delta=100).anonymize(walks(["ab", "c", "c"], ALL_IN_ONE))
    assert str(refusal.value) == (
        "u-seqanon: all 3 locations would have to be suppressed, which leaves nothing to publish; "
        "lower k or m, or give larger constraints"
    )


def test_other_patterns_keep_their_supports_through_a_suppression() -> None:
    """x stands between a and b in two trajectories and goes; (a, b) is still theirs."""
    places = Places.planar({"a": (0, 0), "b": (5, 0), "x": (2, 0)})
    data = walks(["axb", "axb", "ab", "b"], Constraints({"a": "1", "b": "2", "x": "3"}), places=places)
    release = USeqAnon(k=3, m=2, delta=34).anonymize(data)
    assert release.data.to_lists() == [["a", "b"], ["a", "b"], ["a", "b"], ["b"]]
    assert release.data.members == {}


def test_time_slots_are_in_the_constraint_of_their_place() -> None:
    rows = [["a@08", "b@09"], ["a@09", "b@09"], ["d@08"]]
    release = USeqAnon(k=2, m=1, delta=0).anonymize(walks(rows, CONSTRAINTS))
    assert release.data.members == {"g1": ("a@08", "a@09", "d@08")}


def test_what_the_data_lack_is_said() -> None:
    with pytest.raises(MissingKnowledge, match="u-seqanon: needs constraints"):
        USeqAnon(k=2, m=1, delta=5).anonymize(walks([["a"], ["a"]], None))
    with pytest.raises(DataError) as refusal:
        USeqAnon(k=2, m=1, delta=5).anonymize(walks([["a"], ["b"]], Constraints({"a": "one"})))
    assert str(refusal.value) == (
        "the constraints: wanted every location of the data in one constraint, found none for 1"
    )


@pytest.mark.parametrize("delta", [-1, 100.5, "ten", None])
def test_delta_is_a_percentage(delta: Any) -> None:
    with pytest.raises(ParameterError, match="USeqAnon: delta must be a number of at least 0 and at most 100, got"):
        USeqAnon(k=2, m=1, delta=delta)


@settings(max_examples=60, deadline=None)
@given(rows=records(), size=st.integers(1, 3), draw=st.data())
def test_supports_survive_suppressions_among_merges(rows: Any, size: int, draw: Any) -> None:
    """Patterns that hold nothing suppressed have the supports that they have in the records without it."""
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    data = walks(rows, None, who)
    recoding = Recoding(data)
    recoding.count(size, size)
    label: dict[str, str | None] = {name: name for name in data.names}
    while len(recoding.active) > 0:
        one = int(draw.draw(st.sampled_from(sorted(recoding.active.tolist()))))
        other = int(min(recoding.active, key=lambda active: abs(active - one - 1)))
        gone = {data.names[one], data.names[other]}
        if one == other or draw.draw(st.booleans()):
            assert recoding.suppress(one) == list(label.values()).count(data.names[one])
            label = {name: None if now == data.names[one] else now for name, now in label.items()}
        else:
            recoding.merge(one, other)
            kept = data.names[int(recoding.active[np.isin(recoding.active, (one, other))][0])]
            label = {name: kept if now in gone else now for name, now in label.items()}
        if draw.draw(st.booleans()):
            recoding.count(size, size)
        left = [[now for name in row if (now := label[name]) is not None] for row in rows]
        expected = {p: n for p, n in oracles.supports(left, units, size).items() if len(p) == size}
        keys, counts, *_ = recoding._table
        read = [(tuple(recoding.current[list(key)]), n) for key, n in zip(keys.tolist(), counts.tolist(), strict=True)]
        found = {tuple(data.names[code] for code in key): n for key, n in read if min(key) >= 0 and n > 0}
        assert {key: n for key, n in found.items() if len(key) == size} == expected
