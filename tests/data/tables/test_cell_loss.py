"""The cost of labels: hierarchies by leaves, numbers by lengths, and whole steps that stand for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from sfumato.data import Table, Taxonomy
from sfumato.data.tables.cell_loss import CellLoss
from sfumato.data.tables.encoding import Attribute, Coding
from tabled import JOB, numbers
from twins.tables import GONE, columns_of


def attribute(values: list[object], tree: Taxonomy | None = None) -> Attribute:
    table = Table({"column": values}, hierarchies={} if tree is None else {"column": tree})
    return Coding.of(table).attributes[0]


def test_a_hierarchy_costs_shares_of_leaves() -> None:
    job = attribute(["smith", "poet"], JOB)  # any, craft, wood, joiner, turner, smith, poet
    assert CellLoss(job).of_nodes.tolist() == [1, 3 / 4, 2 / 4, 0, 0, 0, 0]
    assert CellLoss(job, "granularity").of_nodes.tolist() == [1, 2 / 3, 1 / 3, 0, 0, 0, 0]
    assert CellLoss(job).of_leaf_ranges(np.array([0, 0, 0, 2]), np.array([0, 1, 2, 3])).tolist() == [0, 0.5, 0.75, 1]


def test_a_missing_value_among_numbers() -> None:
    loss = CellLoss(attribute([20, 24, None]))
    assert loss.of_ranges([None, (20, 24), (22, 23), (0, 22)]).tolist() == [1, 1, 0.25, 0.5]
    assert loss.of_leaf_ranges(np.array([0, 2, 0, 1]), np.array([1, 2, 2, 2])).tolist() == [1, 0, 1, 1]
    assert loss.of_nodes[[0, 1]].tolist() == [1, 1]  # any number or none; any number


@settings(max_examples=40, deadline=None)
@given(table=numbers())
def test_every_node_costs_what_the_twin_says(table: Table) -> None:
    for column, tree in zip(columns_of(table), Coding.of(table).attributes, strict=True):
        names = [GONE if name == "(missing)" else name for name in tree.names]
        for measure in ("ncp", "granularity"):
            expected = [column.cost(name, measure) for name in names]
            steps, most = CellLoss(tree, measure).in_steps
            assert CellLoss(tree, measure).of_nodes == pytest.approx([float(cost) for cost in expected])
            assert [cost * most for cost in expected] == steps.tolist()  # exact: the numbers are whole


@pytest.mark.parametrize("numbers", [[0.1, 0.25, 0.7], [0, 1 << 40, 1 << 52], [-3.5, 2.0]])
def test_lengths_that_are_not_whole_or_too_large_are_counted_on_a_grid(numbers: list[float]) -> None:
    loss = CellLoss(attribute(list(numbers)))
    steps, most = loss.in_steps
    assert most == 1 << 31
    assert steps / most == pytest.approx(loss.of_nodes, abs=1e-9)
    assert steps.max() == most
