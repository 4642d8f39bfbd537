"""Mix against its literal twin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owned import THRESHOLDS, assert_same, dataset, owned_rows, random_rows, trajectories
from sfumato import Mix, Split
from twins import projections as twin


@settings(max_examples=120)
@given(
    given_rows=owned_rows(),
    threshold=st.sampled_from(THRESHOLDS),
    batch=st.integers(1, 3),
    candidates=st.integers(1, 3),
    fallback=st.sampled_from(["naive", "gsup"]),
)
def test_the_output_is_that_of_the_literal_twin(
    given_rows: Any, threshold: float, batch: int, candidates: int, fallback: str
) -> None:
    rows, who = given_rows
    method = Mix(threshold=threshold, batch=batch, candidates=candidates, fallback=fallback)
    release = method.anonymize(trajectories(rows, who))
    assert_same(release, twin.split(dataset(rows, who, threshold), batch, candidates, mixed=True, fallback=fallback))


@pytest.mark.parametrize(("seed", "people"), [(1, 0), (2, 0), (3, 25)])
def test_larger_data_agree_with_the_twin(seed: int, people: int) -> None:
    rows = random_rows(seed, 80)
    who = [f"p{at * 7 % people}" for at in range(len(rows))] if people else None
    release = Mix(threshold=0.5, batch=3).anonymize(trajectories(rows, who))
    assert release.counts["changes"] > 5
    assert_same(release, twin.split(dataset(rows, who, 0.5), 3, 2, mixed=True))


def test_it_splits_and_suppresses() -> None:
    data = trajectories(random_rows(5, 200), None)
    mixed, split = Mix(threshold=0.4).anonymize(data), Split(threshold=0.4).anonymize(data)
    assert 0 < mixed.counts["split_points"] < split.counts["split_points"]
    assert mixed.counts["suppressed_visits"] > 0
