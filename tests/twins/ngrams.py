"""Slow, literal twins of NGRAMS without noise: which grams are told with which count, and what follows a walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, floor, log

from sfumato.privacy.noise.budget import WHOLE

Gram = tuple[str, ...]
BEGIN, END = "^", "$"


def counted(walks: Sequence[Sequence[str]], longest: int) -> Counter[Gram]:
    """How often each gram occurs in walks that have a begin and an end; an end alone is no gram."""
    found: Counter[Gram] = Counter()
    for walk in walks:
        symbols = (BEGIN, *walk, END)
        for start in range(len(symbols) - 1):
            for end in range(start + 1, min(start + longest, len(symbols)) + 1):
                found[symbols[start:end]] += 1
    return found


def explored(
    walks: Sequence[Sequence[str]], places: Sequence[str], epsilon: float, at_most: int, longest: int
) -> dict[Gram, int]:
    """The exploration tree if all noise is 0."""
    true = counted(walks, longest)
    tree: dict[Gram, int] = {(symbol,): true[(symbol,)] for symbol in (*places, BEGIN)}
    used: dict[Gram, int] = {(): WHOLE // longest}

    def threshold(share: int) -> float:
        return at_most * WHOLE / (epsilon * share) * log((len(places) + 1) / 2)

    told_above = {gram: threshold(used[()]) for gram in tree}
    level = list(tree)
    for depth in range(1, longest):
        grown: list[Gram] = []
        for gram in level:
            if tree[gram] <= told_above[gram] or gram[-1] == END:
                continue
            left = WHOLE - sum(used[gram[:length]] for length in range(depth))
            share = left // _levels(gram, tree, told_above[gram], longest - depth)
            if share < WHOLE >> 20:
                continue
            used[gram] = share
            for symbol in (*places, END):
                enough = true[(*gram, symbol)] >= max(1, floor(threshold(share)) + 1)
                if enough or (symbol == END and gram != (BEGIN,)):
                    grown.append((*gram, symbol))
        for gram in grown:
            tree[gram] = true[gram]
            told_above[gram] = threshold(used[gram[:-1]])
        for gram in grown:
            shorter = gram[1:-1]
            if any(other[:-1] == shorter for other in tree):
                without_first = gram[1:] if gram[1:] != (END,) else (BEGIN,)
                tree[gram] = min(tree[gram], tree.get(without_first, 0))
        level = grown
    return tree


def _levels(gram: Gram, tree: dict[Gram, int], above: float, most: int) -> int:
    shorter = gram[1:]
    while shorter and (shorter not in tree or not any(_children(shorter, tree))):
        shorter = shorter[1:]
    children = _children(shorter, tree)
    own = tree[shorter] if shorter else sum(children) - tree[(BEGIN,)]
    whole = max(sum(children) if shorter else own, own, 1)
    share = min(max(min(max(children, default=0) / whole, 1.0), 1e-9), 1 - 1e-9)
    levels = ceil(log(max(above, 1) / max(tree[gram], 1)) / log(share))
    return min(max(levels, 1), most)


def _children(gram: Gram, tree: dict[Gram, int]) -> list[int]:
    return [count for other, count in tree.items() if len(other) == len(gram) + 1 and other[:-1] == gram]


def next_chances(walk: Sequence[str], tree: dict[Gram, int], places: Sequence[str]) -> dict[str, float]:
    """How likely each symbol follows a walk (that has a begin): what a gram does not tell is left to shorter ones."""
    symbols = (BEGIN, *walk)
    visits = sum(tree[(place,)] for place in places)
    ending = min(1.0, tree[(BEGIN,)] / visits) if walk else 0.0
    chances = {place: (1 - ending) * tree[(place,)] / visits for place in places} | {END: ending}
    for length in range(1, min(len(symbols), max(map(len, tree)) - 1) + 1):
        gram = symbols[len(symbols) - length :]
        told = {other[-1]: count for other, count in tree.items() if other[:-1] == gram}
        if not told:
            continue
        total = sum(told.values())
        own = total / max(total, tree[gram]) if total else 0.0
        others = sum(chance for symbol, chance in chances.items() if symbol not in told)
        chances = {
            symbol: own * told[symbol] / total if symbol in told else (1 - own) * chance / others
            for symbol, chance in chances.items()
        }
    return chances
