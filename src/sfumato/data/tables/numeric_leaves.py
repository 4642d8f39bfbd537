"""Numbers among the leaves of a hierarchy, written as the values of a column of numbers are."""

from __future__ import annotations

import re

import polars as pl

from sfumato.data.taxonomy import Taxonomy

__all__ = ["number_text", "with_plain_numbers"]

_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+[eE][+-]?\d+|(\d+\.\d*|\.\d+)[eE][+-]?\d+)")


def number_text(texts: pl.Series) -> pl.Series:
    """The texts of decimal numbers, whole ones without the point: ``30.0`` reads ``30``, ``-0.0`` reads ``0``."""
    return texts.str.replace(r"\.0$", "").str.replace(r"^-0$", "0")


def with_plain_numbers(tree: Taxonomy) -> Taxonomy:
    """The hierarchy of a column of numbers, in which a leaf ``67.0`` or ``67.50`` is the number 67 or 67.5.

    A leaf whose plain name another node has already keeps its own.

    >>> tree = Taxonomy({"*": None, "67.0": "*", "67.5": "*", "over 70": "*"})
    >>> with_plain_numbers(tree).leaves
    ('67', '67.5', 'over 70')
    """
    written = [leaf for leaf in tree.leaves if _NUMBER.fullmatch(leaf)]
    plain = number_text(pl.Series([float(leaf) for leaf in written], dtype=pl.Float64).cast(pl.String)).to_list()
    renamed: dict[str, str] = {}
    taken = set(tree.nodes)
    for leaf, name in zip(written, plain, strict=True):
        if name not in taken:
            renamed[leaf] = name
            taken.add(name)
    if not renamed:
        return tree
    nodes = tree.to_parents()
    return Taxonomy(
        {renamed.get(node, node): above for node, above, _ in nodes},
        sensitive=[renamed.get(node, node) for node, _, flagged in nodes if flagged],
    )
