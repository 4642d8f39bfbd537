"""`python constraint_sizes.py FOLDER [OBJECTS]`: Figures 19a and 19b with the constraints of Figure 18.

OBJECTS is the number of trajectories of a city (18,143), in each of three cities.  U1 has two constraints of 50 cells,
U2 four of 25, and U3 six of 14 to 20, as in the paper, which does not say which locations are in one: here the cells
are in random order, as in the scattered taxonomy of city_k.toml.  Written are findings.json and pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from replications.cause_tools import anonymized, generated, measured
from replications.findings import Findings
from sfumato import Constraints
from sfumato.errors import Infeasible
from sfumato.experiments.definition.experiment import Expectation

KS = (2, 5, 10, 25, 50, 100)
SIZES = {"U1": (50, 50), "U2": (25, 25, 25, 25), "U3": (20, 14, 16, 14, 18, 18)}
DELTA = 10  # percent of the locations that may be suppressed


def main(out: str, objects: str = "18143") -> None:
    cities = [generated("city", seed, objects=int(objects)) for seed in (1, 2, 3)]
    lines: dict[str, dict[str, dict[int, float]]] = {"label-size": {}, "distance-percentage": {}}
    for name in ("SeqAnon", *SIZES):
        for k in KS:
            figures = [found for city in cities if (found := _figures(city, name, k)) is not None]
            for number, measure in enumerate(lines):
                if len(figures) == len(cities):
                    lines[measure].setdefault(name, {})[k] = median(figure[number] for figure in figures)
    findings = Findings()
    findings.judge(
        "19a",
        lines["label-size"],
        [
            (
                "The smaller the constraints, the smaller the generalized locations; all are smaller than SEQANON's.",
                Expectation("ordering", ("U3", "U2", "U1", "SeqAnon"), better="lower"),
            )
        ],
        title="Figure 19a: size of generalized locations, constraints of the paper's sizes",
        x="k",
        y="locations",
    )
    findings.judge(
        "19b",
        lines["distance-percentage"],
        [
            (
                "The smaller the constraints, the farther apart what is put together; SEQANON puts the closest "
                "together.",
                Expectation("ordering", ("SeqAnon", "U1", "U2", "U3"), better="lower"),
            )
        ],
        title="Figure 19b: distance in generalized locations, constraints of the paper's sizes",
        x="k",
        y="% of the largest distance",
    )
    findings.write(out)


def _figures(city: Any, name: str, k: int) -> tuple[float, float] | None:
    """Label size and distance; none where more than delta would have to be suppressed."""
    if name == "SeqAnon":
        release = anonymized("seqanon", city, k=k, m=2)
    else:
        fenced = replace(city, constraints=constraints_of(city.names, SIZES[name]))
        try:
            release = anonymized("u-seqanon", fenced, k=k, m=2, delta=DELTA)
        except Infeasible:
            return None
    return measured("label-size", city, release), measured("distance-percentage", city, release)


def constraints_of(names: Sequence[str], sizes: Sequence[int]) -> Constraints:
    """Constraints of these sizes over the locations in random order; of other than 100 locations, the same shares."""
    ends = np.cumsum(sizes) / sum(sizes) * len(names)
    order = np.random.default_rng(1).permutation(len(names)).tolist()
    return Constraints({names[at]: str(int(np.searchsorted(ends, rank, "right"))) for rank, at in enumerate(order)})


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
