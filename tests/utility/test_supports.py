"""How well the distribution of supports is kept."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.utility.supports import KlDivergence, Subtrajectories

# b and c become one label, so that each is expected in half of the three visits to it
WALKS = Trajectories.from_lists(["ab", "ab", "ac", "a"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})


@pytest.fixture
def release() -> Any:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    return release


def test_kl_by_hand(release: Any) -> None:
    true, published = [4.5, 2.5, 1.5], [4.5, 2.0, 2.0]
    p, q = [[x / sum(values) for x in values] for values in (true, published)]
    expected = sum(a * log(a / b) for a, b in zip(p, q, strict=True))
    assert KlDivergence()(WALKS, release).value == pytest.approx(expected)
    assert KlDivergence(patterns=30, largest=2)(WALKS, release).value > 0


def test_subtrajectories_by_hand(release: Any) -> None:
    # before: ab, ac; published: a g1
    assert Subtrajectories(size=2)(WALKS, release).value == 50
    assert Subtrajectories(size=1)(WALKS, release).value == pytest.approx(200 / 3)
    assert Subtrajectories(size=5)(WALKS, release).value == 100
