"""`python causes_changes.py GOWALLA.csv FOLDER [OBJECTS]`: how many changes the four methods make, and of which kind.

GOWALLA.csv has the check-ins that gowalla.py reads.  OBJECTS is the number of trajectories of a city (2,000).  Written
are findings.json.
"""

from __future__ import annotations

import runpy
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from replications.cause_tools import Causes, anonymized, generated, measured, processor_seconds, twin
from sfumato import read
from sfumato.io import read_places

METHODS = ("gsup", "lsup", "split", "mix")
GIVEN = {"threshold": 0.5, "batch": 10}
OWNERS = (2, 4, 8, 16)


def main(checkins: str, out: str, objects: str = "2000") -> None:
    causes, size = Causes(), int(objects)
    owners(causes, size)
    short(causes, size)
    long_days(causes, checkins, size)
    causes.write(out)


def owners(causes: Causes, size: int) -> None:
    """Figures 10a to 10d: changes, and what each of them costs, by the number of owners."""
    projections = twin("twins.projections")
    changes: dict[str, list[int]] = {name: [] for name in METHODS}
    seconds: dict[str, list[float]] = {name: [] for name in METHODS}
    slow: list[float] = []
    for many in OWNERS:
        city = generated("city", objects=size, owners=many)
        for name in METHODS:
            changes[name].append(anonymized(name, city, **GIVEN).counts["changes"])
            seconds[name].append(processor_seconds(lambda name=name, city=city: anonymized(name, city, **GIVEN)))
        few = generated("city", objects=max(20, size // 30), owners=many)
        rows = few.to_lists()
        owner_of = dict(zip(few.places.frame["location"], few.places.frame["owner"], strict=True))

        def literal(rows: list[list[str]] = rows, owner_of: dict[str, str] = owner_of) -> None:
            projections.lsup(projections.Dataset(rows, None, owner_of, GIVEN["threshold"]), GIVEN["batch"])

        slow.append(processor_seconds(literal, 1))
    made = "; ".join(f"{name} {', '.join(map(str, line))}" for name, line in changes.items())
    causes.check(
        "owners",
        "The more owners, the fewer changes are needed, as the paper expects; but the literal LSUP takes longer all "
        "the same, since it goes through the projections of every owner.",
        all(line[-1] < line[0] for line in changes.values()) and slow[-1] > slow[0],
        f"{size:,} trajectories and {', '.join(map(str, OWNERS))} owners: changes, {made}. The literal LSUP on "
        f"{max(20, size // 30)} trajectories: {', '.join(f'{value:.3f}' for value in slow)} s.",
    )
    ratios = [mix / split for mix, split in zip(seconds["mix"], seconds["split"], strict=True)]
    causes.check(
        "mix",
        "MIX makes about as many changes as SPLIT (within a tenth), and to evaluate a visit for both costs little "
        "here: it takes at most 1.3 times the processor time.",
        all(abs(mix / split - 1) <= 0.1 for mix, split in zip(changes["mix"], changes["split"], strict=True))
        and max(ratios) <= 1.3,
        f"Changes of SPLIT {', '.join(map(str, changes['split']))}, of MIX {', '.join(map(str, changes['mix']))}; MIX "
        f"takes {', '.join(f'{ratio:.2f}' for ratio in ratios)} times as long.",
    )


def short(causes: Causes, size: int) -> None:
    """Figure 6d: what MIX does to short trajectories."""
    shares = {}
    for units in (4, 8, 25):
        city = generated("city", objects=size, owners=4, time_units=units)
        counts = anonymized("mix", city, **GIVEN).counts
        shares[units] = counts["suppressed_visits"] / max(1, counts["suppressed_visits"] + counts["split_points"])
    words = ", ".join(f"{share:.0%} at {units}" for units, share in shares.items())
    line = list(shares.values())
    causes.check(
        "short",
        "The shorter the trajectories, the more of its changes MIX makes by suppressing a visit, as LSUP does: more "
        "than half of them at 4 time units.",
        all(a > b for a, b in pairwise(line)) and line[0] > 0.5,
        f"Suppressed visits among the changes of MIX, by the time units of a trajectory: {words}.",
    )


def long_days(causes: Causes, checkins: str, size: int) -> None:
    """Figures 11b and 11c: days of Gowalla users with many visits, and those with few."""
    with TemporaryDirectory() as folder:
        runpy.run_path(str(Path(__file__).with_name("gowalla.py")))["main"](checkins, folder)
        places = read_places(Path(folder) / "gowalla_places.csv")
        days = read(Path(folder) / "gowalla.csv", kind="trajectories", places=places)
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for words, fits in (("up to 3", days.lengths <= 3), ("6 and more", days.lengths >= 6)):
        some = days.take(np.flatnonzero(fits)[:size])
        releases = {name: anonymized(name, some, **GIVEN) for name in ("gsup", "lsup", "split")}
        found[words] = {
            name: (measured("arel", some, made), measured("patterns-preserved", some, made, support=0.01))
            for name, made in releases.items()
        }
    few, many = found.values()
    causes.check(
        "long-days",
        "On days of 6 and more visits SPLIT answers better than LSUP by a larger share than on days of up to 3, and "
        "LSUP keeps at least as many frequent sequences as GSUP, as in the paper; on days of up to 3 it keeps fewer.",
        many["split"][0] < many["lsup"][0] * min(1.0, few["split"][0] / max(few["lsup"][0], 1e-9))
        and many["lsup"][1] >= many["gsup"][1]
        and few["lsup"][1] < few["gsup"][1],
        "; ".join(
            f"days of {words} visits: "
            + ", ".join(f"{name} {error:.3f} and {kept:.0f}%" for name, (error, kept) in row.items())
            for words, row in found.items()
        )
        + " (AREL, frequent sequences kept).",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
