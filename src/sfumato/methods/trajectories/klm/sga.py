"""SGA: clusters of trajectories that share frequent subtrajectories, each (k,l)^m-anonymous (Poulis et al., 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data import Trajectories
from sfumato.data.base import Ints, Persons
from sfumato.kernels.mining.containment import contained_patterns
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.soa import SelectOrganizeAnonymize
from sfumato.methods.trajectories.klm.unit_order import Organized
from sfumato.mining import FrequentSequences
from sfumato.mining.patterns import Patterns
from sfumato.params import param

__all__ = ["Sga"]


@dataclass(frozen=True, kw_only=True)
class Sga(SelectOrganizeAnonymize):
    """Publish trajectories that hide a person among k, and any sensitive place behind a chance of at most 1/l.

    The promise of ZGA, kept in the same way; here trajectories are put into one cluster that share the most frequent
    subtrajectories.

    Notes
    -----
    Algorithms SGA and l^m-ANON of [1]_.  The `top` subtrajectories of nonsensitive locations are those that
    `FrequentSequences` finds, by support, ties by name; the most significant bit of a key belongs to the last of them.
    Everything else is as in `Zga`, departures and the choice of the number of clusters included.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Select-Organize-Anonymize: a framework for
       trajectory data anonymization", IEEE ICDM Workshops, 2013.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> where = {"a": (3, 0), "b": (5, 1), "c": (5, 5), "d": (3, 3), "e": (3, 5), "f": (0, 0), "g": (0, 1)}
    >>> walks = Trajectories.from_lists(
    ...     ["dace", "baec", "adef", "bdec", "dgc", "de"], places=Places.planar(where).with_sensitive("fg")
    ... )
    >>> release = Sga(k=2, l=2, m=2, clusters=2, top=2).anonymize(walks)
    >>> release.data.to_lists()[1]
    ['g1', 'g1', 'e', 'c']
    >>> release.holds
    True
    """

    name: ClassVar[str] = "sga"
    title: ClassVar[str] = "SGA"

    top: int = param(
        10, at_least=1, grid=(5, 10, 20), help="how many frequent subtrajectories make a key; the paper's K"
    )

    def bits(self, organized: Organized, run: Run) -> Patterns:
        shown = _nonsensitive(organized)
        return FrequentSequences(top=self.top).find(shown, progress=lambda _, done, total: run.advance(done, total))

    def keys(self, organized: Organized, bits: Patterns) -> tuple[Ints, Ints]:
        shown = _nonsensitive(organized)
        inside = contained_patterns(shown.codes, shown.offsets, bits.codes, bits.offsets)
        starts = np.searchsorted(organized.unit, np.arange(organized.n_units))
        falling = np.logical_or.reduceat(inside, starts, axis=0)[:, ::-1]
        offsets = np.concatenate(([0], np.cumsum(falling.sum(axis=1)))).astype(np.int64)
        return offsets, len(bits) - 1 - np.nonzero(falling)[1]


def _nonsensitive(organized: Organized) -> Trajectories:
    """The records of the units with a nonsensitive visit, without their sensitive visits."""
    data = organized.data
    codes = data.codes[data.elements_of(organized.records)]
    record = np.repeat(np.arange(len(organized.records)), data.lengths[organized.records])
    kept = ~organized.sensitive[codes]
    return Trajectories(
        offsets=np.concatenate(([0], np.cumsum(np.bincount(record[kept], minlength=len(organized.records))))),
        codes=codes[kept],
        names=data.names,
        persons=None if data.persons is None else Persons.of(pl.Series(organized.unit)),
    )
