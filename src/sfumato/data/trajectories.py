"""Trajectories: for each record the locations visited, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Frame, Ints, Persons, frozen_array, read_only
from sfumato.data.constraints import Constraints
from sfumato.data.places import Places
from sfumato.data.queries import Query, require_estimate
from sfumato.data.query_index import indexed_counts, labels_of
from sfumato.data.ragged import Ragged, encode, from_sequences, id_texts
from sfumato.data.rows.records import grouped, persons_of
from sfumato.data.rows.times import seconds
from sfumato.data.rows.visits import CodedVisits
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.workplaces import Workplaces
from sfumato.errors import DataError
from sfumato.kernels.items.query_probabilities import sequence_probabilities

__all__ = ["Trajectories"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Trajectories(Ragged):
    """The locations that each record visits, in order.

    Beside the ragged codes, a dataset may hold the time of each visit (`times`, in seconds), the `places` of the
    locations, a `taxonomy` over them, `constraints` on which locations may share a label, and the `workplaces` of
    persons.

    >>> walks = Trajectories.from_lists([["home", "work", "home"], ["home", "gym"]], persons=["ann", "bob"])
    >>> walks
    <Trajectories: 2 records of 2 persons, 5 visits, 3 distinct>
    >>> walks.to_polars().rows()[0]
    ('1', 'ann', 'home')
    """

    kind: ClassVar[str] = "trajectories"
    element: ClassVar[str] = "visit"
    attribute: ClassVar[str] = "location"
    record: ClassVar[str] = "trajectory"

    times: npt.NDArray[np.float64] | None = None
    places: Places | None = None
    taxonomy: Taxonomy | None = None
    constraints: Constraints | None = None
    workplaces: Workplaces | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.times is not None:
            object.__setattr__(self, "times", frozen_array(self.times, np.float64))
            if len(self.times) != len(self.codes):
                raise DataError(f"Trajectories: {len(self.codes)} visits, but {len(self.times)} times")

    @classmethod
    def from_lists(
        cls,
        visits: Sequence[Sequence[str]],
        *,
        persons: Sequence[Any] | None = None,
        ids: Sequence[Any] | None = None,
        places: Places | Mapping[str, tuple[float, float]] | None = None,
        taxonomy: Taxonomy | None = None,
    ) -> Self:
        """One list of location names per trajectory; places may be a mapping from name to (x, y)."""
        offsets, codes, names = from_sequences(visits)
        return cls(
            offsets=offsets,
            codes=codes,
            names=names,
            ids=id_texts(cls.record, ids, len(visits)),
            persons=None if persons is None else Persons.of(persons),
            places=places if isinstance(places, Places | None) else Places.planar(places),
            taxonomy=taxonomy,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        columns: Mapping[str, str] | None = None,
        places: Places | None = None,
        taxonomy: Taxonomy | None = None,
        source: frames.Source | None = None,
    ) -> Self:
        """A tidy frame, one row a visit: columns `trajectory`, `location` and optionally `person`, `time`,
        and `lat`, `lon` or `x`, `y` (polars, pandas, geopandas with points, or Arrow).

        Visits are sorted by time where there is one, ties in the order of the frame.
        `columns` gives other names: ``{"location": "poi"}``.
        """
        source = source or frames.Source()
        tidy = frames.tidy(
            frame,
            required=("trajectory", "location"),
            optional=("person", "time", "lat", "lon", "x", "y"),
            columns=columns or {},
            source=source,
        )
        if places is None:
            places = Places.from_visits(tidy, source)
        times = seconds(tidy["time"], source).to_numpy() if "time" in tidy.columns else None
        record, order, offsets = grouped(tidy["trajectory"], sort_by=times)
        persons = None
        if "person" in tidy.columns:
            persons = persons_of(tidy["person"], record, "trajectory", source)
        codes, names = encode(tidy["location"])
        return cls(
            offsets=offsets,
            codes=codes[order],
            names=names,
            ids=tidy["trajectory"].gather(order[offsets[:-1]]),
            persons=persons,
            times=None if times is None else times[order],
            places=places,
            taxonomy=taxonomy,
        )

    @classmethod
    def from_coded(cls, visits: CodedVisits, *, places: Places | None, taxonomy: Taxonomy | None = None) -> Self:
        """Trajectories from the arrays of visits that were added batch by batch."""
        return cls(**visits._asdict(), places=places, taxonomy=taxonomy)

    @property
    def owners(self) -> dict[str, str]:
        """The owner of each location that has one in the places."""
        return {} if self.places is None else self.places.facts(self.names, "owner")

    @property
    def sensitive(self) -> frozenset[str]:
        """The sensitive locations according to the places or, without that column, to the taxonomy."""
        return self.sensitive_among(self.names)

    @property
    def knows_owners(self) -> bool:
        """Whether the places have a column of owners, even if no visited location has an owner."""
        return self.places is not None and "owner" in self.places.frame.columns

    @property
    def flags_sensitive(self) -> bool:
        """Whether any location is sensitive, visited or not."""
        if self.places is not None and "sensitive" in self.places.frame.columns:
            return bool(self.places.frame["sensitive"].any())
        return self.taxonomy is not None and bool(self.taxonomy.sensitive)

    def sensitive_among(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these locations that are sensitive, such as among the members of a published label."""
        if self.places is not None and "sensitive" in self.places.frame.columns:
            flags = self.places.facts(names, "sensitive")
            return frozenset(name for name, flag in flags.items() if flag)
        return frozenset() if self.taxonomy is None else self.taxonomy.sensitive & frozenset(names)

    def take(self, records: Ints) -> Self:
        times = None if self.times is None else read_only(self.by_record(self.times, records))
        # without times first: super() would combine the old times with the new, shorter arrays
        return replace(super(Trajectories, replace(self, times=None)).take(records), times=times)

    def published(self) -> tuple[Self, Ints]:
        """Records without times, which no privacy model here covers, and without workplaces."""
        return super(Trajectories, replace(self, times=None, workplaces=None)).published()

    def with_public_knowledge(self) -> Self:
        """Records without a taxonomy computed from visits; of places computed from visits, only published ones."""
        places, taxonomy = self.places, self.taxonomy
        if places is not None and places.derived:
            places = places.only(self.published_members())
        if taxonomy is not None and taxonomy.rule:
            taxonomy = None
        return replace(self, places=places, taxonomy=taxonomy)

    def to_polars(self) -> pl.DataFrame:
        frame = super().to_polars()
        return frame if self.times is None else frame.insert_column(-1, pl.Series("time", self.times))

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """A generalized location stands for each of its members with equal probability, independently.

        >>> walks = Trajectories.from_lists([["a", "b"], ["b", "a"], ["a", "c", "b"]])
        >>> walks.expected_count(Query(locations=("a", "b")))
        2.0
        """
        require_estimate(estimate)
        return self._chances(labels_of(self, query.locations), self.codes, self.offsets)

    def expected_counts(self, queries: Iterable[Query], estimate: str = "share") -> npt.NDArray[np.float64]:
        require_estimate(estimate)
        return indexed_counts(self, [query.locations for query in queries], self._chances)

    def _chances(self, labels: Sequence[Iterable[int]], codes: Ints, offsets: Ints) -> npt.NDArray[np.float64]:
        """The probability of each of these records, given the labels that may stand for each location in turn."""
        hits = np.zeros((len(labels), len(self.names)))
        for level, holders in enumerate(labels):
            for code in holders:
                hits[level, code] = 1 / len(self.members.get(self.names[code], (code,)))
        chances: npt.NDArray[np.float64] = sequence_probabilities(codes, offsets, hits)
        return chances

    def to_geopandas(self) -> Any:
        """One point a visit; a generalized location stands at the mean of its members."""
        if self.places is None:
            raise DataError("Trajectories.to_geopandas: wanted places with coordinates, found none")
        centres = [self.places.centre(self.members.get(name, (name,))) for name in self.names]
        points = np.array(centres).reshape(-1, 2)[self.codes]
        return frames.to_geopandas(self.to_polars(), points, geographic=self.places.geographic)
