"""`python causes_repairs.py CHECKINS.csv FOLDER [OBJECTS]`: what SEQANON has to repair, and what is then left.

CHECKINS.csv has the check-ins that prepare.py reads.  OBJECTS is the number of trajectories of a city (18,143).
Written are findings.json.
"""

from __future__ import annotations

import runpy
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from replications.cause_tools import Causes, anonymized, generated, measured, processor_seconds
from sfumato import Constraints, Taxonomy, read
from sfumato.io import read_places
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from sfumato.mining import FrequentSequences

KS = (2, 5, 25, 100)
PARTS = {"U1": 2, "U2": 4, "U3": 6}


def main(checkins: str, out: str, objects: str = "18143") -> None:
    causes, size = Causes(), int(objects)
    cities = [generated("city", seed, objects=size) for seed in (1, 2, 3)]
    with TemporaryDirectory() as folder:
        runpy.run_path(str(Path(__file__).with_name("prepare.py")))["main"](checkins, folder)
        days = read(Path(folder) / "checkins.csv", places=read_places(Path(folder) / "places.csv"))
    days = days.with_persons(None)
    repairs_in_cities(causes, cities)
    repairs_of_days(causes, days)
    displaced(causes, cities)
    partners(causes, days)
    single_visits(causes, cities)
    causes.write(out)


def repaired(name: str, data: Any, **given: Any) -> tuple[int, int]:
    """How many rare patterns a method goes through, and how many partners it compares to merge labels."""
    found = [0, 0]
    rare, nearest = Recoding.rare, Recoding.nearest

    def counted_rare(recoding: Any, k: int) -> Any:
        patterns = rare(recoding, k)
        found[0] += len(patterns)
        return patterns

    def counted_nearest(recoding: Any, label: int, factor: Any = None) -> Any:
        allowed = recoding.active if factor is None else factor[factor < float("inf")]
        found[1] += len(allowed) - 1
        return nearest(recoding, label, factor)

    with patch.object(Recoding, "rare", counted_rare), patch.object(Recoding, "nearest", counted_nearest):
        anonymized(name, data, **given)
    return found[0], found[1]


def repairs_in_cities(causes: Causes, cities: list[Any]) -> None:
    """Figures 20a and 20c: whether treating single visits first leaves fewer pairs to repair."""
    visitors = []
    for city in cities:
        counts: dict[str, int] = {}
        for row in city.to_lists():
            for location in set(row):
                counts[location] = counts.get(location, 0) + 1
        visitors.append(min(counts.values()))
    pairs = [
        (repaired("seqanon", city, k=k, m=2), repaired("seqanon-f", city, k=k, m=2)) for k in KS for city in cities
    ]
    same = sum(ours == theirs for ours, theirs in pairs)
    causes.check(
        "repairs-in-cities",
        "Where every location has more visitors than k, there is nothing to treat at single visits: SEQANON and "
        "SEQANON_F go through the same rare pairs and compare the same partners.",
        same == len(pairs) and min(visitors) >= max(KS),
        f"k = {', '.join(map(str, KS))} in {len(cities)} cities, whose rarest location has {min(visitors)} visitors: "
        f"the same in {same} of {len(pairs)} runs.",
    )


def repairs_of_days(causes: Causes, days: Any) -> None:
    """Figures 21a and 21b: the same on real check-ins, where many locations are rare."""
    ratios = {
        m: repaired("seqanon-f", days, k=5, m=m)[0] / max(1, repaired("seqanon", days, k=5, m=m)[0]) for m in (2, 3)
    }
    words = ", ".join(f"{ratio:.2f} times at m = {m}" for m, ratio in ratios.items())
    causes.check(
        "repairs-of-days",
        "On check-ins SEQANON_F has about as many rare patterns to repair as SEQANON at m = 2, and several times as "
        "many from m = 3 on.",
        ratios[2] < 1.2 and ratios[3] >= 2,
        f"{len(days):,} days, k = 5: SEQANON_F goes through {words} as many rare patterns.",
    )


def displaced(causes: Causes, cities: list[Any]) -> None:
    """Figure 22a: processor seconds of SEQANON and SD-SEQANON over k, without other work of the machine."""
    cities = [replace(city, taxonomy=Taxonomy.balanced(city.names, 6)) for city in cities]
    lines = {
        name: [
            median(processor_seconds(lambda city=city, k=k, name=name: _recoded(name, city, k)) for city in cities)
            for k in KS
        ]
        for name in ("seqanon", "sd-seqanon")
    }
    ratios = [theirs / ours for ours, theirs in zip(*lines.values(), strict=True)]
    words = "; ".join(f"{name} {', '.join(f'{value:.3f}' for value in line)} s" for name, line in lines.items())
    causes.check(
        "displaced",
        "In processor seconds both take longer with the largest k than with the smallest, and SD-SEQANON at most 1.5 "
        "times as long as SEQANON.",
        all(line[-1] > line[0] for line in lines.values()) and max(ratios) <= 1.5,
        f"k = {', '.join(map(str, KS))}: {words}.",
    )


def _recoded(name: str, data: Any, k: int) -> Any:
    return anonymized(name, data, k=k, m=2)


def partners(causes: Causes, days: Any) -> None:
    """Figure 22b: how many partners U-SEQANON compares, by the size of constraints."""
    compared = {"SEQANON": repaired("seqanon", days, k=5, m=2)[1]}
    names = sorted(days.names)
    for name, parts in PARTS.items():
        groups = Constraints({location: str(at * parts // len(names)) for at, location in enumerate(names)})
        compared[name] = repaired("u-seqanon", replace(days, constraints=groups), k=5, m=2, delta=100.0)[1]
    words = ", ".join(f"{many:,} {name}" for name, many in compared.items())
    line = list(compared.values())
    causes.check(
        "partners",
        "The smaller the constraints, the fewer partners are compared: fewer by half at least than without any.",
        line == sorted(line, reverse=True) and line[1] <= line[0] / 2,
        f"{len(days):,} days, k = 5: partners compared, {words}.",
    )


def single_visits(causes: Causes, cities: list[Any]) -> None:
    """Figures 12a and 13a: what is left where labels are large."""
    given = {"support": 0.0083, "projections": 10, "statistic": "median"}
    shares: dict[str, list[float]] = {
        "one": [],
        "k = 5, m = 3": [],
        "k = 100, m = 2": [],
        "NGRAMS": [],
        "NGRAMS, one": [],
    }
    for city in cities:
        found = FrequentSequences(support=0.0083).find(city.with_persons(None))
        shares["one"].append(100 * sum(found.lengths == 1) / len(found.lengths))
        for k, m in ((5, 3), (100, 2)):
            release = anonymized("seqanon", city, k=k, m=m)
            shares[f"k = {k}, m = {m}"].append(measured("patterns-preserved", city, release, **given))
        theirs = anonymized("ngrams", city, epsilon=0.1, l_max=20, n_max=5)
        shares["NGRAMS"].append(measured("patterns-preserved", city, theirs, **given))
        shares["NGRAMS, one"].append(measured("patterns-preserved", city, theirs, largest=1, **given))
    middle = {name: median(line) for name, line in shares.items()}
    ours = [middle["k = 5, m = 3"], middle["k = 100, m = 2"]]
    causes.check(
        "single-visits",
        "Where labels are large, at m = 3 or k = 100, SEQANON keeps the frequent patterns of one visit and hardly any "
        "other (at most 3% of all); NGRAMS keeps fewer of these, and more of the longer ones.",
        all(middle["one"] - 1 <= share <= middle["one"] + 3 for share in ours) and middle["NGRAMS, one"] < 100,
        f"{middle['one']:.0f}% of the frequent patterns have one visit. SEQANON keeps {ours[0]:.0f}% of all at k = 5 "
        f"and m = 3, {ours[1]:.0f}% at k = 100 and m = 2; NGRAMS {middle['NGRAMS']:.0f}%, and of those of one visit "
        f"{middle['NGRAMS, one']:.0f}%.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
