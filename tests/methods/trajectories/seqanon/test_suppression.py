"""Suppression in SeqAnon and its variants: the share is kept, the promise holds, and what is suppressed is gone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import PLACES, TAXONOMY, persons, records
from sfumato import SdSeqAnon, SeqAnon, SeqAnonF, Trajectories
from sfumato.errors import ParameterError
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from sfumato.methods.trajectories.seqanon.suppression import Suppression, least_displaced
from sfumato.utility.places.generalization import Displacement, displacements

FAMILY = [SeqAnon, SeqAnonF, SdSeqAnon]
# two towns, in which a visit to the lonely mill would take both together
TOWNS = {"a": (0.0, 0.0), "b": (1.0, 0.0), "mill": (50.0, 0.0), "x": (99.0, 0.0), "y": (100.0, 0.0)}
WALKS = [["a"], ["a"], ["b"], ["b"], ["mill"], ["x"], ["x"], ["y"], ["y"]]


def enough(rows: Any, who: Any, k: int) -> bool:
    units = range(len(rows)) if who is None else who
    return len({unit for unit, row in zip(units, rows, strict=True) if row}) >= k


def test_a_lonely_place_is_suppressed_instead_of_merged() -> None:
    walks = Trajectories.from_lists(WALKS, places=TOWNS)
    merged = SeqAnon(k=2, m=1).anonymize(walks)
    release = SeqAnon(k=2, m=1, suppression=0.2).anonymize(walks)
    assert merged.data.members == {"g1": ("b", "mill")}
    assert release.data.members == {}
    assert release.data.names == ("a", "b", "x", "y")
    assert release.counts == {
        "suppressed_visits": 1,
        "suppressed_records": 1,
        "merged_locations": 0,
        "suppressed_locations": 1,
    }


def test_the_share_is_the_fraction_that_its_digits_state() -> None:
    """A tenth of ten visits is one visit, and a little less is none."""
    walks = Trajectories.from_lists([*WALKS, ["a"]], places=TOWNS)
    assert SeqAnon(k=2, m=1, suppression=0.1).anonymize(walks).counts["suppressed_visits"] == 1
    assert SeqAnon(k=2, m=1, suppression=0.09999).anonymize(walks).counts["suppressed_visits"] == 0


@pytest.mark.parametrize("method", FAMILY)
@settings(max_examples=60, deadline=None)
@given(
    rows=records(),
    k=st.integers(2, 4),
    m=st.integers(1, 3),
    share=st.sampled_from([0.1, 0.3, 0.5, 0.9]),
    draw=st.data(),
)
def test_the_promise_holds_and_the_share_is_never_exceeded(
    method: Any, rows: Any, k: int, m: int, share: float, draw: Any
) -> None:
    who = draw.draw(persons(len(rows)))
    if not enough(rows, who, k):
        return
    data = replace(Trajectories.from_lists(rows, places=PLACES, persons=who), taxonomy=TAXONOMY)
    plain, release = method(k=k, m=m).anonymize(data), method(k=k, m=m, suppression=share).anonymize(data)
    assert release.holds
    assert oracles.km_holds(method(k=k, m=m).guarantees[0], release.data.with_persons(release.persons))
    lost = release.counts["suppressed_visits"]
    assert lost == len(data.codes) - len(release.origin)
    assert lost <= Fraction(str(share)) * len(data.codes) or lost == plain.counts["suppressed_visits"]
    if method is not SdSeqAnon:  # which weighs distances by meaning
        assert mean_displacement(data, release) <= mean_displacement(data, plain) * (1 + 1e-9)
    again = method(k=k, m=m, suppression=share).anonymize(data)
    assert (again.data.to_lists(), again.data.members) == (release.data.to_lists(), release.data.members)


def mean_displacement(data: Trajectories, release: Any) -> float:
    """Over visits, as the method chooses; the measure takes the mean of trajectories first."""
    return float(displacements(Displacement(), data, release).mean()) if len(release.origin) else 0.0


@pytest.mark.parametrize(("method", "apriori"), [(SeqAnon, True), (SeqAnonF, False)])
@settings(max_examples=150, deadline=None)
@given(
    rows=records(),
    k=st.integers(2, 4),
    m=st.integers(1, 3),
    limit=st.sampled_from([0.5, 1.1, 1.7]),  # no mean distance of places on the lattice is so close to one of them
    allowed=st.integers(0, 12),
    draw=st.data(),
)
def test_one_limit_gives_the_output_of_the_literal_twin(
    method: Any, apriori: bool, rows: Any, k: int, m: int, limit: float, allowed: int, draw: Any
) -> None:
    who = draw.draw(persons(len(rows)))
    if not enough(rows, who, k):
        return
    units = list(range(len(rows))) if who is None else who
    data = Trajectories.from_lists(rows, places=PLACES, persons=who)
    expected, suppressed = oracles.seqanon(rows, units, PLACES, k, m, apriori=apriori, limit=limit, allowed=allowed)
    recoded = method(k=k, m=m).recoded(Recoding(data), Suppression(limit=limit, visits_left=allowed), Run())
    outcome = recoded.published().outcome(data)
    members = outcome.data.members
    found = [[frozenset(members.get(label, (label,))) for label in row] for row in outcome.data.to_lists()]
    assert sorted(map(str, map(_plain, found))) == sorted(map(str, map(_plain, expected)))
    assert outcome.counts["suppressed_visits"] == suppressed


def _plain(record: list[frozenset[str]]) -> list[tuple[str, ...]]:
    return [tuple(sorted(label)) for label in record]


def test_the_smallest_displacement_of_all_limits_is_published() -> None:
    """Beside the limits that the method tries, in a city with many lonely places."""
    rng = np.random.default_rng(4)
    names = [f"p{number:02}" for number in range(40)]
    places = {name: tuple(rng.normal(0, 1 + 9 * (number % 7 == 0), 2)) for number, name in enumerate(names)}
    rows = [[names[i] for i in (rng.zipf(1.4, rng.integers(1, 5)) - 1) % 40] for _ in range(120)]
    data = Trajectories.from_lists(rows, places=places)
    method, share = SeqAnon(k=3, m=2, suppression=0.3), Fraction(3, 10)
    tried: list[tuple[float, int, float]] = []

    def recode(rule: Suppression) -> Any:
        recoded = method.recoded(Recoding(data), rule, Run())
        outcome = recoded.published().outcome(data)
        visits = np.bincount(data.codes[outcome.origin], minlength=len(data.names))
        tried.append((rule.limit, outcome.counts["suppressed_visits"], recoded.displacement(visits)))
        return recoded

    chosen = least_displaced(recode, share).outcome(data)
    assert len(tried) > 2
    assert [limit for limit, _, _ in tried] == sorted((limit for limit, _, _ in tried), reverse=True)
    best = min(tried, key=lambda one: one[2])
    assert chosen.counts["suppressed_visits"] == best[1] > 0
    assert method.anonymize(data).counts["suppressed_visits"] == best[1]


def test_nothing_of_a_suppressed_place_is_written(tmp_path: Path) -> None:
    walks = replace(Trajectories.from_lists([*WALKS, ["a", "mill"]], places=TOWNS))
    SeqAnon(k=3, m=1, suppression=0.2).anonymize(walks).write(tmp_path / "release")
    written = [path for path in (tmp_path / "release").rglob("*") if path.is_file()]
    assert {path.name for path in written} >= {"data.csv", "members.csv", "certificate.json"}
    assert not any(b"mill" in path.read_bytes() for path in written)


@pytest.mark.parametrize("share", [-0.1, 1, 1.5])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ParameterError, match=r"SeqAnon: suppression must be a number of at least 0 and below 1, got"):
        SeqAnon(k=2, m=1, suppression=share)
