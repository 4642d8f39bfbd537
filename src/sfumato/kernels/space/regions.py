"""Disjoint rectangles of grid cells, grown from the densest cells.

A rectangle is int64[4]: left, low, right, high, the last two excluded.  Sums over a rectangle come from
sums : int64[columns + 1, rows + 1] over everything to the left and below.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["grow_regions"]


@njit(cache=True)
def _inside(sums, box):
    return sums[box[2], box[3]] - sums[box[0], box[3]] - sums[box[2], box[1]] + sums[box[0], box[1]]


@njit(cache=True)
def _best_side(box, sums, dense, taken, threshold):
    """The side on which one more column or row is allowed and leaves the mean density highest, or -1."""
    best, highest = -1, 0.0
    for side in range(4):  # west, south, east, north
        grown = box.copy()
        grown[side] += -1 if side < 2 else 1
        if grown[side] < 0 or (side >= 2 and grown[side] > taken.shape[side - 2]):
            continue
        added = grown.copy()
        added[(side + 2) % 4] = box[side]
        if _inside(dense, added) == 0:
            continue
        mean = _inside(sums, grown) / ((grown[2] - grown[0]) * (grown[3] - grown[1]))
        if mean < threshold or mean <= highest or taken[added[0] : added[2], added[1] : added[3]].any():
            continue
        best, highest = side, mean
    return best


@njit(cache=True)
def grow_regions(sums, dense, seeds, threshold):
    """Disjoint rectangles that cover every seed, in the order of the seeds.

    sums, dense : summed densities, and summed numbers of dense cells.
    seeds : int64[n, 2], the column and row of each dense cell, densest first.
    A rectangle grows by whole columns or rows as long as its mean density stays at the threshold or above, and what is
    added holds a dense cell and belongs to no other rectangle.  Returns int64[regions, 4].
    """
    taken = np.zeros((sums.shape[0] - 1, sums.shape[1] - 1), dtype=np.bool_)
    regions = np.empty((len(seeds), 4), dtype=np.int64)
    number = 0
    for seed in range(len(seeds)):
        if taken[seeds[seed, 0], seeds[seed, 1]]:
            continue
        box = regions[number]
        box[0], box[1] = seeds[seed, 0], seeds[seed, 1]
        box[2], box[3] = box[0] + 1, box[1] + 1
        side = _best_side(box, sums, dense, taken, threshold)
        while side >= 0:
            box[side] += -1 if side < 2 else 1
            side = _best_side(box, sums, dense, taken, threshold)
        taken[box[0] : box[2], box[1] : box[3]] = True
        number += 1
    return regions[:number]
