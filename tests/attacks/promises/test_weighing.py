"""A promise that does not hold is beaten by an attack inside its assumptions, and by no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sfumato.attacks import AttackSetting, Exposed, weigh
from sfumato.data import Chunks, Mixed, Places, Policy, Table, Taxonomy, Trajectories, Transactions
from sfumato.privacy import (
    CSafety,
    KAnonymity,
    KkmAnonymity,
    KlmAnonymity,
    KlmDiversity,
    KmAnonymity,
    LDiversity,
    LmDiversity,
    PolicyProtection,
    ProjectionSafety,
    ReconstructionAnonymity,
    SequenceKAnonymity,
    TCloseness,
)

SHOPS = Places.from_frame({"location": ["a", "b", "s"], "owner": ["A", "B", "B"], "sensitive": [False, False, True]})
TREE = Taxonomy(
    {"all": None, "a": "all", "b": "all", "clinic": "all", "s": "clinic", "t": "clinic"}, sensitive=["clinic"]
)
WALKS = Trajectories.from_lists([["a", "s"], ["a", "s"], ["a", "b"], ["b"]], places=SHOPS, taxonomy=TREE)
BASKETS = Transactions.from_lists([["a", "s"], ["a", "b"], ["a", "b"], ["b"]], sensitive=["s"])
PEOPLE = Table({"age": [30, 30, 31], "ill": ["x", "x", "y"]}, sensitive=("ill",))
MIXED = Mixed.from_frame({"age": [30, 30, 30], "items": ["a s", "a", "b"]}).with_sensitive(["s"])
CHUNKS = Chunks.of([{"size": 4, "chunks": [[["a"], ["a"], ["a"]]], "terms": ["b", "s"]}])


CASES: list[tuple[Any, Any, list[bool]]] = [
    (WALKS, KmAnonymity(k=2, m=1), [False]),
    (WALKS, KmAnonymity(k=2, m=2), [True]),
    (BASKETS, KmAnonymity(k=2, m=1), [True]),
    (WALKS, KlmAnonymity(k=2, l=2, m=1), [True, False]),
    (WALKS, KlmAnonymity(k=3, l=2, m=1), [True, True]),
    (BASKETS, LmDiversity(l=3, m=1), [False]),
    (BASKETS, LmDiversity(l=4, m=1), [True]),
    (PEOPLE, KAnonymity(k=2), [True]),
    (PEOPLE.take(np.arange(2)), KAnonymity(k=2), [False]),
    (PEOPLE.take(np.arange(2)), LDiversity(l=2), [True]),
    (PEOPLE, TCloseness(t=0.3), [True]),
    (PEOPLE, TCloseness(t=0.7), [False]),
    (MIXED, KkmAnonymity(k=2, m=1), [True]),
    (MIXED, KlmDiversity(k=2, l=3, m=1), [True, True]),
    (WALKS, CSafety(c=0.5), [True]),
    (WALKS, CSafety(c=0.9), [False]),
    (WALKS, ProjectionSafety(threshold=0.5), [True]),
    (WALKS, ProjectionSafety(threshold=1.0), [False]),
    (WALKS, SequenceKAnonymity(k=1 + 1), [True]),
    (WALKS.take(np.arange(2)), SequenceKAnonymity(k=2), [False]),
]


@pytest.mark.parametrize(("data", "model", "beaten"), CASES, ids=[str(case[1]) for case in CASES])
def test_beaten_or_held(data: Any, model: Any, beaten: list[bool]) -> None:
    published, order = data.published()
    setting = AttackSetting.of(data, Exposed(published, order, (model,), data.unit))
    found = weigh(setting, seed=1)
    assert [one.beaten for one in found] == beaten, found
    assert all(one.to_json()["model"] == model.name for one in found)
    if model.name != "sequence-k":
        assert model.check(published, data).holds is not any(beaten)


def test_chunks_and_policies() -> None:
    setting = AttackSetting.of(BASKETS, Exposed(CHUNKS, None, (ReconstructionAnonymity(k=3, m=2),)))
    assert [(one.measured, one.beaten) for one in weigh(setting, seed=1)] == [("3", False)]
    protected = BASKETS.with_policies(privacy=Policy([["a", "s"]]))
    setting = AttackSetting.of(protected, Exposed(protected.published()[0], None, (PolicyProtection(k=2),)))
    assert [(one.measured, one.beaten) for one in weigh(setting, seed=1)] == [("1", True)]
    everything = BASKETS.with_policies(privacy=Policy(size=1))
    setting = AttackSetting.of(everything, Exposed(everything.published()[0], None, (PolicyProtection(k=2),)))
    assert [one.beaten for one in weigh(setting, seed=1)] == [True]
    nothing = AttackSetting.of(BASKETS, Exposed(BASKETS.published()[0], None, (PolicyProtection(k=2),)))
    assert [one.verdict for one in weigh(nothing)] == ["not measured"]


def test_records_are_told_from_persons() -> None:
    walks = Trajectories.from_lists([["a"], ["a"], ["a", "b"]], persons=["ann", "ann", "ann"])
    cut = Trajectories.from_lists([["a"], ["a"]])
    model = KmAnonymity(k=2, m=1)
    by_person = AttackSetting.of(walks, Exposed(cut, np.array([0, 1]), (model,), "person"))
    assert [(one.measured, one.beaten) for one in weigh(by_person, seed=1)] == [("1", True)]
    by_record = AttackSetting.of(walks, Exposed(cut, None, (model,), "person"))
    (one,) = weigh(by_record, seed=1)
    assert (one.measured, one.beaten) == ("2", False)
    assert one.note.startswith("counted in records")
