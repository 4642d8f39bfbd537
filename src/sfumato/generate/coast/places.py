"""The places of the synthetic city: where they are, how popular, what they are called, and what is inside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.errors import Bug
from sfumato.generate.coast.place_names import names_of, plain
from sfumato.generate.coast.regions import COLUMNS, ROWS, Land, degrees, octagon, wkt_polygon
from sfumato.generate.coast.vocabulary import KINDS, iri

__all__ = ["CITY", "COUNTRY", "CityPlaces", "draw_places"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CITY, COUNTRY = "Porto Claro", "Litorânia"
_PARTS = {  # what is inside the places of a kind
    "market": ("atm", "craft-shop", "bar", "restaurant", "pub", "fast-food"),
    "reserve": ("tourist-shop", "craft-shop", "fast-food"),
}
_PART_RADIUS_M, _RING = 20.0, 0.6
_HEIGHTS = {  # kind: smallest and largest share of the way from the coast to the northern border
    "beach": (0.012, 0.03), "peak": (0.4, 0.9), "reserve": (0.45, 0.9), "airport": (0.8, 0.9),
}  # fmt: skip
_CHAIN = 12  # places with one name, of the kind with branches
_MOST = {"beach": 25, "peak": 40, "reserve": 20, "market": 150, "stadium": 20}  # as many as have room
_GAP_M = 50.0
_TRIES = 20_000
_FAR_M = 3_000.0


@dataclass(frozen=True)
class CityPlaces:
    """The places of a city by number, and the land they are on.

    kind : the name of the kind of each place.  where : metres east and north.  within : the place that contains it, or
    -1.  chance : popularity among the places of its kind; it adds up to 1 for those that are not inside another.
    """

    land: Land
    kind: npt.NDArray[np.str_]
    where: Floats
    within: Ints
    chance: Floats
    names: list[tuple[str, str, str]]
    opens: Floats
    closes: Floats

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        width = len(str(len(self)))
        return np.array([f"p{number:0{width}}" for number in range(1, len(self) + 1)])

    @property
    def radius_m(self) -> Floats:
        """The radius of each outline; 0 for a place that is a point."""
        radius = np.array([KINDS[kind].radius_m for kind in self.kind])
        return np.where(self.within >= 0, _PART_RADIUS_M, radius)

    def numbers(self, *kinds: str) -> Ints:
        """The places of these kinds that are not inside another."""
        return np.flatnonzero(np.isin(self.kind, kinds) & (self.within < 0))

    def frame(self, rng: np.random.Generator) -> pl.DataFrame:
        """The places as a table that a knowledge base reads with a mapping."""
        lon_lat, ids = degrees(self.where), self.ids
        names = list(zip(*self.names, strict=True))
        entity = self._entities(rng)
        return pl.DataFrame(
            {
                "id": ids,
                "class": [iri(KINDS[kind].cls) for kind in self.kind],
                "name": names[0],
                "name:pt": names[0],
                "name:en": names[1],
                "name:de": names[2],
                "lon": lon_lat[:, 0],
                "lat": lon_lat[:, 1],
                "wkt": [
                    wkt_polygon(octagon(centre, radius)) if radius > 0 else f"POINT({x} {y})"
                    for centre, radius, (x, y) in zip(self.where, self.radius_m, lon_lat, strict=True)
                ],
                "opening_hours": [_hours(*span) for span in zip(self.opens, self.closes, strict=True)],
                "popularity": self.chance.round(6),
                "part_of": [ids[whole] if whole >= 0 else None for whole in self.within],
                "same_as": entity,
            }
        )

    def _entities(self, rng: np.random.Generator) -> list[str | None]:
        """How both sources call a place, for half of them; two far branches of a chain share a name."""
        known = rng.random(len(self)) < 0.5
        thing = np.arange(1, len(self) + 1)
        branches: dict[tuple[str, str, str], list[int]] = {}
        for number in np.flatnonzero(self.kind == "fast-food").tolist():
            branches.setdefault(self.names[number], []).append(number)
        for first, *others in branches.values():
            metres = np.hypot(*(self.where[others] - self.where[first]).T)
            if len(others) and metres.max() > _FAR_M:
                thing[others[int(metres.argmax())]] = first + 1
        return [f"T{number}" if is_known else None for is_known, number in zip(known, thing, strict=True)]

    def gazetteer(self, places: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
        """The same places in a second source: some of them, a little elsewhere, under one of their names."""
        rows = np.flatnonzero(places["same_as"].is_not_null().to_numpy() & (rng.random(len(self)) < 0.8))
        moved = degrees(self.where[rows] + rng.normal(0, 15, (len(rows), 2)))
        way = rng.integers(3, size=len(rows))
        names = [
            (self.names[row][0], self.names[row][1], plain(self.names[row][0]).title())[choice]
            for row, choice in zip(rows, way, strict=True)
        ]
        return pl.DataFrame(
            {
                "id": [f"s{number}" for number in range(1, len(rows) + 1)],
                "class": places["class"].gather(rows),
                "name": names,
                "lon": moved[:, 0],
                "lat": moved[:, 1],
                "same_as": places["same_as"].gather(rows),
            }
        )

    def regions(self) -> pl.DataFrame:
        """The outlines by level: country, city, districts, places and parts of places."""
        frame = np.array(
            [[-150_000.0, -150_000.0], [150_000.0, -150_000.0], [150_000.0, 150_000.0], [-150_000.0, 150_000.0]]
        )
        rows = [
            ("country", 0, iri("dbo:Country"), COUNTRY, None, wkt_polygon(frame)),
            ("city", 1, iri("city:CityOutline"), CITY, "country", wkt_polygon(self.land.outline())),
        ]
        for number in range(COLUMNS * ROWS):
            outline = wkt_polygon(self.land.district_outline(number))
            name = f"{CITY} {'SCN'[number // COLUMNS]}{number % COLUMNS + 1}"
            rows.append((f"d{number + 1:02}", 2, iri("city:District"), name, "city", outline))
        district, ids, radius = self.land.district(self.where), self.ids, self.radius_m
        for number in np.flatnonzero(radius > 0).tolist():
            whole = int(self.within[number])
            above = f"d{district[number] + 1:02}" if whole < 0 else str(ids[whole])
            outline = wkt_polygon(octagon(self.where[number], radius[number]))
            cls = iri(KINDS[self.kind[number]].cls)
            rows.append((str(ids[number]), 3 + int(whole >= 0), cls, self.names[number][0], above, outline))
        return pl.DataFrame(rows, schema=["id", "level", "class", "name", "part_of", "wkt"], orient="row")


def draw_places(count: int, zipf: float, rng: np.random.Generator) -> CityPlaces:
    """About so many places, at least one of each kind and two markets; popularity follows Zipf's law in each kind."""
    land = Land.of(rng)
    kinds = _kinds(count)
    wide = np.array([KINDS[kind].radius_m for kind in kinds]) > 0
    centres = _apart(land, [kind for kind, is_wide in zip(kinds, wide, strict=True) if is_wide], rng)
    where = np.zeros((len(kinds), 2))
    where[wide] = centres
    radius = np.array([KINDS[kind].radius_m for kind in kinds])
    where[~wide] = _points(land, int((~wide).sum()), where[wide], radius[wide], rng)
    kinds, where, within = _with_parts(kinds, where)
    kind = np.array(kinds)
    chance, opens, closes, names = (
        np.zeros(len(kind)),
        np.zeros(len(kind)),
        np.zeros(len(kind)),
        [("", "", "")] * len(kind),
    )
    for name, facts in KINDS.items():
        rows = np.flatnonzero(kind == name)
        top = rows[within[rows] < 0]
        weights = np.arange(1, len(top) + 1) ** -zipf
        chance[top] = rng.permutation(weights / weights.sum()) if len(top) else weights
        chance[rows[within[rows] >= 0]] = 1.0
        opens[rows], closes[rows] = _opening(facts.opens, facts.closes, len(rows), rng)
        different = max(1, len(rows) // _CHAIN) if name == "fast-food" else len(rows)
        words = names_of(facts.names, different, rng)
        for position, row in enumerate(rows):
            names[row] = words[position % different]
    inner = np.flatnonzero(within >= 0)
    opens[inner], closes[inner] = opens[within[inner]], closes[within[inner]]
    return CityPlaces(land, kind, where, within, chance, names, opens, closes)


def _kinds(count: int) -> list[str]:
    """The kinds of the places that are not inside another, as many as leave room for those inside."""
    weights = {kind: facts.weight for kind, facts in KINDS.items()}
    total = sum(weight * (1 + len(_PARTS.get(kind, ()))) for kind, weight in weights.items())
    numbers = {kind: max(1, round(count * weight / total)) for kind, weight in weights.items() if weight > 0}
    numbers["market"] = max(2, numbers["market"])
    numbers |= {kind: min(most, numbers[kind]) for kind, most in _MOST.items()}
    return [kind for kind, number in {**numbers, "airport": 1}.items() for _ in range(number)]


def _apart(land: Land, kinds: list[str], rng: np.random.Generator) -> Floats:
    """Centres of places with an outline: each outline in one district, and no two of them share a point."""
    centres: list[Floats] = []
    radii: list[float] = []
    for kind in kinds:
        radius = KINDS[kind].radius_m
        low, high = _HEIGHTS.get(kind, (0.08, 0.7))
        for _ in range(_TRIES):
            shares = rng.random(2)
            centre = land.point(shares[:1], low + (high - low) * shares[1:])[0]
            district = land.district(octagon(centre, radius))
            gaps = (np.hypot(*(centre - other)) - reach - radius for other, reach in zip(centres, radii, strict=True))
            if district[0] >= 0 and np.all(district == district[0]) and all(gap > _GAP_M for gap in gaps):
                break
        else:
            raise Bug(f"Posts: no room is left for a {kind}")
        centres.append(centre)
        radii.append(radius)
    return np.array(centres).reshape(-1, 2)


def _points(land: Land, count: int, centres: Floats, radii: Floats, rng: np.random.Generator) -> Floats:
    """Points in the city outside the outlines, more of them near the coast and in some columns."""
    busy = rng.dirichlet(np.full(COLUMNS, 2.0))
    points = np.empty((0, 2))
    while len(points) < count:
        column = (rng.choice(COLUMNS, size=count, p=busy) + rng.random(count)) / COLUMNS
        drawn = land.point(column, 0.005 + 0.99 * rng.beta(1.2, 2.5, count))
        gaps = np.hypot(*(drawn[:, None, :] - centres[None, :, :]).transpose(2, 0, 1))
        points = np.concatenate([points, drawn[(gaps > radii[None, :] + 5).all(axis=1)]])
    return points[:count]


def _with_parts(kinds: list[str], where: Floats) -> tuple[list[str], Floats, Ints]:
    """The places followed by those inside them, which stand on a ring around the centre."""
    inner = [(number, part) for number, kind in enumerate(kinds) for part in _PARTS.get(kind, ())]
    within = np.concatenate([np.full(len(kinds), -1), [number for number, _ in inner]]).astype(np.int64)
    spots = []
    for number, part in inner:
        parts = _PARTS[kinds[number]]
        angle = 2 * np.pi * (parts.index(part) + 0.25) / len(parts)
        reach = _RING * KINDS[kinds[number]].radius_m
        spots.append(where[number] + reach * np.array([np.cos(angle), np.sin(angle)]))
    return kinds + [part for _, part in inner], np.concatenate([where, np.array(spots).reshape(-1, 2)]), within


def _opening(opens: float, closes: float, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Opening hours around those of the kind, in half hours; a place that never closes stays so."""
    if (opens, closes) == (0, 24):
        return np.zeros(count), np.full(count, 24.0)
    return opens + rng.integers(0, 4, count) / 2, closes - rng.integers(0, 4, count) / 2


def _hours(opens: float, closes: float) -> str:
    """The hours as OpenStreetMap writes them."""
    if (opens, closes) == (0, 24):
        return "24/7"
    clock = (f"{int(hour) % 24:02}:{round(hour % 1 * 60):02}" for hour in (opens, closes))
    return "Mo-Su " + "-".join(clock)
