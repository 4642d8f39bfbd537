"""SEQANON in rounds: many merges between two counts of all patterns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import CONSTRAINTS, PLACES, TAXONOMY, persons, records
from methods.trajectories.seqanon.test_seqanon import recoded, same
from sfumato import Places, SeqAnon, SeqAnonF, Trajectories
from sfumato.errors import Infeasible
from sfumato.methods.trajectories.seqanon import rounds as module
from sfumato.methods.trajectories.seqanon.rounds import DatasetCounts, Rounds
from sfumato.methods.trajectories.seqanon.sd_seqanon import SdSeqAnon
from sfumato.methods.trajectories.seqanon.u_seqanon import USeqAnon
from twins.seqanon import seqanon_in_rounds

KNOWLEDGE: dict[str, Any] = {"places": PLACES, "taxonomy": TAXONOMY, "constraints": CONSTRAINTS}


def city(seed: int, n: int = 400) -> Trajectories:
    rng = np.random.default_rng(seed)
    names = [f"p{number:02}" for number in range(60)]
    places = Places.planar({name: tuple(rng.integers(0, 30, 2)) for name in names})
    rows = [[names[i] for i in (rng.zipf(1.3, rng.integers(1, 6)) - 1) % 60] for _ in range(n)]
    return Trajectories.from_lists(rows, places=places, persons=[f"u{i}" for i in rng.integers(0, n // 2, n)])


@settings(max_examples=150, deadline=None)
@given(rows=records(), k=st.integers(2, 4), m=st.integers(1, 3), draw=st.data())
def test_the_output_is_that_of_the_literal_twin(rows: Any, k: int, m: int, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    if len({unit for unit, row in zip(units, rows, strict=True) if row}) < k:
        return
    expected, suppressed = seqanon_in_rounds(rows, units, PLACES, k, m)
    release = SeqAnon(k=k, m=m, rounds=True).anonymize(Trajectories.from_lists(rows, places=PLACES, persons=who))
    assert same(recoded(release), expected)
    assert release.counts["suppressed_visits"] == suppressed
    assert release.counts["suppressed_records"] == sum(not row for row in expected)
    assert release.holds


@pytest.mark.parametrize(
    "method",
    [
        SeqAnon(k=3, m=2, rounds=True, suppression=0.4),
        SeqAnonF(k=2, m=2, rounds=True),
        SdSeqAnon(k=2, m=2, rounds=True),
        USeqAnon(k=2, m=2, rounds=True, delta=99),
    ],
    ids=str,
)
@settings(max_examples=40, deadline=None)
@given(rows=records(), draw=st.data())
def test_the_variants_keep_their_promise(method: Any, rows: Any, draw: Any) -> None:
    data = replace(Trajectories.from_lists(rows, persons=draw.draw(persons(len(rows)))), **KNOWLEDGE)
    try:
        release = method.anonymize(data)
    except Infeasible:
        return
    assert release.holds
    for published, private in zip(release.data.codes, release.origin, strict=True):
        label = release.data.names[published]
        assert data.names[data.codes[private]] in release.data.members.get(label, (label,))


def test_a_city_is_merged_in_few_rounds_and_about_as_far(monkeypatch: pytest.MonkeyPatch) -> None:
    data, counted = city(1), []
    count = DatasetCounts.count
    monkeypatch.setattr(DatasetCounts, "count", lambda self, *given: counted.append(given) or count(self, *given))
    release = SeqAnon(k=3, m=2, rounds=True).anonymize(data)
    assert release.holds
    assert len(counted) < 15
    assert abs(len(release.data.names) - len(SeqAnon(k=3, m=2).anonymize(data).data.names)) <= 3


def test_a_label_is_merged_once_in_a_round() -> None:
    data, merged = city(2), []

    class Watched(Rounds):
        def _merge_round(self, *given: Any) -> bool:
            merged.append([])
            return super()._merge_round(*given)

        def _join(self, kept: int, gone: int) -> None:
            merged[-1] += [kept, gone]
            super()._join(kept, gone)

    SeqAnon(k=3, m=2).labels(lambda: Watched(data, DatasetCounts(data)), module.Run())
    assert len(merged) > 2
    assert all(pairs and Counter(pairs).most_common(1)[0][1] == 1 for pairs in merged)


def test_rare_patterns_that_are_not_looked_at_wait_for_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RARE", 3)
    release = SeqAnon(k=3, m=2, rounds=True).anonymize(city(3))
    assert release.holds
    assert release.data.members
