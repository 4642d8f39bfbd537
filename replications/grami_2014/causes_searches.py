"""`python causes_searches.py citeseer.lg FOLDER [SUPPORTS]`: where the time goes that optimizations save.

SUPPORTS are supports on CiteSeer (280,300), of those of citeseer_ablation.toml.  Written are findings.json.
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
CHOSEN = {"No opt": (), "Pruning": ("push_down",), "Lazy": ("lazy",), "Decomposition": ("decomposition",)}


def main(file: str, out: str, supports: str = "280,300") -> None:
    causes = Causes()
    graph = read_graph(file)
    longest: list[float] = []
    words: list[str] = []
    faster = True
    for support in map(int, supports.split(",")):
        taken = {name: decisions(graph, support, chosen) for name, chosen in CHOSEN.items()}
        whole = {name: sum(line) for name, line in taken.items()}
        longest.append(max(taken["No opt"]) / max(whole["No opt"], 1e-9))
        faster &= max(whole["Lazy"], whole["Decomposition"]) < whole["Pruning"] < whole["No opt"]
        words.append(
            f"support {support}: the longest of {len(taken['No opt'])} candidates takes {longest[-1]:.0%} of the time; "
            + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in whole.items())
        )
    causes.check(
        "one-search",
        "On CiteSeer most of the time without optimizations is that of one candidate. Lazy search alone and "
        "decomposition alone end it; pruning, which takes away nodes that are not valid, shortens it, but not as much.",
        min(longest) > 0.5 and faster,
        f"{'; '.join(words)}.",
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
