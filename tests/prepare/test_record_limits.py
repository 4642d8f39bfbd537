"""Limiting how many records a person has."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets import datasets
from sfumato import Positions, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare import LimitRecords, prepare

KINDS = ("trajectories", "roads", "transactions", "table", "mixed")


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data(), most=st.integers(1, 3), seed=st.integers(0, 99))
def test_nobody_keeps_more_and_nobody_is_lost(kind: str, draw: st.DataObject, most: int, seed: int) -> None:
    data = draw.draw(datasets(kind))
    who = draw.draw(st.lists(st.sampled_from("uvw"), min_size=len(data), max_size=len(data)))
    data = data.with_persons(Persons.of(who))
    step = LimitRecords(records_per_person=most, seed=seed)
    done = step.apply(data)
    had, left = Counter(who), Counter(done.data.persons.names.gather(done.data.persons.codes).to_list())
    assert left == Counter({person: min(most, count) for person, count in had.items()})
    assert done.counts == {
        "persons_cut": sum(count > most for count in had.values()),
        "records_cut": len(data) - len(done.data),
    }
    kept = step.kept_records(data.persons.codes)
    assert np.all(np.diff(kept) > 0)  # in their order
    assert done.data.to_polars().equals(data.take(kept).to_polars())


def test_each_record_stays_with_the_same_chance_and_a_seed_repeats() -> None:
    who = np.array([0, 0, 0, 1])
    stays: Counter[int] = Counter()
    for seed in range(3000):
        stays.update(LimitRecords(records_per_person=1, seed=seed).kept_records(who).tolist())
    assert stays[3] == 3000
    assert all(900 < stays[record] < 1100 for record in range(3))
    step = LimitRecords(records_per_person=2, seed=7)
    assert step.kept_records(who).tolist() == step.kept_records(who).tolist()
    drawn = {tuple(LimitRecords(records_per_person=1).kept_records(who).tolist()) for _ in range(60)}
    assert len(drawn) == 3  # without a seed it differs


def test_the_choice_does_not_depend_on_content() -> None:
    rows: list[Any] = [["a"], ["b"], ["c"]]
    step = LimitRecords(records_per_person=1, seed=4)
    one = step.apply(Trajectories.from_lists(rows, persons=list("uuu"))).data
    two = step.apply(Trajectories.from_lists([["x", "y"], ["z"], ["z"]], persons=list("uuu"))).data
    assert one.ids.to_list() == two.ids.to_list()
    assert prepare(Trajectories.from_lists(rows, persons=list("uuu")), step).counts["records_cut"] == 2


def test_refusals() -> None:
    with pytest.raises(
        MissingKnowledge, match=r"needs the person of each record, these data name none; name the column"
    ):
        LimitRecords(records_per_person=1).apply(Trajectories.from_lists([["a"]]))
    with pytest.raises(ParameterError, match=r"records_per_person must be .*1.*, got 0"):
        LimitRecords(records_per_person=0)
    points = Positions(offsets=[0], times=[], where=np.empty((0, 2)), geographic=False)
    with pytest.raises(DataError, match=r"LimitRecords: wanted trajectories, .* found Positions"):
        LimitRecords(records_per_person=1).apply(points)
