"""Measures of sets of items on a cluster."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Transactions
from sfumato.spark.measures.sums import Pair, added_up, holders_of
from sfumato.spark.published_data import every_label
from sfumato.utility.base import Score
from sfumato.utility.items import ItemCertaintyPenalty, UtilityLoss, image_supports, item_labels
from sfumato.utility.pair_supports import RelativeError, pair_supports
from sfumato.utility.weights import read_weights

__all__ = ["item_penalty", "pair_errors", "utility_loss"]


def item_penalty(measure: ItemCertaintyPenalty, pair: Pair) -> Score:
    """The mean cost of an occurrence of an item."""
    original, published = every_label(pair.original.side), every_label(pair.published.side)
    occurrences = holders_of(pair.original)
    if not occurrences.sum():
        return Score(0.0)
    n = max(1, len(published.names))
    image = added_up(pair.original, lambda data: image_supports(data, published), n).astype(np.int64)
    supports = np.append(holders_of(pair.published), [0] * (n - len(published.names)))
    measure.require_image(item_labels(original, published), image, supports)
    return measure.of_counts(original, published, occurrences)


def utility_loss(measure: UtilityLoss, pair: Pair) -> Score:
    """The mean loss of a record."""

    read_weights(measure.name, measure.weights)  # refuses wrong ones before the work is divided

    def work(data: Transactions) -> tuple[float, int, int]:
        return float(measure.losses(data).sum()), len(data), int(np.count_nonzero(data.lengths))

    losses, published, filled = added_up(pair.published, work, 3)
    _, _, holders = added_up(pair.original, lambda data: (0, 0, np.count_nonzero(data.lengths)), 3)
    return measure.of_sums(float(losses), int(holders), int(published), int(filled))


def pair_errors(measure: RelativeError, pair: Pair) -> Score:
    """The mean relative error of the supports of pairs, in records."""
    items = measure.items(pair.original.side.names, holders_of(pair.original))
    n = len(items) * (len(items) - 1) // 2

    def supports(data: Any, estimate: str) -> Any:
        return added_up(data, lambda part: pair_supports(part, items, estimate), n)

    return measure.of_supports(supports(pair.original, "share"), supports(pair.published, measure.estimate))
