"""`python causes.py FOLDER [TRAJECTORIES]`: try the causes of what differs from the paper.  Written are findings.json.

TRAJECTORIES is the number of generated trajectories (6,225, as in Milano).
"""

from __future__ import annotations

import sys
from statistics import median
from typing import Any

from replications.cause_tools import Causes, anonymized, generated, measured

MILANO: dict[str, Any] = {"places": 530, "mean_length": 5.2, "sensitive": 0.246}


def main(out: str, trajectories: str = "6225") -> None:
    causes, size = Causes(), int(trajectories)
    data = generated("semantic", trajectories=size, **MILANO)
    releases = {
        many: anonymized("cast", data, c=0.3, distance="hops", group_size=many) for many in (5, 15, 30) if many < size
    }
    lifted(causes, data, releases)
    time_of_groups(causes, data, size)
    few_trajectories(causes, size)
    causes.write(out)


def lifted(causes: Causes, data: Any, releases: dict[int, Any]) -> None:
    """Figures 12 to 15: what is left of a trajectory in a larger group."""
    known = {
        many: [measured("guessed-places", data, release, known=places) for places in (1, 3)]
        for many, release in releases.items()
    }
    visits = {many: len(release.data.codes) / max(1, len(release.data)) for many, release in releases.items()}
    words = "; ".join(
        f"groups of {many}: {known[many][0]:.3f} and {known[many][1]:.3f}, {visits[many]:.2f} visits"
        for many in releases
    )
    kept = list(visits.values())
    causes.check(
        "visits-left",
        "The larger the groups, the fewer visits a published trajectory has.",
        kept == sorted(kept, reverse=True) and kept[0] > kept[-1],
        f"Probability of the victim's place with 1 and 3 known places, and visits a trajectory: {words}.",
    )


def time_of_groups(causes: Causes, data: Any, size: int) -> None:
    """Figure 16: where the time goes, by the size of a group and by c."""
    spent: dict[str, dict[str, float]] = {}
    for name, given in (
        ("5, c 0.3", {"group_size": 5, "c": 0.3}),
        ("30, c 0.3", {"group_size": 30, "c": 0.3}),
        ("5, c 0.05", {"group_size": 5, "c": 0.05}),
    ):
        if given["group_size"] >= size:
            continue
        runs = [anonymized("cast", data, distance="hops", **given).seconds for _ in range(3)]
        spent[name] = {phase: median(run.get(phase, 0.0) for run in runs) for phase in runs[0]}
    words = "; ".join(
        f"groups of {name}: " + ", ".join(f"{phase} {value:.3f} s" for phase, value in row.items() if value > 0.005)
        for name, row in spent.items()
    )
    causes.add("time", "", "measured", f"{words}.")


def few_trajectories(causes: Causes, size: int) -> None:
    """Figures 4b and 4d: patterns at a low support, the more trajectories there are."""
    shares = []
    sizes = (size // 4, size, 4 * size)
    for many in sizes:
        data = generated("semantic", trajectories=many, **MILANO)
        release = anonymized("cast", data, c=0.3, distance="hops", group_size=min(15, many // 3))
        shares.append(measured("pattern-count", data, release, support=0.002))
    words = ", ".join(f"{share:.0f}% of {many:,}" for share, many in zip(shares, sizes, strict=True))
    causes.check(
        "more-trajectories",
        "At a support of 0.2%, the more trajectories, the fewer patterns the release has beside the original.",
        shares[0] > shares[1] > shares[2],
        f"Patterns of the release, as a share of those of the original, by the number of trajectories: {words}.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
