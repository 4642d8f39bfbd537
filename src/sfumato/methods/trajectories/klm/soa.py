"""Select, organize, anonymize: what ZGA and SGA have in common (Poulis et al., 2013)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.errors import Infeasible
from sfumato.methods.base import FEWER_RECORDS, Method, Outcome, Run
from sfumato.methods.record_orders import gray_order
from sfumato.methods.trajectories.klm.cluster_bisection import by_halving
from sfumato.methods.trajectories.klm.clustering import Clustered, Ground, in_clusters
from sfumato.methods.trajectories.klm.lm_anon import Floats, Visits
from sfumato.methods.trajectories.klm.local_recoding import LocalLabels, published
from sfumato.methods.trajectories.klm.suppression import largest_share, lost_visits
from sfumato.methods.trajectories.klm.unit_order import Flags, Organized
from sfumato.params import param
from sfumato.privacy import KlmAnonymity

__all__ = ["SelectOrganizeAnonymize", "points_of", "weights_of", "with_flags"]


@dataclass(frozen=True, kw_only=True)
class SelectOrganizeAnonymize(Method[Trajectories]):
    """The frame of ZGA and SGA; what differs is which sequences make the key of a trajectory."""

    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Poulis et al., IEEE ICDM Workshops 2013"
    promises: ClassVar[tuple[str, ...]] = ("klm",)
    needs: ClassVar[tuple[str, ...]] = ("places", "sensitive")

    k: int = param(at_least=2, help="how many persons must share any m nonsensitive visits; the paper's k")
    l: int = param(  # noqa: E741
        at_least=2, help="a sensitive place can be inferred with a probability of at most 1/l; the paper's l"
    )
    m: int = param(at_least=1, help="how many nonsensitive visits an attacker may know; the paper's m")
    clusters: int | str = param(
        "auto",
        at_least=1,
        or_word="auto",
        grid=("auto", 1),
        help="how many clusters to anonymize on their own, the paper's C; 'auto' halves them where that costs less",
    )

    @property
    def guarantees(self) -> tuple[KlmAnonymity, ...]:
        return (KlmAnonymity(k=self.k, l=self.l, m=self.m),)

    def select(self, organized: Organized, run: Run) -> tuple[Ints, Ints]:
        """Steps 3 to 6 of the listings: offsets, and where each unit's key has a 1, falling."""
        return self.keys(organized, self.bits(organized, run))

    @abstractmethod
    def bits(self, organized: Organized, run: Run) -> Any:
        """The sequences of all units that the bits of a key stand for."""

    @abstractmethod
    def keys(self, organized: Organized, bits: Any) -> tuple[Ints, Ints]:
        """The keys of some of the units: offsets, and where each has a 1, falling."""

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        flags = data.sensitive
        organized = Organized(data, np.array([name in flags for name in data.names], dtype=bool))
        self.require_enough_units(data.unit, organized.n_units, len(data.codes))
        with run.phase("selecting"):
            keys = self.select(organized, run)
        with run.phase("organizing"):
            visits, records = organized.in_order(gray_order(*keys, organized.by_content()))  # step 7
            ground = _ground(organized, visits, records, self)
        with run.phase("anonymizing clusters"):  # steps 8 to 11
            if isinstance(self.clusters, int):
                clustered = in_clusters(ground, self.clusters, run)
            else:
                clustered = by_halving(ground, run)
        with run.phase("labelling"):
            lost = np.empty(0, dtype=np.int64) if clustered.safe else self._lost(organized, visits, records)
            return _labelled(organized, visits, records, clustered, lost)

    def require_enough_units(self, unit: str, present: int, n_visits: int) -> None:
        """Refuse data in which too few units have a nonsensitive visit."""
        if present == 0 and n_visits > 0:
            raise Infeasible(
                f"{self.name}: wanted visits to nonsensitive locations for k={self.k} {unit}s to share, found "
                "sensitive ones only; flag fewer locations as sensitive"
            )
        if present < self.k:
            raise Infeasible(
                f"{self.name}: k={self.k} needs at least {self.k} {unit}s with a nonsensitive visit, these data have "
                f"{present}"
            )
        if isinstance(self.clusters, int) and self.clusters > present // self.k:
            raise Infeasible(
                f"{self.name}: clusters={self.clusters} of at least k={self.k} {unit}s need "
                f"{self.clusters * self.k} {unit}s with a nonsensitive visit, these data have {present}; "
                f"take at most {present // self.k} clusters, or auto"
            )

    def require_shares(self, by_unit: tuple[int, int], by_record: tuple[int, int], unit: str) -> None:
        """Refuse data in which too many share a sensitive place: how many at most, and of how many."""
        share, present = by_unit
        if self.l * share > present:
            raise Infeasible(
                f"{self.name}: l={self.l} allows the same sensitive location in at most one of {self.l} {unit}s, "
                f"these data have it in {share} of {present}; {_lower_l(present // share)}flag other locations"
            )
        share, present = by_record
        if self.l * share > present:
            raise Infeasible(
                f"{self.name}: l={self.l} allows the same sensitive location in at most one of {self.l} records, "
                f"these data have it in {share} of {present}; {FEWER_RECORDS}: {_lower_l(present // share)}flag other "
                "locations",
                remedy="fewer-records",
            )

    def _lost(self, organized: Organized, visits: Visits, records: Ints) -> Ints:
        """The private numbers of the visits that must be suppressed."""
        data = organized.data
        self.require_shares(largest_share(visits), largest_share(visits.by_record()), data.unit)
        element = data.elements_of(records)
        lengths = data.lengths[records]
        return element[lost_visits(visits, data.codes[element], lengths, organized.sensitive, self.k, self.l, self.m)]


def _ground(organized: Organized, visits: Visits, records: Ints, method: SelectOrganizeAnonymize) -> Ground:
    data = organized.data
    assert data.places is not None
    points = points_of(data, np.unique(visits.codes))
    weights = weights_of(data.codes[data.elements_of(records)], data.lengths[records], organized.sensitive)
    return Ground(visits, weights, points, data.places.radius, method.k, method.l, method.m)


def points_of(data: Trajectories, codes: Ints) -> Floats:
    """Where these locations are, by code; nonsensitive ones, as coordinates are wanted of them alone."""
    assert data.places is not None
    points = np.zeros((len(data.names), 3))
    points[codes] = data.places.points([data.names[code] for code in codes])
    return points


def weights_of(codes: Ints, lengths: Ints, sensitive: Flags) -> Floats:
    """Of each nonsensitive visit: one over the number of visits in its record."""
    return np.repeat(1 / np.maximum(1, lengths), lengths)[~sensitive[codes]]


def _labelled(
    organized: Organized, visits: Visits, records: Ints, clustered: Clustered, lost: Ints
) -> Outcome[Trajectories]:
    """The outcome, with the flags that its verifier reads."""
    data = with_flags(organized.data)
    return published(
        data,
        records,
        visits.unit_offsets[clustered.bounds],
        organized.sensitive,
        organized.others,
        LocalLabels(len(data.names), clustered.recoded),
        lost,
    )


def with_flags(data: Trajectories) -> Trajectories:
    """The data with the sensitive flags in the places: the taxonomy may have them, and is not published."""
    assert data.places is not None
    if "sensitive" in data.places.frame.columns:
        return data
    names = data.places.frame["location"].to_list()
    return replace(data, places=data.places.with_sensitive(data.sensitive_among(names)))


def _lower_l(l: int) -> str:  # noqa: E741
    """The advice to take a smaller l, where one is allowed."""
    return f"take l={l} at most, or " if l > 1 else ""
