"""Frequent subgraphs of the mobility graph that a release keeps or makes up."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sfumato import SeqAnon
from sfumato.data import Places, Table, Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.mining import mobility_graph
from sfumato.utility.patterns.subgraphs import SubgraphsPreserved, SubgraphsSpurious
from twins.subgraphs import all_frequent

KINDS = {"a": "bar", "b": "shop", "c": "bar", "d": "shop", "e": "park", "f": "park"}
PLACES = Places.from_frame({"location": list(KINDS), "category": list(KINDS.values())})
WALKS = Trajectories.from_lists(["abe", "cdf"], places=PLACES)


def released(data: Trajectories) -> SimpleNamespace:
    return SimpleNamespace(data=data, origin=None)


def test_by_hand() -> None:
    # frequent before: bar > shop, shop > park, bar > shop > park
    parted = released(Trajectories.from_lists(["ab", "cd", "e", "f", "ea", "fc"]))  # and park > bar is new
    assert SubgraphsPreserved(support=2)(WALKS, parted).value == pytest.approx(100 / 3)
    # park > bar, bar > shop, park > bar > shop
    assert SubgraphsSpurious(support=2)(WALKS, parted).value == pytest.approx(200 / 3)
    turned = released(Trajectories.from_lists(["eba", "fdc"]))
    assert SubgraphsPreserved(support=2)(WALKS, turned).value == 0
    assert SubgraphsPreserved(support=2, directed=False)(WALKS, turned).value == 100


def test_a_label_keeps_the_category_of_its_members_if_all_agree() -> None:
    members = {"g1": ("a", "c"), "g2": ("b", "e"), "g3": ("d", "f")}
    alike = replace(Trajectories.from_lists([["a", "b", "e"], ["c", "d", "f"]]), members={"e": ("e", "f")})
    assert SubgraphsPreserved(support=2)(WALKS, released(alike)).value == 100
    # bars as one label are one place; the two others have no category any more
    merged = replace(Trajectories.from_lists([["g1", "g2"], ["g1", "g3"]]), members=members)
    assert SubgraphsPreserved(support=1)(WALKS, released(merged)).value == 0
    assert SubgraphsSpurious(support=1)(WALKS, released(merged)).value == 0
    bars = replace(Trajectories.from_lists([["g1", "b", "e"], ["g1", "d", "f"]]), members={"g1": ("a", "c")})
    # one bar is left: only shop > park is frequent
    assert SubgraphsPreserved(support=2)(WALKS, released(bars)).value == pytest.approx(100 / 3)


def test_a_release_of_a_method() -> None:
    places = Places.from_frame(
        {"location": list("abcd"), "x": [0, 0, 9, 9], "y": [0, 1, 0, 1], "category": ["bar", "bar", "shop", "shop"]}
    )
    walks = Trajectories.from_lists(["ac", "bd", "bd", "ac", "ad"], places=places)
    release = SeqAnon(k=5, m=1).anonymize(walks)
    assert SubgraphsPreserved(support=2)(walks, release).value == 0  # two places are one
    assert SubgraphsPreserved(support=1, largest=1)(walks, release).value == 100


def test_a_share_is_one_of_the_places_of_the_original() -> None:
    kinds = {f"{kind}{number}": kind for kind in ("bar", "shop") for number in range(3)}
    places = Places.from_frame({"location": list(kinds), "category": list(kinds.values())})
    rows = [[f"bar{number}", f"shop{number}"] for number in range(3)]
    walks = Trajectories.from_lists(rows, places=places)
    # half of six places are three; of the four that are left it would be two, and bar > shop would be preserved
    fewer = released(Trajectories.from_lists(rows[:2]))
    assert SubgraphsPreserved(support=0.5)(walks, fewer).value == 0
    more = released(Trajectories.from_lists(rows * 4))
    assert SubgraphsPreserved(support=0.5)(walks, more).value == 100


def test_nothing_changed_is_nothing_lost() -> None:
    rng = np.random.default_rng(5)
    names = [f"p{number:02}" for number in range(30)]
    places = Places.from_frame({"location": names, "category": [f"k{number % 3}" for number in range(30)]})
    walks = Trajectories.from_lists([[names[at] for at in rng.integers(30, size=4)] for _ in range(60)], places=places)
    assert SubgraphsPreserved(support=0.2)(walks, released(walks)).value == 100
    assert SubgraphsSpurious(support=0.2)(walks, released(walks)).value == 0
    empty = Trajectories.from_lists([])
    assert SubgraphsPreserved()(walks, released(empty)).value == 0
    assert SubgraphsPreserved()(empty, released(empty)).value == 100
    assert SubgraphsSpurious()(walks, released(empty)).value == 0


def test_agreement_with_enumeration_where_categories_get_lost() -> None:
    """The release has other categories than the original, so that their codes differ."""
    rng = np.random.default_rng(2)
    for _ in range(15):
        before, after = (
            Trajectories.from_lists([list(rng.permutation(list("abcdef"))[:3]) for _ in range(4)]) for _ in "xy"
        )
        after = Trajectories.from_lists([[name for name in row if name not in "ac"] for row in after.to_lists()])
        walks = replace(before, places=PLACES)
        sets = [set(all_frequent(mobility_graph(data, KINDS), 2, 2)) for data in (walks, after)]
        kept = 100 * len(sets[0] & sets[1]) / len(sets[0]) if sets[0] else 100
        made = 100 * len(sets[1] - sets[0]) / len(sets[1]) if sets[1] else 0
        asked = {"support": 2, "largest": 2}
        assert SubgraphsPreserved(**asked)(walks, released(after)).value == pytest.approx(kept)
        assert SubgraphsSpurious(**asked)(walks, released(after)).value == pytest.approx(made)


def test_other_kinds_are_refused() -> None:
    with pytest.raises(DataError, match="subgraphs-preserved: wanted trajectories"):
        SubgraphsPreserved()(Table({"a": [1]}), released(WALKS))


def test_without_categories_nothing_can_be_said() -> None:
    walks = Trajectories.from_lists(["ab", "ab"])
    with pytest.raises(MissingKnowledge, match="subgraphs-preserved: needs categories, and without them all places"):
        SubgraphsPreserved()(walks, SimpleNamespace(data=walks, origin=None))
