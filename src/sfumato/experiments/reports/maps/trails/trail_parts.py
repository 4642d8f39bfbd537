"""Colours of moving objects and symbols of categories, for pages and pictures."""

__all__ = ["COLOURS", "SYMBOLS", "symbol_of"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#b07d00", "#3a9bd6", "#555555", "#8c510a")
"""Colours of moving objects, in turn; beside them, numbers name the objects."""

SYMBOLS = ("square", "diamond", "up", "down", "star", "plus")
"""Symbols of the most frequent categories; all other categories share the cross."""


def symbol_of(category: int) -> str:
    """The symbol of a category by its rank.

    >>> symbol_of(0), symbol_of(9)
    ('square', 'cross')
    """
    return SYMBOLS[category] if category < len(SYMBOLS) else "cross"
