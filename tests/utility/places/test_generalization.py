"""Measures of generalization, computed by hand."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from datasets import PLACES
from sfumato import Places, SeqAnon, Table, Trajectories, Zga
from sfumato.catalogue import MEASURES, measure_class
from sfumato.errors import DataError, MissingKnowledge
from sfumato.utility.base import Better
from sfumato.utility.places.generalization import (
    Displacement,
    DistancePercentage,
    GeneralizedLocations,
    IntactLocations,
    IntactNumber,
    LabelSize,
)
from twins.random_releases import Case, walks

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


def test_a_label_may_stand_for_locations_without_visits() -> None:
    data = Trajectories.from_lists([["a"], ["c"]], places={"a": (0, 0), "b": (6, 0), "c": (50, 0)})
    published = replace(Trajectories.from_lists([["g"], ["c"]]), members={"g": ("a", "b")})
    release = SimpleNamespace(data=published, origin=np.arange(2))
    assert Displacement()(data, release).value == pytest.approx((6 / 2 + 0) / 2)


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
    with pytest.raises(MissingKnowledge, match="displacement: wanted places"):
        Displacement()(replace(WALKS, places=None), release)


# --- literal definitions, on releases of every shape ------------------------------------------------------------------


def intact(case: Case, without: str) -> tuple[int, int]:
    """The number of original locations that some visit is published as, by its own name; and of all of them."""
    before = {name for row in case.before for name in row} - set(without)
    after = {label for row in case.after for label in row if label not in case.members}
    return len(before & after), len(before)


@pytest.mark.parametrize("count_sensitive", [True, False])
def test_intact_locations_of_every_shape(count_sensitive: bool) -> None:
    for case in walks(11):
        original = replace(case.original, places=PLACES)  # f is sensitive
        kept, before = intact(case, "" if count_sensitive else "f")
        share = IntactLocations(count_sensitive=count_sensitive)(original, case.published).value
        assert share == pytest.approx(100 * kept / before if before else 100)
        assert IntactNumber(count_sensitive=count_sensitive)(original, case.published).value == kept


def test_sensitive_locations_must_be_known_to_be_left_out() -> None:
    with pytest.raises(MissingKnowledge, match="intact-number: wanted sensitive locations to leave out, found none"):
        IntactNumber(count_sensitive=False)(WALKS, WALKS)


@pytest.mark.parametrize("relative_to", ["data", "label"])
def test_distances_and_sizes_of_every_shape(relative_to: str) -> None:
    for case in walks(12):
        original = replace(case.original, places=PLACES)
        visited = {name for row in case.before for name in row}.union(*case.members.values())
        largest = max((PLACES.distance(*pair) for pair in product(visited, repeat=2)), default=0.0)
        shares = []
        for members in case.members.values():
            apart = [PLACES.distance(*pair) for pair in product(members, repeat=2)]
            whole = largest if relative_to == "data" else max(apart)
            shares.append(100 * sum(apart) / len(apart) / whole if whole else 0.0)
        expected = sum(shares) / len(shares) if shares else 0.0
        assert DistancePercentage(relative_to=relative_to)(original, case.published).value == pytest.approx(expected)
        sizes = [len(members) for members in case.members.values()]
        assert LabelSize()(original, case.published).value == pytest.approx(sum(sizes) / len(sizes) if sizes else 1)
        assert GeneralizedLocations()(original, case.published).value == len(sizes)


def test_members_at_one_point_are_not_apart() -> None:
    places = {"a": (0, 0), "b": (0, 0), "c": (9, 0), "d": (9, 4), "e": (9, 8)}
    data = Trajectories.from_lists(["a", "b", "c", "d", "e"], places=places)
    published = replace(Trajectories.from_lists([["g1"], ["g2"]]), members={"g1": ("a", "b"), "g2": ("c", "d", "e")})
    # g1: 0; g2: 2 x (4 + 4 + 8) / 9 of 8
    assert DistancePercentage(relative_to="label")(data, published).value == pytest.approx((0 + 100 * 32 / 9 / 8) / 2)


def test_labels_of_a_cluster() -> None:
    walks_of_two = [["a", "c"], ["b", "c"], ["d", "f"], ["e", "f"]]
    where = {"a": (0, 0), "b": (1, 0), "c": (50, 0), "d": (90, 0), "e": (91, 0), "f": (40, 0), "s": (9, 9)}
    data = Trajectories.from_lists(walks_of_two, places=Places.planar(where).with_sensitive("s"))
    together, apart = (Zga(k=2, l=2, m=1, clusters=clusters).anonymize(data) for clusters in (1, 2))
    assert together.data.members == apart.data.members == {"g1": ("a", "b"), "g2": ("d", "e")}
    for release, number in ((together, 2), (apart, 1)):
        assert GeneralizedLocations()(data, release).value == 2
        assert GeneralizedLocations(per="cluster")(data, release).value == number
    # a release without clusters is one cluster, and files do not say how many there were
    assert (
        GeneralizedLocations(per="cluster")(data, SimpleNamespace(data=apart.data, origin=None, counts={})).value == 2
    )
    with pytest.raises(DataError, match="generalized: needs the run itself"):
        GeneralizedLocations(per="cluster")(data, apart.data)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_says_what_it_means(name: str) -> None:
    measure = measure_class(name)
    assert measure.name == name
    assert measure.better in get_args(Better)
    assert measure.meaning
    assert measure.title
