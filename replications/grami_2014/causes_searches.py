"""`python causes_searches.py citeseer.lg FOLDER [SUPPORT]`: what optimizations save, without starting a process.

SUPPORT is the smallest support on CiteSeer of citeseer_ablation.toml (260).  Written are findings.json.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Any
from unittest.mock import patch

from replications.cause_tools import Causes
from sfumato.data import Graph
from sfumato.experiments.miners import subject_class
from sfumato.io import read_graph
from sfumato.mining.subgraphs.decision import Decision

OWN = ("levels", "distinct_neighbours", "propagation", "backjumping", "failed_nodes", "rounds", "ordering")
PAPERS = ("unique_labels", "automorphisms", "push_down", "lazy", "decomposition")
CHOSEN = {"No opt": (), "Pruning": ("push_down",), "Lazy": ("lazy", "decomposition")}


def main(file: str, out: str, support: str = "260") -> None:
    causes = Causes()
    graph = read_graph(file)
    taken = {name: decisions(graph, int(support), chosen) for name, chosen in CHOSEN.items()}
    whole = {name: sum(line) for name, line in taken.items()}
    longest = max(taken["No opt"], default=0.0) / max(whole["No opt"], 1e-9)
    words = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in whole.items())
    causes.check(
        "order",
        "In processor seconds of the decisions alone, after everything is compiled, the order is the paper's: pruning "
        "brings most, lazy search and decomposition less. (Written after it was seen that one candidate takes most of "
        "the time.)",
        whole["Pruning"] < whole["Lazy"] < whole["No opt"],
        f"CiteSeer at a support of {support}: {words}; without optimizations the longest of {len(taken['No opt'])} "
        f"candidates takes {longest:.0%} of the time.",
    )
    causes.write(out)


def decisions(graph: Graph, support: int, chosen: tuple[str, ...]) -> list[float]:
    """Processor seconds of each candidate, with these optimizations alone."""
    given: dict[str, Any] = {**dict.fromkeys((*OWN, *PAPERS), False), **dict.fromkeys(chosen, True)}
    miner = subject_class("subgraphs").from_json(
        {**given, "support": support, "ignore_edge_labels": True, "time_limit": 60}
    )
    miner.mine(graph)  # compiled before it is timed
    taken: list[float] = []
    decide = Decision.__call__

    def timed(decision: Decision, *args: Any) -> Any:
        begun = process_time()
        outcome = decide(decision, *args)
        taken.append(process_time() - begun)
        return outcome

    with patch.object(Decision, "__call__", timed):
        miner.mine(graph)
    return taken


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
