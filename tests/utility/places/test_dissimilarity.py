"""Measures of meaning, computed by hand and by brute force."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import LOCATIONS, PLACES, TAXONOMY, records
from sfumato import Places, SdSeqAnon, SeqAnon, Table, Taxonomy, Trajectories
from sfumato.errors import DataError, Infeasible, MissingKnowledge
from sfumato.utility.places.dissimilarity import CombinedDisplacement, SemanticPenalty
from sfumato.utility.places.generalization import Displacement, IntactLocations, IntactNumber
from twins.seqanon import dissimilarity

# with k=2, m=1: a and b become one label at distance 2 with SD 3/5, c (twice) stays
TREE = Taxonomy({"root": None, "n": "root", "a": "n", "b": "n", "x": "n", "c": "root", "y": "root"})
WALKS = Trajectories.from_lists(
    [["a", "c"], ["b"], ["c"]], places={"a": (0, 0), "b": (2, 0), "c": (50, 0)}, taxonomy=TREE
)


def test_the_figures_by_hand() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("a", "b")}
    # (g1, c), (g1), (c): 0.6 / 2, 0.6, 0
    assert SemanticPenalty()(WALKS, release).value == pytest.approx((0.3 + 0.6 + 0) / 3)
    # a under {a,b}: (0 + 2) / 2 x 0.6, c: 0
    assert CombinedDisplacement()(WALKS, release).value == pytest.approx((0.3 + 0.6 + 0) / 3)
    assert IntactNumber()(WALKS, release).value == 1
    assert str(IntactNumber()(WALKS, release)) == "1 locations"


@settings(max_examples=80, deadline=None)
@given(rows=records(), k=st.integers(2, 3), m=st.integers(1, 2), wide=st.booleans())
def test_brute_force_agrees(rows: Any, k: int, m: int, wide: bool) -> None:
    data = Trajectories.from_lists(rows, places=PLACES, taxonomy=TAXONOMY)
    try:
        release = (SdSeqAnon if wide else SeqAnon)(k=k, m=m).anonymize(data)
    except Infeasible:
        return
    locations = [data.names[code] for code in data.codes]
    penalties, distances = [], []
    at = 0
    for record in release.data.to_lists():
        groups = [release.data.members.get(label, (label,)) for label in record]
        weights = [0 if len(group) == 1 else dissimilarity(frozenset(group), TAXONOMY) for group in groups]
        private = [locations[visit] for visit in release.origin[at : at + len(record)]]
        at += len(record)
        away = [
            sum(PLACES.distance(one, member) for member in group) / len(group)
            for one, group in zip(private, groups, strict=True)
        ]
        penalties.append(sum(weights) / len(record))
        distances.append(sum(a * w for a, w in zip(away, weights, strict=True)) / len(record))
    n = max(1, len(penalties))
    assert SemanticPenalty()(data, release).value == pytest.approx(sum(penalties) / n)
    assert CombinedDisplacement()(data, release).value == pytest.approx(sum(distances) / n)
    intact = {label for record in release.data.to_lists() for label in record if label in LOCATIONS}
    assert IntactNumber()(data, release).value == len(intact)
    assert IntactLocations()(data, release).value == pytest.approx(100 * len(intact) / max(1, len(set(locations))))


def test_nothing_generalized_is_nothing_lost() -> None:
    data = Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)}, taxonomy=TREE)
    release = SeqAnon(k=2, m=1).anonymize(data)
    assert [measure()(data, release).value for measure in (SemanticPenalty, CombinedDisplacement)] == [0, 0]


def test_everything_under_one_label_is_all_that_can_be_lost() -> None:
    data = Trajectories.from_lists([["a"], ["c"]], places={"a": (0, 0), "c": (1, 0)}, taxonomy=TREE)
    assert SemanticPenalty()(data, SeqAnon(k=2, m=1).anonymize(data)).value == 1


def test_an_empty_release_has_lost_nothing_that_is_there() -> None:
    class Empty:
        data = Trajectories.from_lists([])
        origin = data.codes

    assert [measure()(WALKS, Empty()).value for measure in (SemanticPenalty, CombinedDisplacement, IntactNumber)] == [
        0
    ] * 3


def test_a_trajectory_without_visits_does_not_count() -> None:
    names = ["a", "c", "b"]
    rows = [[], names[:2], [], names[2:], []]
    data = Trajectories.from_lists(rows, places={"a": (0, 0), "b": (2, 0), "c": (50, 0)}, taxonomy=TREE)
    published = replace(Trajectories.from_lists([[], ["g", "c"], [], ["g"], []]), members={"g": ("a", "b")})
    release = SimpleNamespace(data=published, origin=np.arange(3))
    assert SemanticPenalty()(data, release).value == pytest.approx((0.6 / 2 + 0.6) / 2)
    assert Displacement()(data, release).value == pytest.approx((1 / 2 + 1) / 2)


def test_distances_on_the_globe_are_metres() -> None:
    places = Places.from_frame({"location": ["a", "b"], "lat": [0.0, 0.0], "lon": [0.0, 1.0]})
    data = Trajectories.from_lists([["a"], ["b"]], places=places, taxonomy=TREE)
    score = CombinedDisplacement()(data, SeqAnon(k=2, m=1).anonymize(data))
    assert score.unit == "m"
    assert score.value == pytest.approx(0.6 * 111_195 / 2, rel=1e-4)


def test_the_penalty_needs_no_run_and_the_displacement_does() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)

    class Bare:
        data, origin = release.data, None

    assert SemanticPenalty()(WALKS, Bare()).value == pytest.approx(0.3)
    with pytest.raises(DataError, match="combined-displacement: needs the run itself"):
        CombinedDisplacement()(WALKS, Bare())


def test_refusals() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    with pytest.raises(MissingKnowledge, match="semantic-penalty: wanted a taxonomy of the locations"):
        SemanticPenalty()(replace(WALKS, taxonomy=None), release)
    with pytest.raises(MissingKnowledge, match="combined-displacement: wanted places with coordinates"):
        CombinedDisplacement()(replace(WALKS, places=None), release)
    with pytest.raises(DataError, match=r"wanted a leaf for every location of the data, found none for 1"):
        SemanticPenalty()(replace(WALKS, taxonomy=Taxonomy({"r": None, "a": "r", "c": "r"})), release)
    with pytest.raises(DataError, match="semantic-penalty: wanted trajectories"):
        SemanticPenalty()(Table({"a": [1]}), release)
