"""`python causes.py FOLDER [VEHICLES]`: try the causes of what differs from the paper.  Written are findings.json.

VEHICLES is the number of vehicles on a map (10,000); the literal programs get a fortieth of them.
"""

from __future__ import annotations

import sys
from statistics import median
from typing import Any

from replications.cause_tools import Causes, anonymized, generated, measured, processor_seconds, twin

MAP: dict[str, Any] = {"output": "roads", "nodes": 393, "degree": 2.8, "speed_divisor": 50.0, "time_units": 60}


def main(out: str, vehicles: str = "10000") -> None:
    causes, size = Causes(), int(vehicles)
    literal_prefix(causes, max(60, size // 40))
    local_error(causes, max(60, size // 40))
    largest_cluster(causes, size)
    deviations(causes, size)
    closed_routes(causes, size)
    causes.write(out)


def trips(size: int, seed: int, **other: Any) -> Any:
    return generated("roads", seed, vehicles=size, distance_km=8.0, straight=0.8, **other)


def literal_prefix(causes: Causes, size: int) -> None:
    """BF-P2kA and ICBA as their papers write them, and as they are here."""
    prefix, icba, driving = twin("twins.p2ka"), twin("twins.icba"), twin("driving")
    literal: list[float] = []
    compiled: list[float] = []
    for seed in (1, 2, 3):
        data = trips(size, seed, nodes=40)
        rows, units, steps = data.to_lists(), list(data.units), driving.steps_of(data)
        slow = processor_seconds(lambda rows=rows, units=units: prefix.bf_p2ka(rows, units, 5), 1)
        literal.append(slow / processor_seconds(lambda steps=steps: icba.literal(steps, 5, 0.6), 1))
        fast = processor_seconds(lambda data=data: anonymized("bf-p2ka", data, k=5))
        compiled.append(fast / processor_seconds(lambda data=data: anonymized("icba", data, k=5, similarity=0.6)))
    causes.check(
        "literal-prefix",
        "BF-P2kA gains at least 5 times more from compiled code than ICBA. (Written after it was seen that the literal "
        "BF-P2kA does not take longer than the literal ICBA.)",
        median(compiled) < median(literal) / 5,
        f"{size} vehicles, k = 5: BF-P2kA takes {median(literal):.1f} times the processor time of ICBA as literal "
        f"programs, and {median(compiled):.3f} times as the methods are here.",
    )


def local_error(causes: Causes, size: int) -> None:
    """Figure 8c: what the local error saves where nothing is indexed."""
    icba, driving = twin("twins.icba"), twin("driving")
    literal: list[float] = []
    for seed in (1, 2, 3):
        steps = driving.steps_of(trips(size, seed, nodes=40))
        slow = processor_seconds(lambda steps=steps: icba.literal(steps, 5, 0.6, threshold=0.5), 1)
        literal.append(slow / processor_seconds(lambda steps=steps: icba.literal(steps, 5, 0.6), 1))
    causes.check(
        "local-error",
        "As the papers write them, without index and compiled code, CBA takes less than 1.5 times as long as ICBA. "
        "(Written after it was seen that it does not take twice as long.)",
        median(literal) < 1.5,
        f"{size} vehicles: the literal CBA takes {median(literal):.1f} times the processor time of the literal ICBA.",
    )


def largest_cluster(causes: Causes, size: int) -> None:
    """Figure 10: the smallest probability, the more vehicles there are."""
    found = {}
    for many in (size // 4, size // 2, size):
        crowds = [
            _crowds(anonymized("icba", trips(many, seed), k=_k(size), similarity=0.6).data)[-1] for seed in (1, 2, 3)
        ]
        found[many] = median(crowds)
    words = ", ".join(f"{crowd:,.0f} of {many:,}" for many, crowd in found.items())
    few, some, most = found.values()
    causes.check(
        "largest-crowd",
        "Twice as many vehicles on the same kind of map put at least 1.4 times as many on the most common published "
        "trip, so that the smallest probability falls with the number of vehicles. (Written after it was seen that a "
        "map of 50 intersections has about the same.)",
        some >= 1.4 * few and most >= 1.4 * some,
        f"Vehicles on the most common published trip: {words}.",
    )


def _k(size: int) -> int:
    return max(2, size // 1000)


def _crowds(published: Any) -> list[int]:
    counts: dict[tuple[str, ...], int] = {}
    for row in published.to_lists():
        counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    return sorted(counts.values()) or [0]


def deviations(causes: Causes, size: int) -> None:
    """Figures 17b and 19b: the deviation of the errors with a larger similarity, and over other roads."""
    lines: dict[str, list[float]] = {"0.6": [], "0.8": [], "representative": [], "prefix": []}
    for seed in (1, 2, 3):
        data = generated("city", seed, objects=size, **MAP)
        for name, algorithm, given in (
            ("0.6", "icba", {"similarity": 0.6}),
            ("0.8", "icba", {"similarity": 0.8}),
            ("representative", "icba", {"similarity": 0.6, "error_roads": "representative"}),
            ("prefix", "bf-p2ka", {}),
        ):
            release = anonymized(algorithm, data, seed, k=_k(size), **given)
            lines[name].append(measured("road-error-deviation", data, release))
    middle = {name: median(line) for name, line in lines.items()}
    words = ", ".join(f"{name} {value:.3f}" for name, value in middle.items())
    causes.check(
        "deviation",
        "A similarity of 0.8 or errors over the roads of the representative make the deviation of ICBA smaller.",
        min(middle["0.8"], middle["representative"]) < middle["0.6"],
        f"Standard deviation of the errors: {words}.",
    )


def closed_routes(causes: Causes, size: int) -> None:
    """Figures 11c, 17c and 18c: inference routes of Prefix, and trips that reach k."""
    routes: list[float] = []
    frequent: list[float] = []
    for share in (0.25, 0.5, 1.0):
        cities = [trips(int(size * share), seed, nodes=100) for seed in (1, 2, 3)]
        releases = [anonymized("bf-p2ka", data, k=max(2, _k(size) // 2)) for data in cities]
        routes.append(median(measured("inference-routes", *pair) for pair in zip(cities, releases, strict=True)))
        frequent.append(median(len(_crowds(release.data)) for release in releases))
    causes.check(
        "frequent-trips",
        "The more vehicles, the more different trips Prefix publishes, and the more inference routes these leave.",
        routes == sorted(routes) and routes[-1] > routes[0] and frequent == sorted(frequent),
        f"A quarter, half and all of {size:,} vehicles: {', '.join(f'{value:.0f}' for value in frequent)} different "
        f"trips, {', '.join(f'{value:.0f}' for value in routes)} inference routes.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
