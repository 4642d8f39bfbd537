"""Published labels read back."""

from __future__ import annotations

import pytest

from sfumato.data import Table, Taxonomy
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels

TREE = Taxonomy({"*": None, "low": "*", "1": "low", "2": "low", "3": "*"})


def labels(cells: list[str | None], members: dict[str, tuple[str, ...]] | None = None) -> Labels:
    attribute = Coding.of(Table({"x": [1, 3, None]}, hierarchies={"x": TREE})).attributes[0]
    return Labels.of(attribute, Table({"x": cells}, members={"x": members or {}}))


def test_nodes_members_ranges_and_nothing() -> None:
    read = labels([None, "low", "low", "2", "[2:3]", "g1"], {"g1": ("1", "(missing)")})
    by_first = sorted((leaves.tolist(), count) for leaves, count in zip(read.leaves, read.counts.tolist(), strict=True))
    assert by_first == [([0, 1], 2), ([0, 3], 1), ([1], 1), ([1, 2], 1), ([3], 1)]
    assert read.expected().tolist() == [1.5, 2.5, 0.5, 1.5]
    assert read.expected().sum() == pytest.approx(6)


def test_a_label_that_lists_itself() -> None:
    """Members may hold the label itself, as a node over a leaf of the same name would."""
    assert [leaves.tolist() for leaves in labels(["g"], {"g": ("g", "3")}).leaves] == [[2]]
