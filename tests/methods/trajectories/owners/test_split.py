"""Split against its literal twin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owned import THRESHOLDS, assert_same, dataset, owned_rows, random_rows, trajectories
from sfumato import Split
from sfumato.errors import ParameterError
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
    method = Split(threshold=threshold, batch=batch, candidates=candidates, fallback=fallback)
    release = method.anonymize(trajectories(rows, who))
    assert_same(release, twin.split(dataset(rows, who, threshold), batch, candidates, fallback=fallback))


@pytest.mark.parametrize(("seed", "people"), [(1, 0), (2, 0), (3, 25)])
def test_larger_data_agree_with_the_twin(seed: int, people: int) -> None:
    rows = random_rows(seed, 80)
    who = [f"p{at * 7 % people}" for at in range(len(rows))] if people else None
    release = Split(threshold=0.5, batch=3).anonymize(trajectories(rows, who))
    assert release.counts["changes"] > 5
    assert_same(release, twin.split(dataset(rows, who, 0.5), 3, 2))


@settings(max_examples=60)
@given(given_rows=owned_rows(), threshold=st.sampled_from(THRESHOLDS))
def test_every_visit_stays(given_rows: Any, threshold: float) -> None:
    rows, who = given_rows
    release = Split(threshold=threshold).anonymize(trajectories(rows, who))
    assert sorted(release.origin.tolist()) == list(range(len(release.original.codes)))
    assert release.counts["suppressed_visits"] == 0
    assert release.counts["suppressed_records"] == rows.count([])
    filled = sum(bool(row) for row in rows)
    assert release.counts["split_points"] == len(release.data) - filled


def test_pieces_are_stretches_of_their_trajectory() -> None:
    release = Split(threshold=0.3).anonymize(trajectories(random_rows(4, 60), None))
    for begin, end in zip(release.data.offsets, release.data.offsets[1:], strict=False):
        origin = release.origin[begin:end]
        assert (origin[1:] - origin[:-1] == 1).all()


def test_one_person_hides_nobody_so_the_naive_split_is_what_is_left() -> None:
    release = Split(threshold=0.5).anonymize(trajectories([["a1", "b1", "b2", "a2"]] * 3, ["p"] * 3))
    assert release.holds
    assert all(len({label[0] for label in row}) == 1 for row in release.data.to_lists())


def test_a_cut_that_only_moves_a_problem_is_made_before_a_fall_back() -> None:
    release = Split(threshold=0.5).anonymize(trajectories([["u1", "a1", "u1"]], None))
    assert release.data.to_lists() == [["a1"], ["u1"], ["u1"]]
    assert release.counts["changes"] == release.counts["split_points"] == 2
    assert "fallback_changes" not in release.counts


def test_single_cuts_go_on_after_a_fall_back_which_is_explained() -> None:
    fallen = resumed = 0
    for seed in range(200):
        release = Split(threshold=0.2).anonymize(trajectories(random_rows(seed, 14), None))
        total, by_fallback = release.counts["changes"], release.counts.get("fallback_changes", 0)
        fallen += by_fallback > 0
        resumed += by_fallback > 0 and total > release.counts["fallback_after_changes"] + by_fallback
        assert bool(release.notes) == (by_fallback > 0.05 * total)
        if release.notes:
            assert f"the naive split made {by_fallback} of {total} changes" in release.notes[0]
    assert fallen > resumed > 0


def test_a_fall_back_keeps_every_visit_unless_it_is_gsup() -> None:
    kept = lost = 0
    for seed in range(40):
        data = trajectories(random_rows(seed, 14), None)
        kept += Split(threshold=0.2).anonymize(data).counts["suppressed_visits"]
        lost += Split(threshold=0.2, fallback="gsup").anonymize(data).counts["suppressed_visits"]
    assert kept == 0 < lost


def test_an_unknown_fall_back_is_refused() -> None:
    with pytest.raises(ParameterError, match="Split: fallback must be one of 'naive', 'gsup', got 'none'"):
        Split(fallback="none")
