"""The layout of a small pattern: distances of nodes are close to the number of edges between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["layout"]

ROUNDS = 1000
STILL = 1e-5  # edges
FLAT = 0.35
Points = npt.NDArray[np.float64]


def layout(n_nodes: int, pairs: Sequence[tuple[int, int]]) -> Points:
    """Points in the square from -1 to 1 for the nodes of a connected pattern.

    Their distances come near to the numbers of edges between them (stress majorization), from a circle on, so that
    a pattern is always drawn alike.  The longest way lies across.

    >>> layout(3, [(0, 1), (1, 2)]).round(1)[:, 0].tolist()
    [-1.0, 0.0, 1.0]
    """
    far = _distances(n_nodes, pairs)
    around = 2 * np.pi * np.arange(n_nodes) / n_nodes + 0.1
    points = np.column_stack([np.cos(around), np.sin(around)]) * far.max(initial=1) / 2
    weight = np.where(far > 0, 1.0 / np.maximum(far, 1) ** 2, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    for _ in range(ROUNDS):  # each point goes to the mean of where the others want it
        away = points[:, None, :] - points[None, :, :]
        long = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
        wanted = points[None, :, :] + away * (far / long)[..., None]
        moved = (weight[..., None] * wanted).sum(axis=1) / np.maximum(total, 1e-9)
        points, still = moved, np.abs(moved - points).max() < STILL
        if still:
            break
    return _fitted(points)


def _distances(n_nodes: int, pairs: Sequence[tuple[int, int]]) -> Points:
    far = np.full((n_nodes, n_nodes), np.inf)
    np.fill_diagonal(far, 0)
    for i, j in pairs:
        far[i, j] = far[j, i] = 1
    for middle in range(n_nodes):
        far = np.minimum(far, far[:, middle, None] + far[None, middle, :])
    return far


def _fitted(points: Points) -> Points:
    """The points, rotated so that the longest axis is horizontal with the first node on the left, and scaled to fit."""
    points = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(points, full_matrices=True)
    points = points @ axes.T
    points *= np.where(points[0] > 1e-9, -1.0, 1.0)  # a turned or mirrored pattern is the same
    size = np.abs(points).max(initial=0)
    fitted = points / size if size > 0 else points
    if len(points) > 4 and np.abs(fitted[:, 1]).max() < FLAT:  # a long row has more room as a zigzag
        rank = np.argsort(np.argsort(fitted[:, 0], kind="stable"))
        fitted[:, 1] += np.where(rank % 2, -FLAT, FLAT)
    return np.where(np.abs(fitted) < 1e-6, 0.0, fitted)
