"""Top-K deviation of the most frequent itemsets: tKd, tKd-a and tKd-ML2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from sfumato.data import Chunks, Dataset, Taxonomy, Transactions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.mining import FrequentItemsets
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score

__all__ = ["TopKDeviation", "TopKDeviationCertain", "TopKMultipleLevel", "require_chunks"]

Itemsets = set[tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class _TopItemsets(Measure):
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    top: int = param(1000, at_least=1, help="number of most frequent itemsets; the paper's K")


@dataclass(frozen=True, kw_only=True)
class TopKDeviation(_TopItemsets):
    """tKd: the share of the original's most frequent itemsets that are not among the release's.

    Chunks are replaced by one random reconstruction; labels of other releases are opaque symbols.  Equation 2 of
    Terrovitis et al., PVLDB 5(10), 2012.

    Examples
    --------
    >>> from sfumato import Disassociate
    >>> baskets = Transactions.from_lists([["ale", "bread"]] * 6 + [["tea"]] * 4)
    >>> TopKDeviation(top=3)(baskets, Disassociate(k=2, m=2).anonymize(baskets)).value
    0.0
    """

    name: ClassVar[str] = "tkd"
    title: ClassVar[str] = "tKd, the top-K deviation"
    meaning: ClassVar[str] = "share of the most frequent itemsets that are no longer among the most frequent"
    formula: ClassVar[str] = "1 - |top K(original) and top K(release)| / |top K(original)|"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Eq. 2"

    seed: int = param(0, at_least=0, help="seed of the reconstruction")

    def score(self, original: Transactions, release: Released[Dataset]) -> Score:
        published = possible_original(release.data, self.seed)
        return Score(_share_lost(_most_frequent(original, self.top), _most_frequent(published, self.top)))


@dataclass(frozen=True, kw_only=True)
class TopKDeviationCertain(_TopItemsets):
    """tKd-a: the same, counting only what every possible original contains: subrecords, and each term once."""

    name: ClassVar[str] = "tkd-a"
    shapes: ClassVar[tuple[str, ...]] = ("chunks",)
    title: ClassVar[str] = "tKd-a, the top-K deviation of certain itemsets"
    meaning: ClassVar[str] = "share of the most frequent itemsets that are lost when only subrecords count"
    formula: ClassVar[str] = "1 - |top K(original) and top K(subrecords)| / |top K(original)|"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Section 7"

    def score(self, original: Transactions, release: Released[Dataset]) -> Score:
        certain = require_chunks(self, release).certain()
        return Score(_share_lost(_most_frequent(original, self.top), _most_frequent(certain, self.top)))


@dataclass(frozen=True, kw_only=True)
class TopKMultipleLevel(_TopItemsets):
    """tKd-ML2: tKd of itemsets on every level of the hierarchy of items.

    On each level items are replaced by their ancestors there, and the most frequent itemsets of that level are
    compared; a published label that stands for items of several ancestors is lost on that level.  The share is of the
    itemsets of all levels together.
    """

    name: ClassVar[str] = "tkd-ml2"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True
    title: ClassVar[str] = "tKd-ML2, the top-K multiple level mining loss"
    meaning: ClassVar[str] = "share of the most frequent itemsets lost, on all levels of the hierarchy"
    formula: ClassVar[str] = (
        "1 - (sum over levels of |top K(original) and top K(release)|) / (sum over levels of |top K(original)|)"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Section 6"

    seed: int = param(0, at_least=0, help="seed of the reconstruction")

    def score(self, original: Transactions, release: Released[Dataset]) -> Score:
        tree = original.taxonomy
        if tree is None:
            raise MissingKnowledge(
                f"{self.name}: needs a hierarchy of items, these data carry none", remedy="give-taxonomy"
            )
        published = possible_original(release.data, self.seed)
        before: set[tuple[int, tuple[str, ...]]] = set()
        after: set[tuple[int, tuple[str, ...]]] = set()
        for level in range(1, tree.height + 1):
            for data, itemsets in ((original, before), (published, after)):
                on_level = _on_level(data, tree, level)
                itemsets |= {(level, itemset) for itemset in _most_frequent(on_level, self.top)}
        return Score(_share_lost(before, after))


def require_chunks(measure: Measure, release: Released[Dataset]) -> Chunks:
    """The published chunks; refuses other data."""
    if not isinstance(release.data, Chunks):
        raise DataError(f"{measure.name}: wanted chunks, found {release.data.kind}")
    return release.data


def possible_original(data: Any, seed: int) -> Transactions:
    """One possible original of chunks; other data unchanged."""
    return data.reconstruct(1, seed=seed)[0] if isinstance(data, Chunks) else data


def _most_frequent(data: Transactions, top: int) -> Itemsets:
    """The most frequent itemsets; support counts records, because the persons of a release are not published."""
    if len(data.codes) == 0:
        return set()
    mined = FrequentItemsets(top=top).mine(data.with_persons(None))
    return {tuple(pattern) for pattern in mined["pattern"].to_list()}


def _share_lost(before: set[Any], after: set[Any]) -> float:
    return 1.0 - len(before & after) / len(before) if before else 0.0


def _on_level(data: Transactions, tree: Taxonomy, level: int) -> Transactions:
    """Replace every item by its ancestor on a level; leaves above it stay, labels of several ancestors are dropped."""
    images = [_image(name, data.members.get(name, (name,)), tree, level) for name in data.names]
    names = tuple(sorted({image for image in images if image is not None}))
    number = {name: code for code, name in enumerate(names)}
    lookup = np.array([-1 if image is None else number[image] for image in images], dtype=np.int64)
    record, codes = data.record_of_element(), lookup[data.codes] if len(images) else data.codes
    has_image = codes >= 0
    n = max(1, len(names))
    keys = np.unique(record[has_image] * n + codes[has_image])
    lengths = np.bincount(keys // n, minlength=len(data))
    return replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=keys % n,
        names=names,
        members={},
        taxonomy=None,
        sensitive=frozenset(),
    )


def _image(label: str, members: tuple[str, ...], tree: Taxonomy, level: int) -> str | None:
    """The ancestor of a label on a level; None if the label is more general than the level."""
    images = {_ancestor(node, tree, level) for node in ((label,) if label in tree else members)}
    image = images.pop() if len(images) == 1 else None
    return image if image is None or tree.depth(image) == level or tree.is_leaf(image) else None


def _ancestor(node: str, tree: Taxonomy, level: int) -> str:
    return next(ancestor for ancestor in (node, *tree.ancestors(node)) if tree.depth(ancestor) <= level)
