"""The similarity of two names: both in plain letters, then Jaro-Winkler.

The values follow the definition with half transpositions and without a lower bound for the bonus of a common prefix.
Libraries differ from it: rapidfuzz rounds transpositions down and gives the bonus only above 0.7.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints

__all__ = ["Texts", "jaro_winkler", "plain", "plain_column", "similarities"]

Floats = npt.NDArray[np.float64]


def plain(text: str) -> str:
    """The text in lower case, without accents and punctuation, words separated by single blanks.

    >>> plain("  Pão de Açúcar (Sugar-Loaf) ")
    'pao de acucar sugar loaf'
    """
    letters = text.casefold()
    if not letters.isascii():
        parts = unicodedata.normalize("NFKD", letters).casefold()
        letters = "".join(part for part in parts if not unicodedata.combining(part))
    return " ".join("".join(part if part.isalnum() else " " for part in letters).split())


def plain_column(texts: pl.Series) -> pl.Series:
    """`plain` of every text of a column; a missing text stays missing.  Each distinct text is changed once."""
    distinct = texts.unique().drop_nulls()
    changed = pl.Series([plain(text) for text in distinct.to_list()], dtype=pl.String)
    return texts.replace_strict(distinct, changed, default=None, return_dtype=pl.String)


@dataclass(frozen=True)
class Texts:
    """Texts as code points, one after the other, for compiled loops."""

    letters: npt.NDArray[np.uint32]
    offsets: Ints
    sets: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """The texts in their order."""
        from sfumato.kernels.texts.jaro_winkler import letter_sets

        listed = list(texts)
        letters = np.frombuffer("".join(listed).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        offsets = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in listed], out=offsets[1:])
        return cls(letters, offsets, letter_sets(letters, offsets))

    def similarities(self, left: Ints, right: Ints, at_least: float = 0.0) -> Floats:
        """The Jaro-Winkler similarity of the texts with the numbers `left[i]` and `right[i]`, as they are.

        A pair that is surely below `at_least` has the value -1.
        """
        from sfumato.kernels.texts.jaro_winkler import similar_pairs

        values: Floats = similar_pairs(self.letters, self.offsets, self.sets, left, right, at_least)
        return values


def similarities(left: pl.Series, right: pl.Series) -> Floats:
    """The similarity of the names in each row of two columns, in plain letters.

    >>> similarities(pl.Series(["Café", "Rio"]), pl.Series(["cafe", "Lapa"])).tolist()
    [1.0, 0.0]
    """
    both = plain_column(pl.concat([left.rechunk(), right.rechunk()])).fill_null("")
    distinct = both.unique()
    numbers = both.replace_strict(distinct, np.arange(len(distinct)), return_dtype=pl.Int64).to_numpy().astype(np.int64)
    return Texts.of(distinct.to_list()).similarities(numbers[: len(left)], numbers[len(left) :])


def jaro_winkler(left: str, right: str) -> float:
    """The Jaro-Winkler similarity of two texts as they are, from 0 to 1; an empty text is similar to no text.

    >>> round(jaro_winkler("martha", "marhta"), 4), jaro_winkler("", "")
    (0.9611, 0.0)
    """
    return float(Texts.of((left, right)).similarities(np.array([0]), np.array([1]))[0])
