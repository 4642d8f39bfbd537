"""Linking pieces by trying everything: the slow twin of the relinking attack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from twins.attacks_fits import Members, fits_known, stands_for


def explained(first: Sequence[str], second: Sequence[str], members: Members, known: Sequence[str]) -> int:
    """The most known visits that two pieces explain, by every way to give each visit to one of them or to none."""
    best = 0
    for choice in product((0, 1, 2), repeat=len(known)):
        parts = [[visit for visit, where in zip(known, choice, strict=True) if where == side] for side in (1, 2)]
        if all(
            fits_known(piece, members, part, ordered=True) for piece, part in zip((first, second), parts, strict=True)
        ):
            best = max(best, len(parts[0]) + len(parts[1]))
    return best


def evidence(piece: Sequence[str], members: Members, own: Sequence[str], everybody: Sequence[str]) -> float:
    """How much more probable a piece is for a person with these other visits than for anybody, as a logarithm."""
    mine, all_visits = Counter(own), Counter(everybody)
    total = 0.0
    for label in piece:
        popularity = sum(all_visits[place] for place in stands_for(label, members)) / len(everybody)
        share = (sum(mine[place] for place in stands_for(label, members)) + popularity) / (len(own) + 1)
        total += math.log(share / popularity) if popularity else 0.0
    return total


def picked(scores: Mapping[int, float], owners: Sequence[int], target: int) -> float:
    """The probability that one of the other pieces with the best score has the owner of the target."""
    others = {piece: score for piece, score in scores.items() if piece != target}
    best = [piece for piece, score in others.items() if math.isclose(score, max(others.values()), abs_tol=1e-8)]
    return sum(owners[piece] == owners[target] for piece in best) / len(best)
