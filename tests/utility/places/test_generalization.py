"""Measures of generalization, computed by hand."""

import pytest

from sfumato import Places, SeqAnon, Table, Trajectories
from sfumato.catalogue import MEASURES, measure_class
from sfumato.errors import DataError, MissingKnowledge
from sfumato.utility.places.generalization import (
    Displacement,
    DistancePercentage,
    GeneralizedLocations,
    IntactLocations,
    LabelSize,
)

# with k=2, m=1: a and b become one label at distance 2, c (twice) stays
WALKS = Trajectories.from_lists([["a", "c"], ["b"], ["c"]], places={"a": (0, 0), "b": (2, 0), "c": (50, 0)})


def test_the_figures_by_hand() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("a", "b")}
    assert IntactLocations()(WALKS, release).value == pytest.approx(100 / 3)
    assert LabelSize()(WALKS, release).value == 2
    assert GeneralizedLocations()(WALKS, release).value == 1
    # distances 0, 2, 2, 0 inside {a,b}: 1 of 50
    assert DistancePercentage()(WALKS, release).value == pytest.approx(2)
    # a under {a,b}: (0+2)/2 = 1, c: 0, so the trajectories have 0.5, 1 and 0
    assert Displacement()(WALKS, release).value == pytest.approx((0.5 + 1 + 0) / 3)


def test_the_example_of_definition_6() -> None:
    places = {"a": (0, 0), "a1": (1, 0), "a2": (0, 2), "b": (500, 0)}
    data = Trajectories.from_lists([["a", "b"], ["a1", "b"], ["a2", "b"]], places=places)
    release = SeqAnon(k=3, m=1).anonymize(data)
    assert release.data.members == {"g1": ("a", "a1", "a2")}
    root5 = 5**0.5
    expected = ((0 + 1 + 2) / 3 / 2 + (1 + 0 + root5) / 3 / 2 + (2 + root5 + 0) / 3 / 2) / 3
    assert Displacement()(data, release).value == pytest.approx(expected)


def test_nothing_generalized_is_nothing_lost() -> None:
    data = Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)})
    release = SeqAnon(k=2, m=1).anonymize(data)
    assert [
        measure_class(name)()(data, release).value
        for name in ("displacement", "intact", "label-size", "distance-percentage")
    ] == [0, 100, 1, 0]


def test_distances_on_the_globe_are_metres() -> None:
    places = Places.from_frame({"location": ["a", "b"], "lat": [0.0, 0.0], "lon": [0.0, 1.0]})
    data = Trajectories.from_lists([["a"], ["b"]], places=places)
    score = Displacement()(data, SeqAnon(k=2, m=1).anonymize(data))
    assert score.unit == "m"
    assert score.value == pytest.approx(111_195 / 2, rel=1e-4)


def test_refusals() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    with pytest.raises(DataError, match="intact: wanted trajectories"):
        IntactLocations()(Table({"a": [1]}), release)

    class Bare:
        data, origin = release.data, None

    with pytest.raises(DataError, match="displacement: needs the run itself"):
        Displacement()(WALKS, Bare())
    from dataclasses import replace

    with pytest.raises(MissingKnowledge, match="displacement: wanted places"):
        Displacement()(replace(WALKS, places=None), release)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_says_what_it_means(name: str) -> None:
    measure = measure_class(name)
    assert measure.name == name
    assert measure.better in ("lower", "higher")
    assert measure.meaning
    assert measure.title
