"""Frequent patterns kept and made up, by hand and by enumerating worlds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.data import Transactions
from sfumato.errors import DataError, ParameterError
from sfumato.utility.patterns.preserved import PatternsPreserved, PatternsSpurious
from sfumato.utility.patterns.random_projection import projected
from twins.frequent_patterns import preserved, spurious
from twins.random_releases import baskets, walks, worlds

WALKS = Trajectories.from_lists(
    ["ab", "ab", "ac", "d", "d"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0), "d": (9, 9)}
)


class Released:
    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


def test_labels_as_they_are_by_hand() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    # frequent before: a, b, d, ab; published: a, d, g1, (a g1)
    assert PatternsPreserved(support=2, projections=0)(WALKS, release).value == 50
    assert PatternsSpurious(support=2, projections=0)(WALKS, release).value == 50


def test_projections_average_over_worlds() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    # of the 8 worlds, b (and ab) has support >= 2 in 4, c (and ac) in 4: a, d always
    kept = PatternsPreserved(support=2, projections=600)(WALKS, release).value
    assert kept == pytest.approx(75, abs=4)
    assert PatternsSpurious(support=2, projections=600)(WALKS, release).value == pytest.approx(25, abs=4)
    again = PatternsPreserved(support=2, projections=600)(WALKS, release).value
    assert kept == again


def test_nothing_changed_is_nothing_lost() -> None:
    for data in (WALKS, Transactions.from_lists(["ab", "abc", "c"])):
        assert PatternsPreserved(support=2)(data, Released(data)).value == 100
        assert PatternsSpurious(support=2)(data, Released(data)).value == 0
    empty = Trajectories.from_lists([])
    assert PatternsPreserved()(WALKS, Released(empty)).value == 0
    assert PatternsSpurious()(WALKS, Released(empty)).value == 0
    assert PatternsPreserved()(empty, Released(empty)).value == 100


def test_a_generalized_item_is_any_non_empty_subset() -> None:
    data = replace(Transactions.from_lists([["g1", "z"]]), members={"g1": ("a", "b", "c")})
    rng = np.random.default_rng(3)
    seen: dict[tuple[str, ...], int] = {}
    for _ in range(1400):
        world = tuple(projected(data, rng).labels(0))
        assert world[-1] == "z"
        seen[world] = seen.get(world, 0) + 1
    assert len(seen) == 7
    assert min(seen.values()) > 140
    assert max(seen.values()) < 265


def test_a_generalized_location_is_one_member_each_time() -> None:
    data = replace(Trajectories.from_lists([["g1", "z", "g1"], []]), members={"g1": ("a", "b")})
    rng = np.random.default_rng(3)
    worlds = {tuple(projected(data, rng).labels(0)) for _ in range(60)}
    assert worlds == {(x, "z", y) for x in "ab" for y in "ab"}
    assert len(projected(data, rng)) == 2


def test_a_label_for_everything_has_more_patterns_than_can_be_counted() -> None:
    items = tuple(f"i{number:02}" for number in range(40))
    data = Transactions.from_lists([[item] for item in items])
    lost = replace(Transactions.from_lists([["any"]] * 400), members={"any": items})
    release = SimpleNamespace(data=lost, origin=None)
    with pytest.raises(DataError, match="patterns-preserved: wanted patterns with at most 4,194,304 labels"):
        PatternsPreserved()(data, release)
    assert PatternsPreserved(largest=2)(data, release).value == 100


def test_ten_trajectories_in_parts_lose_one_pattern_of_three() -> None:
    original = Trajectories.from_lists(["ab"] * 10)
    parts = Trajectories.from_lists(["a", "b"] * 10)
    for support in (0.6, 6, 1.0, 10):
        assert PatternsPreserved(support=support)(original, parts).value == pytest.approx(200 / 3)
        assert PatternsSpurious(support=support)(original, parts).value == 0
    # what only parts have often enough is spurious: 12 of 20 records are not 6 of 10
    more = Trajectories.from_lists(["a", "b"] * 5 + ["x"] * 6 + ["y"] * 5)
    assert PatternsSpurious(support=0.6)(original, more).value == 100


@pytest.mark.parametrize("support", [0.01, 0.3, 0.5, 1, 2, 3])
def test_every_shape_is_its_literal_definition(support: float) -> None:
    for case in (*walks(1), *baskets(2)):
        if case.shape == "chunks":
            continue
        kept, made_up = (kind(support=support, projections=0) for kind in (PatternsPreserved, PatternsSpurious))
        assert kept(case.original, case.published).value == pytest.approx(preserved(case.before, case.after, support))
        assert made_up(case.original, case.published).value == pytest.approx(spurious(case.before, case.after, support))


def test_chunks_are_compared_as_their_reconstructions() -> None:
    for case in baskets(3):
        if case.shape == "chunks":
            worlds_drawn = [world.to_lists() for world in case.published.reconstruct(5, seed=4)]
            shares = [preserved(case.before, world, 0.3) for world in worlds_drawn]
            measure = PatternsPreserved(support=0.3, projections=5, seed=4)
            assert measure(case.original, case.published).value == pytest.approx(np.mean(shares))


def test_the_statistics_are_those_of_all_possible_originals() -> None:
    seen = 0
    for case in walks(5, visits=2, records=4):
        if case.shape not in ("generalized", "locally recoded"):
            continue
        shares = np.array([preserved(case.before, world, 0.5) for world in worlds(case)])
        drawn = {
            statistic: PatternsPreserved(support=0.5, projections=400, statistic=statistic)(
                case.original, case.published
            ).value
            for statistic in ("mean", "median", "sd")
        }
        assert drawn["mean"] == pytest.approx(shares.mean(), abs=6)
        assert drawn["sd"] == pytest.approx(shares.std(), abs=6)
        assert shares.min() <= drawn["median"] <= shares.max()
        seen += len(set(shares.tolist())) > 1
    assert seen > 2


def test_one_possible_original_has_no_spread() -> None:
    assert PatternsPreserved(support=2, statistic="sd")(WALKS, WALKS).value == 0
    assert PatternsPreserved(support=2, statistic="median")(WALKS, WALKS).value == 100
    with pytest.raises(ParameterError, match="statistic must be one of 'mean', 'median', 'sd'"):
        PatternsPreserved(statistic="mode")


def test_statistics_of_one_measure_share_their_projections() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    rng = np.random.default_rng(7)
    drawn = [projected(release.data, rng).to_lists() for _ in range(9)]
    shares = [preserved(WALKS.to_lists(), world, 2) for world in drawn]
    for statistic, value in (("mean", np.mean), ("median", np.median), ("sd", np.std)):
        measure = PatternsPreserved(support=2, projections=9, seed=7, statistic=statistic)
        assert measure(WALKS, release).value == pytest.approx(value(shares))


def test_a_smaller_spread_is_better() -> None:
    assert PatternsPreserved().better == PatternsPreserved(statistic="median").better == "higher"
    assert PatternsPreserved(statistic="sd").better == PatternsSpurious(statistic="sd").better == "lower"
    assert PatternsPreserved(statistic="sd") == PatternsPreserved(statistic="sd")
