"""Rows over four letters, published through labels in some records only: a local recoding, for the tests of attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

brief = settings(max_examples=25, deadline=None)
ONE = {"g1": ("a", "b"), "g2": ("c", "d")}
TWO = {"h1": ("b", "c"), "h2": ("a", "d")}
rows_of = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=6)


def through(labels: dict[str, tuple[str, ...]], rows: list[list[str]], which: list[bool]) -> list[list[str]]:
    """Rows in labels, those of `which` only: a local recoding."""
    label_of = {member: label for label, group in labels.items() for member in group}
    return [[label_of[leaf] for leaf in row] if moved else row for row, moved in zip(rows, which, strict=True)]


def seen_as(kind: Any, rows: list[list[str]], labels: dict[str, tuple[str, ...]]) -> Any:
    """Rows as a published dataset of a kind, with the labels that occur in them."""
    data = kind.from_lists(rows)
    return replace(data, ids=None, members={label: group for label, group in labels.items() if label in data.names})
