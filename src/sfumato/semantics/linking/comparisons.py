"""How the texts of a target are compared with the labels of a resource: whole names, words, or sets of tags.

A comparison gives each pair of a target and a resource a similarity from 0 to 1, and -1 where the pair is not accepted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.semantics.linking.similarity import Texts

__all__ = ["Comparison", "NameComparison", "TagComparison", "TextSets", "WordComparison"]

Floats = npt.NDArray[np.float64]
DECIMALS = 12  # equal similarities that were added up in another order are equal
WORD_BOUND = 0.9  # words of two names that are less similar are different words


@dataclass(frozen=True)
class TextSets:
    """Texts of numbered owners (targets or resources): the distinct texts of owner i, in the order of their names."""

    owner: Ints
    text: pl.Series
    count: int

    @classmethod
    def of(cls, owner: Ints, text: pl.Series, count: int) -> TextSets:
        """Each owner's distinct texts that are not empty; owners are numbered from 0 to count - 1."""
        frame = pl.DataFrame(
            {"owner": np.asarray(owner, dtype=np.int64), "text": text}, schema_overrides={"text": pl.String}
        )
        frame = frame.filter(pl.col("text") != "").unique().sort("owner", "text")
        return cls(frame["owner"].to_numpy(), frame["text"], count)

    @property
    def borders(self) -> Ints:
        """Where the texts of each owner begin, and the end."""
        return np.searchsorted(self.owner, np.arange(self.count + 1)).astype(np.int64)

    def words(self) -> TextSets:
        """The words of each text; the owners are the texts."""
        split = pl.DataFrame({"owner": pl.int_range(len(self.text), eager=True), "text": self.text.str.split(" ")})
        split = split.explode("text")
        return TextSets.of(split["owner"].to_numpy(), split["text"], len(self.text))


class Comparison(ABC):
    """The similarity of targets and resources, both by their numbers."""

    @abstractmethod
    def values(self, targets: Ints, resources: Ints) -> Floats:
        """The similarity of each pair, -1 where it is not accepted."""


class NameComparison(Comparison):
    """The best Jaro-Winkler similarity of a text of the target and a label of the resource, accepted from tau_t on."""

    def __init__(self, names: TextSets, labels: TextSets, tau_t: float) -> None:
        self._names, self._labels, self._tau_t = names.borders, labels.borders, tau_t
        (self._name, self._label), self._texts = _coded(names, labels)

    def values(self, targets: Ints, resources: Ints) -> Floats:
        from sfumato.kernels.texts.jaro_winkler import best_pairs

        texts = self._texts
        similar = best_pairs(
            texts.letters, texts.offsets, texts.sets, self._name, self._names, self._label, self._labels,
            targets, resources, self._tau_t,
        )  # fmt: skip
        return _accepted(similar, self._tau_t)


class WordComparison(Comparison):
    """The best soft TF-IDF of the words of a text and the words of a label, accepted from tau_t on.

    Words that many names share, such as "church of", have a low weight.
    """

    def __init__(self, names: TextSets, labels: TextSets, tau_t: float) -> None:
        self._names, self._labels, self._tau_t = names.borders, labels.borders, tau_t
        self._sets = _WeightedSets(names.words(), labels.words())

    def values(self, targets: Ints, resources: Ints) -> Floats:
        pair, name, label = _expanded(targets, resources, self._names, self._labels)
        similar = self._sets.values(name, label, WORD_BOUND)
        return _accepted(_best(np.maximum(similar, 0.0), pair, len(targets)), self._tau_t)


class TagComparison(Comparison):
    """Soft TF-IDF of the tags of the target and the labels of the resource, both whole.

    tau_t bounds each matched pair of a tag and a label; a resource is accepted if there is such a pair.
    """

    def __init__(self, tags: TextSets, labels: TextSets, tau_t: float) -> None:
        self._sets, self._tau_t = _WeightedSets(tags, labels), tau_t

    def values(self, targets: Ints, resources: Ints) -> Floats:
        return _accepted(self._sets.values(targets, resources, self._tau_t), 0.0)


class _WeightedSets:
    """Sets of texts, weighted by ln(1 + N / df) over all sets of both sides, each set to unit length."""

    def __init__(self, left: TextSets, right: TextSets) -> None:
        codes, self._texts = _coded(left, right)
        self._members = np.concatenate(codes)
        self._first_right = left.count
        self._borders = np.concatenate((left.borders[:-1], right.borders + len(codes[0])))
        sets = np.diff(self._borders)
        frequency = np.bincount(self._members, minlength=len(self._texts.offsets) - 1)
        weights = np.log1p(np.count_nonzero(sets) / frequency[self._members])
        of = np.repeat(np.arange(len(sets)), sets)
        lengths = np.sqrt(np.bincount(of, weights**2, minlength=len(sets)))
        self._weights: Floats = weights / lengths[of]

    def values(self, left: Ints, right: Ints, at_least: float) -> Floats:
        from sfumato.kernels.texts.matched_sets import matched_sets

        texts = self._texts
        values: Floats = matched_sets(
            texts.letters, texts.offsets, texts.sets, self._members, self._borders, self._weights,
            left, right + self._first_right, at_least,
        )  # fmt: skip
        return values


def _coded(*sides: TextSets) -> tuple[list[Ints], Texts]:
    """The texts of all sides as numbers, in the order of their names, and the distinct texts."""
    distinct = pl.concat([side.text for side in sides]).unique().sort()
    numbers = pl.DataFrame({"text": distinct, "code": pl.int_range(len(distinct), eager=True)})
    codes = [
        pl.DataFrame({"text": side.text})
        .join(numbers, on="text", how="left", maintain_order="left")["code"]
        .to_numpy(writable=True)
        for side in sides
    ]
    return codes, Texts.of(distinct.to_list())


def _expanded(targets: Ints, resources: Ints, names: Ints, labels: Ints) -> tuple[Ints, Ints, Ints]:
    """A row for each name of the target and each label of the resource: the pair, the name and the label."""
    rows, columns = np.diff(names)[targets], np.diff(labels)[resources]
    sizes = rows * columns
    pair = np.repeat(np.arange(len(sizes)), sizes)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    wide = columns[pair]
    return (
        pair,
        names[targets][pair] + step // np.maximum(wide, 1),
        labels[resources][pair] + step % np.maximum(wide, 1),
    )


def _best(similar: Floats, pair: Ints, count: int) -> Floats:
    """The largest similarity of each pair; -1 where the target has no text or the resource no label."""
    best = np.full(count, -1.0)
    if len(pair):
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        best[pair[first]] = np.maximum.reduceat(similar, first)
    return best


def _accepted(values: Floats, at_least: float) -> Floats:
    """The values from a bound on, rounded; -1 for the others."""
    result = np.full(len(values), -1.0)
    high = np.flatnonzero(values >= at_least - 10.0**-DECIMALS)
    rounded = values[high].round(DECIMALS)
    result[high] = np.where(rounded >= at_least, rounded, -1.0)
    return result
