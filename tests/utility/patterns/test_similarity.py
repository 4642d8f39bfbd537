"""SIM1 and SIM2: by hand, by the definition, and on generalized data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import BfP2ka, SeqAnon, Trajectories, Transactions
from sfumato.errors import DataError
from sfumato.utility.patterns.similarity import Sim1, Sim2
from twins.frequent_patterns import threshold
from twins.p2ka import sim1, sim2
from twins.random_releases import walks

rows = st.lists(st.lists(st.sampled_from("abcd"), max_size=4), min_size=1, max_size=10)


class Released:
    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


@settings(max_examples=200, deadline=None)
@given(before=rows, after=rows, support=st.integers(1, 4))
def test_both_are_as_defined(before: Any, after: Any, support: int) -> None:
    original, release = Trajectories.from_lists(before), Released(Trajectories.from_lists(after))
    assert Sim1(support=support)(original, release).value == pytest.approx(sim1(before, after, support))
    assert Sim2(support=support)(original, release).value == pytest.approx(sim2(before, after, support))


def test_by_hand() -> None:
    original = Trajectories.from_lists(["ab", "ab", "a", "c"])
    release = Released(Trajectories.from_lists(["ab", "ab", "ab", "x", "x"]))
    # published frequent: a, b, ab (3/5 each), x (2/5); in the original a 3/4, b and ab 2/4, x nowhere
    expected = (0.6 / 0.75 + 0.5 / 0.6 + 0.5 / 0.6 + 0) / 4
    assert Sim1(support=2)(original, release).value == pytest.approx(expected)
    assert Sim2(support=2)(original, release).value == 3 / 4
    # one visit at most: a, b, x against a, b
    assert Sim2(support=2, largest=1)(original, release).value == pytest.approx(2 / 3)


def test_the_same_is_1_and_nothing_is_0() -> None:
    data, nothing = Trajectories.from_lists(["ab", "ab"]), Trajectories.from_lists([])
    for measure in (Sim1(support=1), Sim2(support=1), Sim1(), Sim2()):
        assert measure(data, Released(data)).value == 1
        assert measure(nothing, Released(nothing)).value == 1
        assert measure(data, Released(nothing)).value == 0
        assert measure(nothing, Released(data)).value == 0


def test_persons_do_not_matter() -> None:
    walks = ["ab", "ab", "b"]
    named = Trajectories.from_lists(walks, persons=["u", "u", "u"])
    release = Released(Trajectories.from_lists(["ab", "b"]))
    assert Sim1(support=1)(named, release) == Sim1(support=1)(Trajectories.from_lists(walks), release)


def test_the_support_of_the_paper_is_k() -> None:
    walks = Trajectories.from_lists(["ab", "ab", "ab", "ac", "ac", "b"])
    release = BfP2ka(k=3).anonymize(walks)
    assert release.k == 3
    assert Sim2(at_k=True)(walks, release) != Sim2(support=1)(walks, release)
    for measure in (Sim1, Sim2):
        assert measure(at_k=True, support=1)(walks, release) == measure(support=3)(walks, release)
        with pytest.raises(DataError, match=f"{measure.name}: wanted the k of the release for at_k"):
            measure(at_k=True)(walks, Released(walks))


def test_generalized_data_are_read_through_projections() -> None:
    where = {"a": (0, 0), "b": (50, 0), "c": (51, 0), "d": (9, 9)}
    walks = Trajectories.from_lists(["ab", "ab", "ac", "d", "d"], places=where)
    release = SeqAnon(k=2, m=1).anonymize(walks)
    assert release.data.members == {"g1": ("b", "c")}
    # labels as they are: before a, b, d, ab; after a, d, g1, (a g1); g1 is nowhere in the original
    assert Sim2(support=2, projections=0)(walks, release).value == 1
    assert Sim1(support=2, projections=0)(walks, release).value == 0.5
    # always a and d; of the 8 worlds, b and ab or else c and ac; 6 worlds give two of three, 2 give three of three
    assert Sim2(support=2)(walks, release).value == 1
    worlds = [Released(Trajectories.from_lists([*(f"a{x}" for x in world), "d", "d"])) for world in _worlds()]
    expected = sum(Sim1(support=2)(walks, world).value for world in worlds) / 8
    assert Sim1(support=2, projections=800)(walks, release).value == pytest.approx(expected, abs=0.03)
    assert Sim1(support=2, seed=1)(walks, release) == Sim1(support=2, seed=1)(walks, release)


def _worlds() -> list[str]:
    return [x + y + z for x in "bc" for y in "bc" for z in "bc"]


def test_other_kinds_are_refused() -> None:
    data = Transactions.from_lists(["a"])
    with pytest.raises(DataError, match="sim1: wanted trajectories"):
        Sim1()(data, Released(data))


def test_unused_names_do_not_confuse_the_codes() -> None:
    original = Trajectories.from_lists(["abd", "abd", "c"])
    cut = replace(original, members={}).take([0, 1]).with_used_names()
    assert cut.names != original.names
    assert Sim1(support=2)(original, Released(cut)).value == pytest.approx(2 / 3)


@pytest.mark.parametrize("support", [0.2, 0.5, 2])
def test_a_share_is_of_the_original_records_for_every_shape(support: float) -> None:
    for case in walks(7):
        least = threshold(support, case.before)
        for measure, definition in ((Sim1, sim1), (Sim2, sim2)):
            value = measure(support=support, projections=0)(case.original, case.published).value
            assert value == pytest.approx(definition(case.before, case.after, least))


def test_parts_of_trajectories() -> None:
    original, parts = Trajectories.from_lists(["ab"] * 10), Trajectories.from_lists(["a", "b"] * 10)
    assert Sim2(support=0.6)(original, parts).value == pytest.approx(2 / 3)
