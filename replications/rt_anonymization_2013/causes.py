"""`python causes.py FOLDER [PEOPLE]`: try the causes of what differs from the paper.  Written are findings.json.

PEOPLE is the number of generated people (3,000).
"""

from __future__ import annotations

import sys
from typing import Any

from replications.cause_tools import Causes, anonymized, generated
from sfumato.errors import Infeasible

ORDERS = ("r", "t", "rt")


def main(out: str, people: str = "3000") -> None:
    causes, size = Causes(), int(people)
    data = generated("mixed", people=size, codes=max(40, size // 20), mean_codes=6.5)
    first_loss(causes, size)
    first_clusters(causes, data, max(2, size // 200))
    causes.write(out)


def first_loss(causes: Causes, people: int) -> None:
    """What the first clusters of 100 people lose, in small and with more people."""
    lost = {
        many: smallest_bound(generated("mixed", people=many, codes=936, mean_codes=6.5), min(100, many // 4))
        for many in (people, 4 * people)
    }
    words = ", ".join(f"{value:.2f} of {many:,} people" for many, value in lost.items())
    few, many = lost.values()
    causes.check(
        "first-loss",
        "In small, the first clusters lose as much as the smallest bound, 0.4, allows or nearly so (0.35 and more), so "
        "that nothing is left to merge; of four times as many people they lose less.",
        few >= 0.35 and many < few,
        f"The smallest bound that the first clusters meet: {words}.",
    )


def smallest_bound(data: Any, k: int) -> float:
    """The loss of the first clusters, to a fiftieth."""
    for delta in range(10, 100, 2):
        try:
            anonymized("rum-bound", data, k=k, m=2, delta=delta / 100, transaction="coat", merge="r")
        except Infeasible:
            continue
        return delta / 100
    return 1.0


def first_clusters(causes: Causes, data: Any, k: int) -> None:
    """Where the time goes."""
    shares = {}
    for order in ORDERS:
        anonymized("rum-bound", data, k=k, m=2, delta=0.85, transaction="coat", merge=order)  # compiled
        spent = anonymized("rum-bound", data, k=k, m=2, delta=0.85, transaction="coat", merge=order).seconds
        own = {name: value for name, value in spent.items() if name not in ("publishing", "verifying")}
        shares[order] = (own["merging clusters"] / sum(own.values()), own["merging clusters"])
    words = ", ".join(f"RM_{order.upper()} {share:.0%} ({spent:.3f} s)" for order, (share, spent) in shares.items())
    causes.check(
        "time-of-merging",
        "Merging, in which the three differ, takes less than half of the time of each.",
        all(share < 0.5 for share, _ in shares.values()),
        f"Share of the time that is spent on merging: {words}.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
