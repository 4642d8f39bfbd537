"""A release of prepared data, as seen from the data before the preparation: for fair figures of what is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Members
from sfumato.methods.release import Release
from sfumato.prepare.base import Preparation, Prepared, prepared_visits
from sfumato.prepare.lattice import Gridded
from sfumato.utility.heavy_losses import HeavyLoss, heavy_losses

__all__ = ["heavy_losses_of_prepared", "seen_from_original"]


def seen_from_original(
    release: Release[Trajectories], original: Trajectories, prepared: Prepared, steps: Sequence[Preparation]
) -> Release[Trajectories]:
    """The release of prepared visits: its labels stand for original locations, its origins are original visits.

    A cell stands for all visited locations in it, so that measures count the rounding to cells, too.

    >>> from sfumato import SeqAnon
    >>> from sfumato.prepare import Grid, prepare
    >>> walks = Trajectories.from_lists(["ab", "b", "c"], places={"a": (0, 0), "b": (1, 0), "c": (9, 0)})
    >>> ready = prepare(walks, Grid(cells=2))
    >>> release = SeqAnon(k=2, m=1).anonymize(ready.data)
    >>> seen = seen_from_original(release, walks, ready, [Grid(cells=2)])
    >>> seen.data.members, seen.origin.tolist()
    ({'label1': ('a', 'b', 'c')}, [0, 2, 3])
    """
    published = release.data
    below = _locations_below(original, steps)
    groups = [published.members.get(name, (name,)) for name in published.names]
    taken = [tuple(sorted(place for member in group for place in below.get(member, (member,)))) for group in groups]
    prefix = "label"
    while any(name.startswith(prefix) for name in original.names):
        prefix += "_"
    wide = len(str(len(taken)))
    labels = [places[0] if len(places) == 1 else f"{prefix}{at:0{wide}}" for at, places in enumerate(taken, start=1)]
    names = tuple(sorted(set(labels)))
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[label] for label in labels], dtype=np.int32)[published.codes]
    members: Members = {label: places for label, places in zip(labels, taken, strict=True) if len(places) > 1}
    data = replace(published, codes=codes, names=names, members=members, places=None)
    origin = _origin(release, prepared)
    changes: dict[str, Any] = {"data": data, "origin": origin, "original": original}
    return replace(release, **changes)


def heavy_losses_of_prepared(original: Any, seen: Any, release: Any) -> tuple[HeavyLoss, ...]:
    """The near-total losses of a release of prepared data, or else those of preparation and release together.

    seen : the release as seen from the original.  That a grid has fewer cells than there were places is no loss.
    """
    if seen is release:
        return heavy_losses(original, release)
    return heavy_losses(release.original, release) or tuple(
        loss for loss in heavy_losses(original, seen) if loss.measure != "labels"
    )


def _origin(release: Release[Trajectories], prepared: Prepared) -> Any:
    """The original visit of each published one; -1 for an invented visit, None where the release has none at all."""
    if release.origin is None or prepared.origin is None:
        return None
    return np.where(release.origin < 0, -1, prepared.origin[release.origin])


def _locations_below(original: Trajectories, steps: Sequence[Preparation]) -> dict[str, list[str]]:
    """The original locations that each location of the prepared data stands for, also of visits merged with others."""
    repeated = [replace(step, keep_repeats=True) if isinstance(step, Gridded) else step for step in steps]
    every = prepared_visits(original, *repeated)
    assert every.origin is not None
    size = max(1, len(original.names))
    pairs = np.unique(every.data.codes.astype(np.int64) * size + original.codes[every.origin])
    below: dict[str, list[str]] = {name: [] for name in every.data.names}
    for code, location in zip((pairs // size).tolist(), (pairs % size).tolist(), strict=True):
        below[every.data.names[code]].append(original.names[location])
    return below
