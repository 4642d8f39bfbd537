"""`python skewed.py "" FOLDER`: make skewed.csv and skewed_taxonomy.csv, which skewed_group_size.toml reads.

The data of milano_group_size.toml, with a taxonomy whose categories differ in size: in the generated one all categories
that are not sensitive have 26 or 27 places.  Here the places of a kind are dealt to its categories by Zipf's law, so
that some subtrees have many leaves and others few, as in a list of real points of interest.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.generate import Semantic
from sfumato.io import write

EXPONENT = 1.5


def main(_: str, folder: str | Path) -> None:
    made = Semantic(trajectories=6225, places=530, mean_length=5.2, sensitive=0.246).make(seed=1)
    tree = made.taxonomy
    parents = {leaf: tree.ancestors(leaf)[0] for leaf in tree.leaves}
    kinds = {category: tree.ancestors(category)[0] for category in parents.values()}
    hidden = set(tree.leaves) & tree.sensitive
    random = np.random.default_rng(1)
    for kind in sorted(set(kinds.values())):
        leaves = [leaf for leaf in tree.leaves if kinds[parents[leaf]] == kind and leaf not in hidden]
        categories = sorted({parents[leaf] for leaf in leaves})
        if len(categories) > 1:
            shares = 1 / np.arange(1, len(categories) + 1) ** EXPONENT
            drawn = random.choice(len(categories), size=len(leaves) - len(categories), p=shares / shares.sum())
            dealt = [*range(len(categories)), *drawn]  # no category stays empty
            parents |= {leaf: categories[number] for leaf, number in zip(leaves, dealt, strict=True)}
    root = tree.ancestors(next(iter(kinds.values())))[-1]
    rows = [(root, "", False), *((kind, root, False) for kind in dict.fromkeys(kinds.values()))]
    rows += [(category, kind, False) for category, kind in kinds.items()]
    rows += [(leaf, parent, leaf in hidden) for leaf, parent in parents.items()]
    frame = pl.DataFrame(rows, schema=["node", "parent", "sensitive"], orient="row")
    frame.write_csv(Path(folder) / "skewed_taxonomy.csv")
    target = Path(folder) / "skewed.csv"
    target.unlink(missing_ok=True)
    write(made, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
