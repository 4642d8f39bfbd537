"""ZGA: clusters of trajectories with neighbouring locations, each made (k,l)^m-anonymous (Poulis et al., 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.record_orders import z_order
from sfumato.methods.trajectories.klm.soa import SelectOrganizeAnonymize
from sfumato.methods.trajectories.klm.unit_order import Organized

__all__ = ["Zga"]


@dataclass(frozen=True, kw_only=True)
class Zga(SelectOrganizeAnonymize):
    """Publish trajectories that hide a person among k, and any sensitive place behind a chance of at most 1/l.

    Up to m known nonsensitive visits of a person lead to at least k persons, of whom at most one in l visited
    the same sensitive place.  Trajectories with neighbouring locations are put into one cluster, and each cluster
    generalizes nearby locations on its own; sensitive places keep their names.

    Notes
    -----
    Algorithms ZGA and l^m-ANON of [1]_.  Z-values interleave x and y, y giving the higher bit; latitude is y.  The most
    significant bit of a key belongs to the last location in Z-order, and keys are compared in Gray order without being
    written out.  Persons are clustered, not records, by the key of all their trajectories: clusters then count disjoint
    people, without which the promise would not add up.

    Departures, all of them stated by `KlmAnonymity` or needed to end safely: the condition on sensitive places is the
    paper's guarantee, not its printed Definition 3 (ii); where persons are known, it is kept in persons and in records.
    Diversity is not monotone under merging, so all sizes 1 to m are repeated until a full pass finds no violation.
    Ties between equal keys are settled by what was visited, as a set and then as a sequence in name order, where the
    paper keeps the order of the file, which must not show.  A cluster that cannot be made safe is joined with its
    neighbour in Gray order.  If the whole dataset cannot, visits are suppressed and counted: nonsensitive ones beyond
    the first i - 1 where fewer than k persons have i, and a sensitive place for those first who lose the fewest visits
    by it.  Trajectories of sensitive visits alone are published as they are: no attacker of this promise knows anything
    about them.

    ``clusters="auto"`` begins with one cluster, and halves a cluster wherever two, four or eight parts of it have a
    smaller D of Definition 4 (parts need not be of the same size); then the halves are treated alike.  D is never
    larger than with 1, 2, 4 or 8 clusters.

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
    >>> release = Zga(k=2, l=2, m=2, clusters=2).anonymize(walks)
    >>> release.data.members
    {'g1': ('a', 'b', 'd'), 'g2': ('a', 'c', 'd', 'e')}
    >>> release.holds
    True
    """

    name: ClassVar[str] = "zga"
    title: ClassVar[str] = "ZGA"

    def bits(self, organized: Organized, run: Run) -> Ints:  # noqa: ARG002
        used = np.zeros(len(organized.data.names), dtype=bool)
        used[organized.data.codes] = True
        return self.ranks(organized.data, np.flatnonzero(used & ~organized.sensitive))

    def ranks(self, data: Trajectories, codes: Ints) -> Ints:
        """The place of each of these locations in Z-order, by code, and -1 for others."""
        assert data.places is not None
        coordinates = data.places.coordinates([data.names[code] for code in codes])
        rank = np.full(len(data.names), -1)
        rank[codes[z_order(coordinates)]] = np.arange(len(codes))
        return rank

    def keys(self, organized: Organized, bits: Ints) -> tuple[Ints, Ints]:
        offsets, codes = organized.locations_of_units(~organized.sensitive)
        unit = np.repeat(np.arange(organized.n_units), np.diff(offsets))
        return offsets, bits[codes[np.lexsort((-bits[codes], unit))]]
