"""Data whose places have owners, and what the literal twins make of them; for the tests of methods against owners."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from sfumato import Places, Trajectories
from twins import projections as twin

OWNERS = {"a1": "A", "a2": "A", "a3": "A", "b1": "B", "b2": "B", "c1": "C"}  # nobody owns u1
PLACES = Places.from_frame({"location": [*OWNERS, "u1"], "owner": [*OWNERS.values(), None]})
THRESHOLDS = (0.2, 0.3, 0.5, 2 / 3, 0.9, 1.0)

# Figure 1a of the paper
WALKS = ["a1 b2 b3", "b1 a2 b2 a3", "a2 b3 a3", "a2 a3 b1", "a3 a1 b1", "a3 a1 b1", "a3 b2 a1", "a3 b2 b3"]


def figure_1a() -> Trajectories:
    names = ["a1", "a2", "a3", "b1", "b2", "b3"]
    places = Places.from_frame({"location": names, "owner": [name[0].upper() for name in names]})
    return Trajectories.from_lists([walk.split() for walk in WALKS], places=places)


@st.composite
def owned_rows(draw: Any) -> tuple[list[list[str]], list[str] | None]:
    """Trajectories with repeated visits and empty ones among them, and perhaps their persons."""
    names = sorted(PLACES.frame["location"].to_list())[: draw(st.integers(3, 7))]
    rows = draw(st.lists(st.lists(st.sampled_from(names), max_size=6), min_size=1, max_size=16))
    who = draw(st.none() | st.lists(st.sampled_from("uvwxyz"), min_size=len(rows), max_size=len(rows)))
    return rows, who


def random_rows(seed: int, number: int, *, alike: bool = False) -> list[list[str]]:
    """Larger random data; some places are more popular than others, or all are alike."""
    rng = np.random.default_rng(seed)
    names = PLACES.frame["location"].to_list()
    lengths = rng.integers(0, 6, number)
    draws = (rng.integers(0, 7, length) if alike else (rng.zipf(1.5, length) - 1) % 7 for length in lengths)
    return [[names[at] for at in drawn] for drawn in draws]


def trajectories(rows: list[list[str]], who: list[str] | None) -> Trajectories:
    return Trajectories.from_lists(rows, persons=who, places=PLACES)


def dataset(rows: list[list[str]], who: list[str] | None, threshold: float) -> twin.Dataset:
    return twin.Dataset(rows, who, OWNERS, threshold)


def assert_same(release: Any, expected: twin.Dataset) -> None:
    """The method's release is what the twin made, and every figure of its report is the twin's."""
    assert release.holds
    assert release.data.to_lists() == expected.rows()
    counts = release.counts
    assert counts["changes"] == expected.counts["changes"]
    assert counts["split_points"] == expected.counts["split_points"]
    assert counts.get("fallback_changes", 0) == expected.counts["fallback_changes"]
    assert counts.get("fallback_after_changes") == expected.fallback_after
    visits = sum(len(visits) for visits, _ in expected.pieces)
    assert counts["suppressed_visits"] == len(release.original.codes) - visits
    for published, private in zip(release.data.codes, release.origin, strict=True):
        assert release.data.names[published] == release.original.names[release.original.codes[private]]
    assert len(set(release.origin.tolist())) == len(release.origin)


def shuffles(rows: list[list[str]], who: list[str] | None, seed: int) -> Trajectories:
    """The same records in another private order, with other names of persons."""
    order = np.random.default_rng(seed).permutation(len(rows))
    names = None if who is None else dict(zip(sorted(set(who)), sorted(set(who), reverse=True), strict=True))
    people = None if who is None or names is None else [names[who[at]] for at in order]
    return trajectories([rows[at] for at in order], people)
