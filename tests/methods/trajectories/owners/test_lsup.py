"""Lsup against its literal twin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owned import THRESHOLDS, assert_same, dataset, owned_rows, random_rows, trajectories
from sfumato import Lsup
from twins import projections as twin


@settings(max_examples=120)
@given(given_rows=owned_rows(), threshold=st.sampled_from(THRESHOLDS), batch=st.integers(1, 4))
def test_the_output_is_that_of_the_literal_twin(given_rows: Any, threshold: float, batch: int) -> None:
    rows, who = given_rows
    release = Lsup(threshold=threshold, batch=batch).anonymize(trajectories(rows, who))
    assert_same(release, twin.lsup(dataset(rows, who, threshold), batch))


@pytest.mark.parametrize(("seed", "people"), [(1, 0), (2, 0), (3, 25)])
def test_larger_data_agree_with_the_twin(seed: int, people: int) -> None:
    rows = random_rows(seed, 80)
    who = [f"p{at * 7 % people}" for at in range(len(rows))] if people else None
    release = Lsup(threshold=0.5, batch=3).anonymize(trajectories(rows, who))
    assert release.counts["changes"] > 5
    assert_same(release, twin.lsup(dataset(rows, who, 0.5), 3))


def test_all_visits_to_a_place_go_together() -> None:
    release = Lsup(threshold=0.5).anonymize(trajectories([["a1", "b1", "a1"], ["b1"], ["b1"]], None))
    assert release.holds
    assert all(row.count("a1") in (0, 2) for row in release.data.to_lists())
    assert release.counts["split_records"] == 0


def test_a_fall_back_that_took_over_is_explained() -> None:
    found = []
    for seed in range(60):
        rows = random_rows(seed, 40, alike=True)
        release = Lsup(threshold=0.5, batch=1).anonymize(trajectories(rows, None))
        found += [release] if "fallback_changes" in release.counts else []
        share = release.counts.get("fallback_changes", 0) / max(1, release.counts["changes"])
        assert bool(release.notes) == (share > 0.05 or release.counts["changes"] == 0)
    assert found
    said = next(release for release in found if release.notes)
    assert f"GSUP made {said.counts['fallback_changes']} of {said.counts['changes']} changes" in said.notes[0]
    assert said.report()["notes"] == list(said.notes)
