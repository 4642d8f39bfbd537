"""Leaves of a hierarchy that are numbers, written in the same way as the values of a column of numbers."""

from __future__ import annotations

import re

import polars as pl

from sfumato.data.taxonomy import Taxonomy

__all__ = ["number_text", "whole_numbers", "with_plain_numbers"]

_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+[eE][+-]?\d+|(\d+\.\d*|\.\d+)[eE][+-]?\d+)")

_EXACT = 2.0**53  # above it, not every whole number is a decimal number


def number_text(texts: pl.Series) -> pl.Series:
    """The texts of decimal numbers, whole ones without the point: ``30.0`` reads ``30``, ``-0.0`` reads ``0``."""
    return texts.str.replace(r"\.0$", "").str.replace(r"^-0$", "0")


def whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame, in which a column of decimal numbers without a fraction is one of whole numbers.

    The form of a published column then does not say whether a suppressed row had a fraction.

    >>> whole_numbers(pl.DataFrame({"pay": [5.0, None], "rate": [0.5, 1.0]})).rows()
    [(5, 0.5), (None, 1.0)]
    """
    columns = []
    for column in frame.iter_columns():
        values = column.drop_nulls()
        if column.dtype.is_float() and len(values) and bool(((values % 1 == 0) & (values.abs() <= _EXACT)).all()):
            columns.append(column.cast(pl.Int64))
    return frame.with_columns(columns)


def with_plain_numbers(tree: Taxonomy) -> Taxonomy:
    """The hierarchy of a column of numbers, in which a leaf ``67.0`` or ``67.50`` is renamed to ``67`` or ``67.5``.

    A leaf keeps its name where another node has the plain name already.

    >>> tree = Taxonomy({"*": None, "67.0": "*", "67.5": "*", "over 70": "*"})
    >>> with_plain_numbers(tree).leaves
    ('67', '67.5', 'over 70')
    """
    number_leaves = [leaf for leaf in tree.leaves if _NUMBER.fullmatch(leaf)]
    plain_names = number_text(
        pl.Series([float(leaf) for leaf in number_leaves], dtype=pl.Float64).cast(pl.String)
    ).to_list()
    renamed: dict[str, str] = {}
    used_names = set(tree.nodes)
    for leaf, name in zip(number_leaves, plain_names, strict=True):
        if name not in used_names:
            renamed[leaf] = name
            used_names.add(name)
    if not renamed:
        return tree
    nodes = tree.to_parents()
    return Taxonomy(
        {renamed.get(node, node): parent for node, parent, _ in nodes},
        sensitive=[renamed.get(node, node) for node, _, flagged in nodes if flagged],
        rule=tree.rule,
    )
