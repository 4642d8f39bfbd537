"""`python budget.py citeseer.lg FOLDER [BUDGETS]`: Figure 9, the smallest support that a time budget suffices for.

Each miner goes from large supports to small ones, each 7% smaller, until a support takes it longer than the largest
budget (1 to 5 seconds of processor time, as in the paper, unless BUDGETS names others, as 0.5,1).  CiteSeer is
directed, edge labels are ignored, distances are hops.  Written are findings.json and pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import Any

from replications.findings import Findings
from sfumato.data import Graph
from sfumato.experiments.definition.experiment import Expectation
from sfumato.experiments.miners import subject_class
from sfumato.io import read_graph

SAME_LABEL = 4
MINERS: dict[str, tuple[str, dict[str, Any]]] = {
    "GrowStore": ("grow-store", {"ignore_edge_labels": True}),
    "GraMi(1)": ("subgraphs", {"distance": 1}),
    "GraMi(4)": ("subgraphs", {"distance": 4}),
    "CGraMi(1)": ("subgraphs", {"distance": 1, "max_same_label": SAME_LABEL}),
    "CGraMi(4)": ("subgraphs", {"distance": 4, "max_same_label": SAME_LABEL}),
}
LARGEST, STEP = 900, 0.93
Sweep = list[tuple[int, float, int]]


def sweep(graph: Graph, miner: str, parameters: Mapping[str, Any], most_s: float) -> Sweep:
    """Support, seconds and number of patterns, from the largest support to the smallest that ends in time."""
    made = subject_class(miner)
    support = min(LARGEST, len(graph))
    made.from_json({**parameters, "support": support, "time_limit": most_s}).mine(graph)  # compiled before it is timed
    found: Sweep = []
    while support >= 2:
        begun = process_time()
        result = made.from_json({**parameters, "support": support, "time_limit": 3 * most_s}).mine(graph)
        seconds = process_time() - begun
        if not result.complete or seconds > most_s:
            break
        found.append((support, seconds, len(result)))
        support = min(support - 1, int(support * STEP))
    return found


def within(found: Sweep, budget_s: float) -> tuple[int, int]:
    """The smallest support that ends within the budget, and how many patterns it has."""
    support, _, patterns = min((row for row in found if row[1] <= budget_s), default=(LARGEST, 0.0, 0))
    return support, patterns


def main(file: str, out: str, budgets: str = "1,2,3,4,5") -> None:
    graph = read_graph(Path(file), directed=True)
    seconds = [float(part) for part in budgets.split(",")]
    sweeps = {name: sweep(graph, miner, given, max(seconds)) for name, (miner, given) in MINERS.items()}
    supports = {name: {at: float(within(found, at)[0]) for at in seconds} for name, found in sweeps.items()}
    patterns = {name: {at: float(within(found, at)[1]) for at in seconds} for name, found in sweeps.items()}
    findings = Findings()
    plain, constrained = ("GrowStore", "GraMi(1)", "GraMi(4)"), ("GraMi(1)", "CGraMi(1)", "GraMi(4)", "CGraMi(4)")
    for chart, names, lines, better in (
        ("9a", plain, supports, "lower"),
        ("9b", plain, patterns, "higher"),
        ("9c", constrained, supports, "lower"),
        ("9d", constrained, patterns, "higher"),
    ):
        what, more = ("smallest support", "a lower support") if better == "lower" else ("patterns", "more patterns")
        rivals = (
            (("GraMi(1)", "GrowStore"), ("GraMi(4)", "GrowStore"))
            if chart in ("9a", "9b")
            else (("CGraMi(1)", "GraMi(1)"), ("CGraMi(4)", "GraMi(4)"))
        )
        findings.judge(
            chart,
            {name: lines[name] for name in names},
            [
                (
                    f"{a} reaches {more} than {b} in the same time.",
                    Expectation("ordering", (a, b), better=better),
                )
                for a, b in rivals
            ],
            title=f"Figure {chart}: {what} within a time budget",
            x="seconds",
            y=what,
            log_y=True,
        )
    findings.write(out)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
