"""Containment through a taxonomy, against the definition."""

from __future__ import annotations

from random import Random

import numpy as np

from sfumato.data import Taxonomy
from sfumato.kernels.verify.disclosure import advance, containing
from sfumato.privacy.checks.taxonomy_preorder import Walk

TREE = Taxonomy({"*": None, "x": "*", "y": "*", "xx": "x", "a": "xx", "b": "x", "c": "y"})


def test_against_the_definition() -> None:
    walk, chance = Walk(TREE), Random(1)
    nodes = list(TREE.nodes)
    for _ in range(200):
        rows = [[chance.choice(nodes) for _ in range(chance.randint(0, 4))] for _ in range(5)]
        known = [chance.choice(nodes) for _ in range(chance.randint(1, 3))]
        codes = np.array([walk.number[node] for row in rows for node in row], dtype=np.int32)
        offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
        pattern = np.array([walk.number[node] for node in known], dtype=np.int32)
        expected = []
        for row in rows:
            rest = iter(row)
            expected.append(all(any(label in (node, *TREE.ancestors(node)) for label in rest) for node in known))
        found = np.zeros(5, dtype=np.bool_)
        containing(pattern, codes, offsets, walk.ends, found)
        assert found.tolist() == expected
        at = np.zeros(5, dtype=np.int64)
        for node in pattern:  # one by one comes to the same
            moved = np.empty_like(at)
            left = advance(at, node, codes, offsets, walk.ends, moved)
            assert left == np.count_nonzero(moved >= 0)
            at = moved
        assert (at >= 0).tolist() == expected
