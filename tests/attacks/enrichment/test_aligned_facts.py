"""Facts aligned to names: opening hours in windows of the week and of the day, slots, events, popularity."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato.attacks.enrichment.aligned_facts import AlignedFacts
from sfumato.attacks.enrichment.time_windows import Window, slot_windows, time_windows
from sfumato.data import Places
from sfumato.semantics.publishing.place_facts import WEEK_S, PlaceFacts

DAY = 86_400


@pytest.mark.parametrize("seed", range(30))
def test_windows_as_minute_by_minute(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opens = rng.integers(0, 7 * 24 * 4, 3) * 900
    closes = opens + rng.integers(1, 30 * 4, 3) * 900
    facts = PlaceFacts.of(hours=pl.DataFrame({"place": ["a"] * 3, "opens_s": opens, "closes_s": closes}))
    aligned = AlignedFacts(("a", "b"), facts)
    minutes = {int(second) % WEEK_S for low, high in zip(opens, closes, strict=True) for second in range(low, high, 60)}
    for daily in (False, True):
        cycle = DAY if daily else WEEK_S
        window = Window(float(rng.integers(0, cycle // 900) * 900), float(rng.integers(1, 9) * 900), daily)
        spans = range(int(window.begin), int(window.begin + window.length), 60)
        days = range(7) if daily else range(1)
        hit = any((second + day * DAY) % WEEK_S in minutes for second in spans for day in days)
        assert aligned.open_in(window).tolist() == [hit, True]


def test_a_slot_has_the_facts_of_its_place() -> None:
    facts = PlaceFacts.of(
        hours={"place": ["a"], "opens_s": [9 * 3600], "closes_s": [12 * 3600]},
        popularity={"place": ["a", "x@home"], "popularity": [4, 0]},
        categories={"place": ["a"], "category": ["cafe"]},
        places=Places.planar({"a": (3, 4)}),
        sensitive=["a"],
    )
    aligned = AlignedFacts(("a@08", "a@11", "b", "x@home"), facts)
    assert aligned.open_in_slot.tolist() == [False, True, True, True]
    assert aligned.popularity.tolist()[:2] == [4.0, 4.0]
    assert np.isnan(aligned.popularity[2])
    assert aligned.popularity[3] == 2.0  # 0 counts as half of the smallest number above 0
    assert aligned.category[1].tolist() == [0, 0, -1, -1]
    assert aligned.sensitive.tolist() == [True, True, False, False]
    assert aligned.points[0].tolist() == [3.0, 4.0, 0.0]
    assert aligned.known.tolist() == [True, True, False, True]


def test_the_length_of_slots_is_the_longest_that_fits() -> None:
    kinds, codes = slot_windows(("a@14:30", "a@15:00", "b", "c@99"))
    assert [(window.begin, window.length) for window in kinds] == [(52_200.0, 1800.0), (54_000.0, 1800.0)]
    assert codes.tolist() == [0, 1, -1, -1]
    assert slot_windows(("a",)) == ((), pytest.approx([-1]))


def test_an_event_overlaps_for_more_than_an_instant() -> None:
    facts = PlaceFacts.of(events={"place": ["a"], "begin": [100], "end": [200]})
    aligned = AlignedFacts(("a", "b"), facts)
    assert aligned.events_during(150, 160).tolist() == [True, False]
    assert not aligned.events_during(200, 300).any()


def test_local_time_of_the_week() -> None:
    windows = time_windows(np.array([4 * DAY + 3600.0]), 1800, -2)  # Monday 1:00 UTC, Sunday 23:00 there
    assert windows.kinds == (Window(6 * DAY + 23 * 3600.0, 1800.0),)
