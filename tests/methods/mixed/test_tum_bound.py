"""Tum-BOUND: the bound on items, each merge kept, and the refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mixed_people import people
from sfumato import Mixed, RFirst, Table, Taxonomy, Transactions, TumBound
from sfumato.errors import Infeasible, ParameterError
from sfumato.methods.mixed.row_losses import ROW_LOSSES
from sfumato.utility.items import UtilityLoss


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("btd", [True, False])
def test_the_items_lose_at_most_delta(merge: str, btd: bool) -> None:
    for chance in range(2):
        data = people(50, chance=chance)
        begun = RFirst(k=3, m=2, relational="local").anonymize(data)
        bound = 0.7 * UtilityLoss()(data, begun).value
        release = TumBound(k=3, m=2, delta=bound, merge=merge, btd=btd, relational="local").anonymize(data)
        assert UtilityLoss()(data, release).value <= bound
        assert release.counts["merges"] > 0
        assert release.holds


@pytest.mark.parametrize("row_loss", ROW_LOSSES)
def test_the_printed_formula_is_bounded_by_any_measure_of_rows(row_loss: str) -> None:
    data = people(50, chance=1)
    data = data.take(np.flatnonzero(data.items.lengths > 1))
    method = TumBound(k=3, m=2, delta=1, intact="printed", row_loss=row_loss, relational="local")
    assert method.losses_by_merge(data) == [pytest.approx(_printed(data, method.anonymize(data)))]
    bound = 0.95 * method.losses_by_merge(data)[0]
    release = replace(method, delta=bound).anonymize(data)
    assert _printed(data, release) <= bound
    assert UtilityLoss()(data, release).value < _printed(data, release)
    losses = replace(method, delta=bound).losses_by_merge(data)
    assert losses[-1] <= bound < min(losses[:-1])
    assert release.counts["merges"] == len(losses) - 1 > 0


def _printed(data: Mixed, release: Any) -> float:
    return UtilityLoss(intact="printed")(data, release).value


def test_a_bound_that_holds_at_once_changes_nothing() -> None:
    data = people(50)
    one = TumBound(k=3, m=2, delta=1, relational="local").anonymize(data)
    assert one.to_polars().equals(RFirst(k=3, m=2, relational="local").anonymize(data).to_polars())


def test_a_tighter_bound_merges_more() -> None:
    data = people(60)
    merges = [
        TumBound(k=3, m=2, delta=delta, merge="r", relational="local").anonymize(data).counts["merges"]
        for delta in (0.5, 0.4, 0.3)
    ]
    assert merges == sorted(merges)
    assert merges[0] < merges[-1]


def test_weights_of_items_count() -> None:
    data = people(50)
    data = data.take(np.flatnonzero(data.items.lengths > 0))
    every = ",".join(f"{name}=0" for name in ("flu", "cough", "gout", "ache", "hiv"))
    assert TumBound(k=3, m=2, delta=0, item_weights=every).anonymize(data, seed=1).counts["merges"] == 0
    assert TumBound(k=3, m=2, delta=0.2).anonymize(data, seed=1).counts["merges"] > 0


def test_a_bound_that_cannot_be_met_says_what_was_reached() -> None:
    with pytest.raises(
        Infeasible, match=r"^tum-bound: delta=0 cannot be met, the best loss reached is 0?\.?\d+.* down to 1 cluster"
    ):
        TumBound(k=15, m=3, delta=0).anonymize(people(30), seed=1)


def test_delta_is_a_share() -> None:
    with pytest.raises(ParameterError, match=r"^TumBound: delta must be a number of at least 0 and at most 1, got 2$"):
        TumBound(k=2, m=2, delta=2)


@pytest.mark.parametrize("intact", ["free", "printed"])
@pytest.mark.parametrize("seed", range(6))
def test_the_last_loss_is_that_of_the_release(seed: int, intact: str) -> None:
    """Records whose items are all suppressed count in the measure as they do in the bound."""
    method = TumBound(k=4, m=2, delta=0.7, intact=intact)
    data = people(40, chance=seed)
    measured = UtilityLoss(intact=intact)(data, method.anonymize(data, seed=1)).value
    assert measured == pytest.approx(method.losses_by_merge(data, seed=1)[-1])


def test_a_record_without_its_items_is_lost() -> None:
    tree = Taxonomy({"*": None, "a": "*", "b": "*"})
    data = Mixed(Table({"age": [1, 1]}), Transactions.from_lists([["a"], []], taxonomy=tree))
    method = TumBound(k=2, m=1, delta=1)
    assert method.losses_by_merge(data) == [0.5]
    assert UtilityLoss()(data, method.anonymize(data)).value == 0.5
