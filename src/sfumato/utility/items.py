"""Information loss of generalized items: the normalized certainty penalty and the utility loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Mixed, Transactions
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.weights import label_weights, read_weights

__all__ = [
    "INTACT",
    "ItemCertaintyPenalty",
    "UtilityLoss",
    "image_supports",
    "item_labels",
    "occurrence_losses",
    "record_losses",
]

INTACT = ("free", "printed")
"""What an item that is published as it is costs in UL: nothing, or what the printed formula charges."""


@dataclass(frozen=True, kw_only=True)
class ItemCertaintyPenalty(Measure):
    """The normalized certainty penalty of items, averaged over all their occurrences in the original.

    An occurrence under a label of n > 1 items costs n / N, an unchanged occurrence 0, a suppressed occurrence 1.  N is
    the number of all items: the leaves of the hierarchy or, without one, the items of the original.

    Examples
    --------
    >>> from sfumato import AprioriAnon, Taxonomy
    >>> food = Taxonomy({"food": None, "fruit": "food", "bread": "food", "apple": "fruit", "fig": "fruit"})
    >>> baskets = Transactions.from_lists([["apple", "bread"], ["fig", "bread"]], taxonomy=food)
    >>> ItemCertaintyPenalty()(baskets, AprioriAnon(k=2, m=2).anonymize(baskets)).value  # 2 of 4 under 2 of 3 items
    0.3333333333333333
    """

    name: ClassVar[str] = "item-ncp"
    needs_run_for: ClassVar[str] = (
        "of releases that publish an item under several labels, or suppress it in some records"
    )
    title: ClassVar[str] = "NCP of items"
    meaning: ClassVar[str] = "mean share of all items that a published item may stand for"
    formula: ClassVar[str] = (
        "mean over occurrences of items under the label / all items (0 for one item, 1 if suppressed)"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 20(1), 2011"
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    shapes: ClassVar[tuple[str, ...]] = ("transactions",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    reads_hierarchy: ClassVar[bool] = True

    def score(self, original: Transactions, release: Released[Dataset]) -> Score:
        published = _transactions(self.name, release.data)
        if len(original.codes) == 0:
            return Score(0.0)
        labels, loss = item_labels(original, published), occurrence_losses(original, published)
        if release.origin is None:
            supports = np.bincount(published.codes, minlength=max(1, len(published.names)))
            self.require_image(labels, image_supports(original, published), supports)
            return Score(float(loss[_only_labels(labels)[original.codes]].mean()))
        record = _published_record(original, published, release.origin)
        n_labels = max(1, len(published.names))
        keys = np.unique(published.record_of_element().astype(np.int64) * n_labels + published.codes)
        used = np.full(len(original.codes), -1, dtype=np.int64)
        for rank in range(max(map(len, labels), default=0)):
            label = np.array([codes[rank] if rank < len(codes) else -1 for codes in labels])[original.codes]
            is_used = (used < 0) & (label >= 0) & (record >= 0) & np.isin(record * n_labels + label, keys)
            used[is_used] = label[is_used]
        return Score(float(loss[used].mean()))

    def of_counts(self, original: Transactions, published: Transactions, occurrences: Ints) -> Score:
        """The value where every item has one label, given how often each original item occurs."""
        loss = occurrence_losses(original, published)[_only_labels(item_labels(original, published))]
        total = int(occurrences.sum())
        return Score(float(loss @ occurrences) / total if total else 0.0)

    def require_image(self, labels: list[list[int]], image: Ints, published: Ints) -> None:
        """Refuse a release that is not the original with one label for each item.

        image, published : the support that each label has then, and the one that it has in the release.
        """
        if np.array_equal(image, published) and all(len(codes) <= 1 for codes in labels):
            return
        raise DataError(
            f"{self.name}: items are published under several labels or suppressed in some records, so it needs the "
            "run itself",
            remedy="measure-the-run",
            measure=self.name,
        )


@dataclass(frozen=True, kw_only=True)
class UtilityLoss(Measure):
    """The utility loss of itemsets: how many itemsets the labels of a record may stand for, relative to the most.

    A label of n > 1 items costs 2^n - 1, the number of sets it may stand for; the sum over a record is divided by
    2^s - 1 for the s items that its labels stand for together, and averaged over the published records and those that
    were suppressed.  A record of which no item is published, although it had some, costs 1.  The cost of a label is
    weighted by the mean weight of its items.

    An item that is published as it is costs nothing, so that unchanged data have no loss.  The printed formula charges
    2^1 - 1 for it, too: ``intact="printed"``.

    Examples
    --------
    >>> from dataclasses import replace
    >>> baskets = Transactions.from_lists([["g", "tea"], ["tea"]])
    >>> class Release:
    ...     data = replace(baskets, members={"g": ("ale", "bread")})
    ...     origin = None
    >>> round(UtilityLoss()(baskets, Release()).value, 6)  # 3 / 7 in the first record, 0 in the second
    0.214286
    >>> round(UtilityLoss(intact="printed")(baskets, Release()).value, 6)  # (3 + 1) / 7 and 1 / 1
    0.785714
    """

    name: ClassVar[str] = "ul"
    title: ClassVar[str] = "UL, the utility loss of items"
    meaning: ClassVar[str] = "number of itemsets that labels may stand for, relative to the largest possible number"
    formula: ClassVar[str] = (
        "mean over records of the sum over labels of (2^items - 1) * weight / (2^(items of all labels) - 1), over "
        "labels of several items (with intact=printed, over all); 1 for a record of which no item is published"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Loukides et al., KAIS 28(2), 2011; Poulis et al., ECML PKDD 2013, Section 5"
    kinds: ClassVar[tuple[str, ...]] = ("transactions", "mixed")
    shapes: ClassVar[tuple[str, ...]] = ("transactions", "mixed")
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    weights: str = param("", help="weights of items from 0 to 1, such as flu=1,hiv=0.5; 1 for other items")
    intact: str = param(
        "free", choices=INTACT, help="what an unchanged item costs: nothing, or what the printed formula charges"
    )

    def score(self, original: Dataset, release: Released[Dataset]) -> Score:
        private, published = _transactions(self.name, original), _transactions(self.name, release.data)
        holders, published_holders = (int(np.count_nonzero(data.lengths)) for data in (private, published))
        return self.of_sums(float(self.losses(published).sum()), holders, len(published), published_holders)

    def of_sums(self, losses: float, holders: int, published: int, published_holders: int) -> Score:
        """The value, given the sum of the published records' losses, and numbers of records; holders have an item."""
        n_records = max(holders, published)
        return Score((losses + max(0, holders - published_holders)) / n_records if n_records else 0.0)

    def losses(self, published: Transactions) -> npt.NDArray[np.float64]:
        """The loss of each published record."""
        weights = read_weights(self.name, self.weights)
        groups = [published.members.get(label, (label,)) for label in published.names]
        size = _sizes(published)[published.codes].astype(np.float64)
        weight = label_weights(weights, groups)[published.codes] if weights else np.ones(len(size))
        record = published.record_of_element()
        return record_losses(size, record, len(published), weight, charge_intact=self.intact == "printed")


def record_losses(
    size: npt.NDArray[np.float64],
    record: Ints,
    n_records: int,
    weight: npt.NDArray[np.float64],
    *,
    charge_intact: bool = False,
) -> npt.NDArray[np.float64]:
    """The utility loss of each record, from the size and the weight of each of its labels.

    charge_intact : whether a label of one item costs 2^1 - 1, as the printed formula says, and not 0.
    """
    record_size = np.bincount(record, weights=size, minlength=n_records)[record]
    # (2^size - 1) / (2^record_size - 1) without overflow
    share = weight * (np.exp2(size - record_size) - np.exp2(-record_size)) / (1 - np.exp2(-record_size))
    is_charged = size > (0 if charge_intact else 1)
    return np.asarray(np.bincount(record[is_charged], weights=share[is_charged], minlength=n_records), dtype=np.float64)


def _transactions(name: str, data: Dataset) -> Transactions:
    if isinstance(data, Mixed):
        return data.items
    if not isinstance(data, Transactions):
        raise DataError(f"{name}: wanted published itemsets, found {data.kind}")
    return data


def _sizes(published: Transactions) -> npt.NDArray[np.int64]:
    """The number of items that each label stands for."""
    return np.array([len(published.members.get(label, (label,))) for label in published.names], dtype=np.int64)


def item_labels(original: Transactions, published: Transactions) -> list[list[int]]:
    """The labels that may stand for each item of the original."""
    number = {name: code for code, name in enumerate(original.names)}
    labels: list[list[int]] = [[] for _ in original.names]
    for code, label in enumerate(published.names):
        for member in published.members.get(label, (label,)):
            if member in number:
                labels[number[member]].append(code)
    return labels


def _only_labels(labels: list[list[int]]) -> Ints:
    """The label of each item, -1 where it has none."""
    return np.array([codes[0] if codes else -1 for codes in labels], dtype=np.int64)


def image_supports(original: Transactions, published: Transactions) -> Ints:
    """How many original records have an item of each published label; of items with several labels, the first."""
    label = _only_labels(item_labels(original, published))[original.codes]
    n_labels = max(1, len(published.names))
    pairs = np.unique(original.record_of_element()[label >= 0].astype(np.int64) * n_labels + label[label >= 0])
    return np.bincount(pairs % n_labels, minlength=n_labels)


def occurrence_losses(original: Transactions, published: Transactions) -> npt.NDArray[np.float64]:
    """What an occurrence under each published label costs, and in the last place one under none."""
    sizes = _sizes(published)
    domain = len(original.names) if original.taxonomy is None else len(original.taxonomy.leaves)
    return np.append(np.where(sizes > 1, sizes / domain, 0.0), 1.0)


def _published_record(original: Transactions, published: Transactions, origin: Ints) -> Ints:
    """The published record of each occurrence in the original, -1 where its record is not published."""
    record_of = np.full(len(original), -1, dtype=np.int64)
    record_of[original.record_of_element()[origin]] = published.record_of_element()
    return record_of[original.record_of_element()]
