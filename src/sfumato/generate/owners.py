"""Owners of the places of synthetic data."""

from __future__ import annotations

import numpy as np

from sfumato.data import Places
from sfumato.errors import ParameterError

__all__ = ["OWNERS_HELP", "SPREADS", "SPREAD_HELP", "owned"]

OWNERS_HELP = "number of owners of the places; if not given, places have no owner"
SPREADS = ("uniform", "zipf")
SPREAD_HELP = "distribution of places over owners: equal numbers, or proportional to 1/r for the r-th owner"


def owned(places: Places, owners: int | None, spread: str, seed: int | None) -> Places:
    """The places with owners, drawn by a seed; every owner has at least one place.

    >>> shops = owned(Places.planar({name: (0, 0) for name in "abcdefghijk"}), 3, "zipf", seed=1)
    >>> sorted(shops.frame["owner"].value_counts().rows())
    [('o1', 5), ('o2', 3), ('o3', 3)]
    """
    if owners is None:
        return places
    n = len(places)
    if owners > n:
        raise ParameterError(f"owners: wanted at most one for each of {n} places, found {owners}")
    share = 1 / np.arange(1, owners + 1) if spread == "zipf" else np.ones(owners)
    exact = 1 + share / share.sum() * (n - owners)
    sizes = np.floor(exact).astype(np.int64)
    sizes[np.argsort(sizes - exact, kind="stable")[: n - sizes.sum()]] += 1  # the largest remainders
    width = len(str(owners))
    names = np.repeat([f"o{number:0{width}}" for number in range(1, owners + 1)], sizes)
    rng = np.random.default_rng(
        None if seed is None else (seed, 17)
    )  # a separate stream, so that owners do not change the visits
    return Places.from_frame({**places.frame.to_dict(), "owner": rng.permutation(names)})
