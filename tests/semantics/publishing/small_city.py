"""A small city: places with classes, hours and popularity as frames, and the stops of people who are linked to them."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces
from sfumato.semantics.vocabulary import BQ, PREFIXES

EX = "http://example.org/"
KINDS = {"Cafe": 8, "Museum": 5, "Clinic": 4, "Church": 3}
ABOVE = [("Cafe", "Amenity"), ("Clinic", "Amenity"), ("Museum", "Sight"), ("Church", "Sight"), ("Amenity", "Site"),
         ("Sight", "Site")]  # fmt: skip
DAY = 86_400.0
MONDAY = 1_719_792_000.0  # 1 July 2024


def resources() -> list[tuple[str, str]]:
    return [(f"{EX}{kind.lower()}{number}", kind) for kind, count in KINDS.items() for number in range(1, count + 1)]


def frames() -> dict[str, pl.DataFrame]:
    """labels, geometries, hours and popularity of the places."""
    names = [name for name, _ in resources()]
    labels = [f"{kind} {name[-1]}" for name, kind in resources()]
    where = np.arange(len(names))
    hours = [(name, "Mo-Su 07:00-14:00" if kind == "Clinic" else "Mo-Su 06:00-24:00") for name, kind in resources()]
    hours = [row for row in hours if "church" not in row[0]]
    return {
        "labels": pl.DataFrame(
            {"resource": names, "label": labels, "language": pl.Series([None] * len(names), dtype=pl.String)}
        ),
        "geometries": pl.DataFrame({"resource": names, "x": 10 + 0.001 * where, "y": 50 + 0.001 * (where % 5)}),
        "hours": pl.DataFrame(hours, schema=["resource", "value"], orient="row"),
        "popularity": pl.DataFrame({"resource": names, "value": [str(0.5 ** (number % 4)) for number in where]}),
    }


def graph() -> ClassGraph:
    return ClassGraph.of(
        [(EX + low, EX + high) for low, high in ABOVE], [(name, EX + kind) for name, kind in resources()]
    )


def city_places(**options: object) -> KnowledgePlaces:
    return KnowledgePlaces.from_frames(graph(), **frames(), **options)  # type: ignore[arg-type]


def city_movement(people: int = 40, days: int = 2, *, accounts: int = 1, seed: int = 1) -> Movement:
    """Two to four stops on each day of each moving object, at one or two positions, each linked to a place.

    accounts : how many moving objects each person is.
    """
    rng = np.random.default_rng(seed)
    names = [name for name, _ in resources()]
    chances = np.array(
        [
            0.5 ** (number % 4) / (12 if kind in ("Clinic", "Church") else 1)
            for number, (_, kind) in enumerate(resources())
        ]
    )
    objects, positions, segments, links = [], [], [], []
    for number in range(people * accounts):
        objects.append({"object": f"o{number}", "person": f"p{number % people}"})
        for day in range(days):
            first = len(positions)
            for stop in range(int(rng.integers(2, 5))):
                place = int(rng.choice(len(names), p=chances / chances.sum()))
                hour = 8 + 4 * stop if "clinic" not in names[place] else 8 + stop
                begin = MONDAY + day * DAY + 3600 * hour + 1800 * float(rng.random())
                begin = max(begin, positions[-1]["begin"] + 1200) if len(positions) > first else begin
                segments.append(
                    {"object": f"o{number}", "type": "STOP", "first": len(positions), "last": len(positions) + 1}
                )
                links.append((len(segments) - 1, names[place]))
                positions += [
                    {"object": f"o{number}", "begin": begin + 60 * minute, "x": 10.0, "y": 50.0} for minute in (0, 10)
                ]
            segments.append({"object": f"o{number}", "type": "TRAIL", "first": first, "last": len(positions) - 1})
    annotations = [
        {"target_kind": "segment", "target": row, "property": BQ + "visits", "kind": "resource", "value": name,
         "metres": 5.0, "similarity": 1.0}
        for row, name in links
    ]  # fmt: skip
    return Movement.of(
        pl.DataFrame(objects), pl.DataFrame(positions), pl.DataFrame(segments), annotations=pl.DataFrame(annotations)
    )


def turtle() -> str:
    """The same places as triples, with an event in a museum."""
    given = frames()
    kinds = dict(resources())
    hours, popularity = (dict(given[name].rows()) for name in ("hours", "popularity"))
    lines = [f"@prefix {name}: <{PREFIXES[name]}> ." for name in ("bq", "geo", "rdfs", "schema", "xsd")]
    lines += [f"<{EX}{low}> rdfs:subClassOf <{EX}{high}> ." for low, high in ABOVE]
    for (name, label, _), (_, x, y) in zip(given["labels"].rows(), given["geometries"].rows(), strict=True):
        point = f'[ geo:asWKT "POINT({x} {y})"^^geo:wktLiteral ]'
        lines.append(f'<{name}> a <{EX}{kinds[name]}> ; rdfs:label "{label}" ; geo:hasGeometry {point} .')
        lines.append(f'<{name}> bq:popularity "{popularity[name]}"^^xsd:double .')
        if name in hours:
            lines.append(f'<{name}> schema:openingHours "{hours[name]}" .')
    begin, end = (f'"2024-07-01T{hour}:00:00Z"^^xsd:dateTime' for hour in (11, 19))
    lines.append(f"<{EX}night> a bq:Event ; bq:begin {begin} ; bq:end {end} ; bq:occursIn <{EX}museum1> .")
    return "\n".join(lines) + "\n"
