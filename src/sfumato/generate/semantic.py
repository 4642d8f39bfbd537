"""Semantic trajectories: synthetic visits to places under a taxonomy with sensitive categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Persons, Places, Taxonomy, Trajectories
from sfumato.generate.base import Generator
from sfumato.params import param

__all__ = ["Semantic"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_ROOT = "place"
_ORDINARY = {
    "food": ("bar", "cafe", "restaurant"),
    "shopping": ("market", "mall", "shop"),
    "leisure": ("cinema", "park", "stadium", "theatre"),
    "transport": ("airport", "parking", "station"),
    "work": ("factory", "office", "school"),
}
_SENSITIVE = {
    "health": ("clinic", "hospital", "laboratory"),
    "worship": ("church", "mosque", "synagogue", "temple"),
    "politics": ("party", "union"),
}


@dataclass(frozen=True, kw_only=True)
class Semantic(Generator):
    """Trajectories of visits to places under a taxonomy: place, category, kind, and the places themselves.

    Five categories are ordinary, three sensitive: health, worship and politics.  Places are at random points of a
    square, and their popularity follows Zipf's law.  A trajectory has 1 + Poisson visits and follows one of a few
    routines, which are sequences of kinds of places, a share `sensitive` of them sensitive; with probability 1 -
    `habit` a visit goes to another kind.  Among the places of its kind a visit goes to a popular one, with probability
    `nearby` in the quarter of the map where the trajectory began.

    The defaults have the published figures of the Pisa trajectories in [1]_ (Table 1 and Section 6.3): 7,231 of them,
    851 places, 7.1 visits on average, 1.63 of them sensitive.  Milano has 6,225, 530, 5.2 and 1.28.

    References
    ----------
    .. [1] A. Monreale, R. Trasarti, D. Pedreschi, C. Renso, V. Bogorny, "C-safety: a framework for the anonymization of
       semantic trajectories", Transactions on Data Privacy 4(2), 2011.

    Examples
    --------
    >>> town = Semantic(trajectories=200, places=60).make(seed=1)
    >>> town.taxonomy
    <Taxonomy: 94 nodes, 60 leaves, height 3>
    >>> town.taxonomy.ancestors("clinic-1")
    ('clinic', 'health', 'place')
    """

    name: ClassVar[str] = "semantic"
    writes: ClassVar[tuple[str, ...]] = ("taxonomy",)

    trajectories: int = param(7_231, at_least=1, help="number of trajectories")
    places: int = param(851, at_least=30, help="number of places, the leaves of the taxonomy")
    mean_length: float = param(7.1, at_least=1, help="mean number of visits in a trajectory")
    sensitive: float = param(0.23, at_least=0, at_most=1, help="share of the visits that go to sensitive places")
    zipf: float = param(1.0, at_least=0, help="exponent of the popularity of places; 0 makes all equally popular")
    nearby: float = param(
        0.7, at_least=0, at_most=1, help="probability that a visit is in the quarter where the trajectory began"
    )
    routines: int = param(20, at_least=1, help="number of routines")
    habit: float = param(0.8, at_least=0, at_most=1, help="probability that a visit follows the routine")
    side_m: float = param(20_000.0, above=0, help="length of a side of the square, in metres")
    persons: int | None = param(None, at_least=1, help="number of persons with these trajectories")

    def make(self, *, seed: int | None = None) -> Trajectories:
        """Generate a dataset with its places and its taxonomy; a seed repeats it."""
        rng = np.random.default_rng(seed)
        names, kinds, is_sensitive = self._places_by_kind()
        coordinates = rng.random((self.places, 2)) * self.side_m
        quarter = (coordinates >= self.side_m / 2) @ np.array([1, 2])
        popularity = rng.permutation(np.arange(1, self.places + 1) ** -self.zipf)
        lengths = 1 + rng.poisson(self.mean_length - 1, size=self.trajectories)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        home = rng.integers(4, size=self.trajectories)
        quarter_of_visit = np.where(rng.random(offsets[-1]) < self.nearby, np.repeat(home, lengths), 4)
        kind = self._kinds_visited(lengths, kinds, is_sensitive, popularity, rng)
        codes = _draw_places(popularity, quarter, np.unique(kinds, return_inverse=True)[1], quarter_of_visit, kind, rng)
        person = None if self.persons is None else rng.integers(self.persons, size=self.trajectories)
        frame = {"location": names, "x": coordinates[:, 0].round(1), "y": coordinates[:, 1].round(1), "category": kinds}
        order = np.argsort(names)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return Trajectories(
            offsets=offsets,
            codes=rank[codes],
            names=tuple(sorted(names)),
            ids=pl.Series("trajectory", np.arange(1, self.trajectories + 1)),
            persons=None if person is None else Persons.of(pl.Series(person + 1)),
            places=Places.from_frame({**frame, "sensitive": is_sensitive}),
            taxonomy=_taxonomy(names, kinds),
        )

    def _kinds_visited(
        self,
        lengths: Ints,
        kinds: list[str],
        is_sensitive: npt.NDArray[np.bool_],
        popularity: Floats,
        rng: np.random.Generator,
    ) -> Ints:
        """The kind of place of each visit: that of the routine, or another."""
        number = np.unique(kinds, return_inverse=True)[1]
        weight = np.bincount(number, weights=popularity)
        is_sensitive_kind = np.bincount(number, weights=is_sensitive) > 0

        def draw(count: int) -> Ints:
            is_sensitive_visit = rng.random(count) < self.sensitive
            drawn = np.empty(count, dtype=np.int64)
            for flag_value in (False, True):
                candidates = np.flatnonzero(is_sensitive_kind == flag_value)
                share = weight[candidates] / weight[candidates].sum()
                drawn[is_sensitive_visit == flag_value] = rng.choice(
                    candidates, size=np.count_nonzero(is_sensitive_visit == flag_value), p=share
                )
            return drawn

        longest, total = int(lengths.max()), int(lengths.sum())
        routines = draw(self.routines * longest).reshape(self.routines, longest)
        routine = np.repeat(rng.integers(self.routines, size=len(lengths)), lengths)
        position = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.where(rng.random(total) < self.habit, routines[routine, position], draw(total))

    def _places_by_kind(self) -> tuple[list[str], list[str], npt.NDArray[np.bool_]]:
        """The places by kind, a fifth of them sensitive: names, kinds, flags."""
        sensitive_kinds = sum(_SENSITIVE.values(), ())
        ordinary = sum(_ORDINARY.values(), ())
        n_sensitive = max(len(sensitive_kinds), round(self.places / 5))
        kinds = sorted([sensitive_kinds[index % len(sensitive_kinds)] for index in range(n_sensitive)])
        kinds += sorted([ordinary[index % len(ordinary)] for index in range(self.places - n_sensitive)])
        width = len(str(max(kinds.count(kind) for kind in set(kinds))))
        numbers = [kinds[:index].count(kind) + 1 for index, kind in enumerate(kinds)]
        names = [f"{kind}-{number:0{width}}" for kind, number in zip(kinds, numbers, strict=True)]
        return names, kinds, np.arange(self.places) < n_sensitive


def _taxonomy(names: list[str], kinds: list[str]) -> Taxonomy:
    parents: dict[str, str | None] = {_ROOT: None}
    for category, category_kinds in {**_ORDINARY, **_SENSITIVE}.items():
        parents[category] = _ROOT
        parents.update(dict.fromkeys((kind for kind in category_kinds if kind in kinds), category))
    parents.update(zip(names, kinds, strict=True))
    return Taxonomy(parents, sensitive=_SENSITIVE)


def _draw_places(
    popularity: Floats, quarter: Ints, kind_of_place: Ints, quarter_of_visit: Ints, kind: Ints, rng: np.random.Generator
) -> Ints:
    """Draw a place for each visit, by popularity among the places of its kind in its quarter (4: anywhere)."""
    codes = np.empty(len(quarter_of_visit), dtype=np.int64)
    uniform = rng.random(len(quarter_of_visit))
    for number in range(int(kind_of_place.max()) + 1):
        for part in range(5):
            visits = np.flatnonzero((kind == number) & (quarter_of_visit == part))
            candidates = np.flatnonzero((kind_of_place == number) & ((quarter == part) | (part == 4)))
            if len(candidates) == 0:  # a quarter without such a place: anywhere
                candidates = np.flatnonzero(kind_of_place == number)
            sums = np.cumsum(popularity[candidates])
            position = np.searchsorted(sums, uniform[visits] * sums[-1], side="right")
            codes[visits] = candidates[np.minimum(position, len(candidates) - 1)]
    return codes
