"""Choosing the clusters by what they cost: a cluster is halved where that displaces less."""

from __future__ import annotations

import numpy as np

from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.clustering import Clustered, Group, UnitsInOrder
from sfumato.methods.trajectories.klm.lm_anon import Recoded

__all__ = ["by_halving"]

_AHEAD = 3  # halvings that may pay only together


def by_halving(ground: UnitsInOrder, run: Run) -> Clustered:
    """Halve the units, and halve again, wherever two, four or eight parts displace less than the whole.

    No cluster has fewer than k units.  Parts need not be equal: each of them may be a half, a quarter or an eighth, so
    that the result displaces no more than 1, 2, 4 or 8 equal clusters do.
    """
    tried: dict[Group, tuple[Recoded, float]] = {}
    kept: list[Group] = []
    open_ones = [(0, len(ground))]
    while open_ones:
        wanted = [span for open_span in open_ones for span in _below(open_span, ground.k, _AHEAD) if span not in tried]
        tried |= dict(zip(wanted, ground.displaced(wanted, run), strict=True))
        better = {
            open_span for open_span in open_ones if _least(open_span, tried, ground.k, _AHEAD) < tried[open_span][1]
        }
        kept += [open_span for open_span in open_ones if open_span not in better]
        open_ones = [half for open_span in open_ones if open_span in better for half in _halves(open_span, ground.k)]
    kept.sort()
    bounds = np.array([start for start, _ in kept] + [len(ground)])
    return Clustered(bounds, tuple(tried[span][0] for span in kept), all(tried[span][0].safe for span in kept))


def _halves(span: Group, k: int) -> tuple[Group, ...]:
    start, end = span
    middle = start + (end - start) // 2
    return ((start, middle), (middle, end)) if middle - start >= k else ()


def _below(span: Group, k: int, levels: int) -> list[Group]:
    """The span, its halves, their halves, and so on."""
    deeper = [part for half in _halves(span, k) for part in _below(half, k, levels - 1)] if levels else []
    return [span, *deeper]


def _least(span: Group, tried: dict[Group, tuple[Recoded, float]], k: int, levels: int) -> float:
    """The smallest displacement of the span whole, or in parts."""
    halves = _halves(span, k) if levels else ()
    apart = sum(_least(half, tried, k, levels - 1) for half in halves) if halves else np.inf
    return min(tried[span][1], apart)
