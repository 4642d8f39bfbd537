"""What the methods for sparse movements have in common: parameters, promise, and what they publish."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Places, Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.trajectories.sparse.label_tree import LabelTree, Partition
from sfumato.methods.trajectories.sparse.near_places import NearPlaces
from sfumato.methods.trajectories.sparse.published_pieces import published_pieces
from sfumato.methods.trajectories.sparse.sensitive_visits import with_sensitive_visits
from sfumato.methods.trajectories.sparse.similar_places import SimilarPlaces
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits
from sfumato.params import exact, param
from sfumato.privacy import KlmAnonymity, KmAnonymity, PrivacyModel
from sfumato.privacy.not_covered import Limit

__all__ = ["SparseMethod"]


@dataclass(frozen=True, kw_only=True)
class SparseMethod(Method[Trajectories]):
    """A method that changes single trajectories where a short sequence is rare, without merging labels everywhere."""

    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Sfumato's own, docs/method-km-split.md"
    promises: ClassVar[tuple[str, ...]] = ("km",)
    promises_if: ClassVar[Mapping[str, str]] = {"klm": "l is given"}
    needs_one_of: ClassVar[tuple[str, ...]] = ("places", "taxonomy")
    takes: ClassVar[tuple[str, ...]] = ("sensitive",)
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "granularity",
            "the popularity of places: a place keeps its name where enough persons visit it, places of one label are "
            "about equally popular, and how coarse labels are shows about how many persons visit their places",
        ),
        Limit(
            "coarse-beside-fine",
            "a coarse label of which one place also has a finer label or its own name elsewhere: a visit under the "
            "coarse label is then more probably to another place of it",
        ),
        Limit(
            "absent-pairs",
            "that two common labels never stand in one record in an order: fewer than k persons visit them so, or such "
            "visits were suppressed or separated",
        ),
    )

    k: int = param(at_least=2, help="how many persons must share any m visits")
    m: int = param(at_least=1, help="how many visits an attacker may know")
    l: int | None = param(  # noqa: E741
        None,
        at_least=2,
        help="a sensitive place can be inferred with a probability of at most 1/l; if not given, sensitive places are "
        "treated like others",
    )
    keep: float = param(
        0.95, above=0, at_most=1, grid=(0.95, 0.8), help="share of the visits to keep, as far as the promise allows"
    )
    levels: int = param(3, at_least=1, help="number of granularities of the labels, from fine to coarse")

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        if self.l is None:
            return (KmAnonymity(k=self.k, m=self.m),)
        return (KlmAnonymity(k=self.k, l=self.l, m=self.m),)

    def _require(self, data: Dataset) -> None:
        super()._require(data)
        if not isinstance(data, Trajectories):
            return
        if self.l is not None and not data.flags_sensitive:
            raise MissingKnowledge(
                f"{self.name}: l={self.l} needs sensitive locations, these data carry none",
                remedy="give-sensitive-places",
            )

    def _is_known(self, need: str, data: Dataset) -> bool:
        places = data.places if isinstance(data, Trajectories) else None
        return super()._is_known(need, data) and (need != "places" or (places is not None and places.located))

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        flags = data.sensitive if self.l is not None else frozenset()
        sensitive = np.array([name in flags for name in data.names], dtype=bool)
        require_units(self, self.k, data if self.l is None else _without(data, sensitive))
        visits = UnitVisits.of(data, sensitive)
        labels, piece, tree = self.cut(visits, self._partition(data, visits), run)
        if self.l is None:
            placed = piece >= 0
            return published_pieces(data, visits.origin[placed], labels[placed], visits.records[placed], piece[placed])
        with run.phase("adding sensitive visits"):
            hidden = UnitVisits.of(data, ~sensitive)
            parts = with_sensitive_visits(
                visits, labels, piece, hidden, len(tree), self.k, self.l, self.m, separate=self.counts_originals
            )
        return published_pieces(_flagged(data), *parts)

    @abstractmethod
    def cut(
        self, visits: UnitVisits, partition: Partition, run: Run
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], LabelTree]:
        """The label of each visit, its piece inside its record (-1 for suppressed visits), and the tree of labels."""

    def visits_wanted(self, visits: UnitVisits) -> int:
        """The smallest number of visits that is the share to keep."""
        return math.ceil(exact(self.keep) * len(visits.places))

    def _partition(self, data: Trajectories, visits: UnitVisits) -> Partition:
        """By the taxonomy where there is one, otherwise by the coordinates of the places."""
        return NearPlaces(data, visits) if data.taxonomy is None else SimilarPlaces(data, visits)


def _without(data: Trajectories, left_out: npt.NDArray[np.bool_]) -> Trajectories:
    """The records without their visits to some locations."""
    keep = ~left_out[data.codes]
    offsets = np.concatenate(([0], np.cumsum(keep)))[data.offsets]
    return replace(data, offsets=offsets, codes=data.codes[keep], times=None)


def _flagged(data: Trajectories) -> Trajectories:
    """The data with flags of sensitive places that can be published, also where only the taxonomy has them."""
    if data.places is None:  # of names that were read from visits, only the published ones stay
        places = replace(Places.from_frame({"location": list(data.names)}), derived=True)
    elif "sensitive" in data.places.frame.columns:
        return data
    else:
        places = data.places
    return replace(data, places=places.with_sensitive(data.sensitive_among(places.frame["location"].to_list())))
