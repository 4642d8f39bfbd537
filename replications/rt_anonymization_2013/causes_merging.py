"""`python causes_merging.py INFORMS.csv FOLDER [PEOPLE]`: how many clusters are merged, and what that takes.

INFORMS.csv has the people that prepare.py reads.  PEOPLE is the number of generated and of real people (2,000).
Written are findings.json.
"""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from replications.cause_tools import Causes, anonymized, generated, processor_seconds
from sfumato.errors import Infeasible
from sfumato.experiments.definition.data_sources import make_base, sampled
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.single_run import cells_of

ORDERS = ("r", "t", "rt")


def main(informs: str, out: str, people: str = "2000") -> None:
    causes, size = Causes(), int(people)
    data = generated("mixed", people=size, codes=max(40, size // 10), mean_codes=6.5)
    merges(causes, data, max(2, size // 200))
    ends(causes, informs, size)
    causes.write(out)


def merges(causes: Causes, data: Any, k: int) -> None:
    """Figures 7a and 7b: what the three orders merge, and the clusters that are left to recode."""
    given = {"k": k, "m": 2, "delta": 0.65, "transaction": "coat"}
    made, left, seconds = {}, {}, {}
    for order in ORDERS:
        counts = anonymized("rum-bound", data, **given, merge=order).counts
        made[order], left[order] = counts["merges"], counts["clusters"]
        seconds[order] = processor_seconds(lambda order=order: anonymized("rum-bound", data, **given, merge=order))
    words = "; ".join(
        f"RM_{order.upper()} {made[order]} merges, {left[order]} clusters left, {seconds[order]:.2f} s"
        for order in ORDERS
    )
    causes.check(
        "merges",
        "RM_T makes the fewest merges, and has the most clusters left to recode one by one, so that it is not the "
        "fastest in processor seconds.",
        made["t"] == min(made.values()) and left["t"] == max(left.values()) and seconds["t"] > seconds["r"],
        f"k = {k}: {words}.",
    )


def ends(causes: Causes, informs: str, size: int) -> None:
    """Figure 5d: how many clusters are left at the smallest bound, and at a large one."""
    with TemporaryDirectory() as folder:
        runpy.run_path(str(Path(__file__).with_name("prepare.py")))["main"](informs, folder)
        experiment = Path(folder) / "tum_diversity.toml"
        shutil.copyfile(Path(__file__).with_name("tum_diversity.toml"), experiment)
        people = sampled(make_base(cells_of(read_experiment(experiment))[0].spec.data), size, 1)
    left: dict[int, dict[str, int]] = {}
    for percent in (50, 60, 75, 90):
        try:
            left[percent] = {
                order: anonymized("tum-bound", people, k=25, l=2, m=2, delta=percent / 100, merge=order).counts[
                    "clusters"
                ]
                for order in ORDERS
            }
        except Infeasible:
            continue
    words = "; ".join(
        f"{percent}%: " + ", ".join(f"TM_{order.upper()} {many}" for order, many in row.items())
        for percent, row in left.items()
    )
    causes.check(
        "ends",
        "At the smallest bound that can be met all three merge until at most ten clusters are left.",
        bool(left) and max(left[min(left)].values()) <= 10,
        f"{len(people):,} people of INFORMS, k = 25, l = 2; clusters left at each bound that can be met, {words}.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
