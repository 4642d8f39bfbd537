"""Leaves under the closest common ancestor, against climbing the tree by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato import Taxonomy
from sfumato.kernels.recoding.common_ancestors import leaves_in_common
from twins.seqanon import dissimilarity


def a_tree(rng: np.random.Generator) -> Taxonomy:
    """Random nodes under random earlier nodes: any shape, nodes with one child among them."""
    parents: dict[str, str | None] = {"n0": None}
    for number in range(1, 25):
        parents[f"n{number}"] = f"n{rng.integers(max(0, number - 6), number)}"
    return Taxonomy(parents)


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_with_climbing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = a_tree(rng)
    leaves = list(rng.permutation(tree.leaves))
    labels = [frozenset(map(str, leaves[at::4])) for at in range(min(4, len(leaves)))]
    spans = [[tree.span(leaf) for leaf in label] for label in labels]
    low = np.array([min(first for first, _ in span) for span in spans])
    high = np.array([max(end for _, end in span) for span in spans])
    others = np.arange(len(labels))
    for at, label in enumerate(labels):
        chain = [tree.span(node) for node in (min(label), *tree.ancestors(min(label)))]
        firsts, ends = np.array(chain).T.copy()
        found = leaves_in_common(at, others, low, high, firsts, ends)
        expected = [dissimilarity(label | other, tree) * len(tree.leaves) for other in labels]
        assert found.tolist() == pytest.approx(expected)


def test_nobody_to_compare_with() -> None:
    one = np.array([0])
    assert len(leaves_in_common(0, one[:0], one, one + 1, one, one + 1)) == 0
