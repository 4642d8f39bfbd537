"""Linking written down literally: one position, one place, one pair of texts after the other."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence


def plain(text: str) -> str:
    letters = (c for c in unicodedata.normalize("NFKD", text.casefold()).casefold() if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def jaro_winkler(s: Sequence[str], t: Sequence[str], weight: float = 0.1, longest: int = 4) -> float:
    if not s or not t:
        return 0.0
    reach = max(max(len(s), len(t)) // 2 - 1, 0)
    used, first = [False] * len(t), []
    for i, letter in enumerate(s):
        for j in range(max(0, i - reach), min(len(t), i + reach + 1)):
            if not used[j] and t[j] == letter:
                used[j] = True
                first.append(letter)
                break
    matches = len(first)
    if not matches:
        return 0.0
    second = [letter for letter, hit in zip(t, used, strict=True) if hit]
    crossed = sum(a != b for a, b in zip(first, second, strict=True)) / 2
    jaro = (matches / len(s) + matches / len(t) + (matches - crossed) / matches) / 3
    prefix = 0
    while prefix < min(longest, len(s), len(t)) and s[prefix] == t[prefix]:
        prefix += 1
    return jaro + weight * prefix * (1 - jaro)


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Along the sphere, between (longitude, latitude) pairs, rounded to a millimetre."""
    (x1, y1), (x2, y2) = (tuple(map(math.radians, p)) for p in (a, b))
    h = math.sin((y1 - y2) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x1 - x2) / 2) ** 2
    return round(2 * 6_371_008.8 * math.asin(math.sqrt(min(h, 1.0))), 3)


def soft_tfidf(tags: set[str], labels: set[str], sets: list[set[str]], tau_t: float) -> float | None:
    """Whole tags against whole labels; None if no pair is similar enough.  `sets` are all tag sets and label sets."""

    def idf(text: str) -> float:
        return math.log(1 + len(sets) / sum(text in members for members in sets))

    pairs = [(jaro_winkler(tag, label), tag, label) for tag in tags for label in labels]
    pairs = sorted((-value, tag, label) for value, tag, label in pairs if value >= tau_t)
    if not pairs:
        return None
    ours, theirs = (math.sqrt(sum(idf(text) ** 2 for text in side)) for side in (tags, labels))
    used: set[tuple[str, str]] = set()
    total = 0.0
    for value, tag, label in pairs:
        if ("tag", tag) not in used and ("label", label) not in used:
            used |= {("tag", tag), ("label", label)}
            total += idf(tag) / ours * idf(label) / theirs * -value
    return total


def links(pairs: list[tuple[int, str, float, float]], first: str) -> list[tuple[int, str]]:
    """The listing of the readings: of (target, resource, metres, similarity) the best of each target, ties stay."""
    result = []
    for target in sorted({pair[0] for pair in pairs}):
        own = [pair for pair in pairs if pair[0] == target]
        if first == "near":
            own = [pair for pair in own if pair[2] == min(other[2] for other in own)]
            own = [pair for pair in own if pair[3] == max(other[3] for other in own)]
        else:
            own = [pair for pair in own if pair[3] == max(other[3] for other in own)]
            own = [pair for pair in own if pair[2] == min(other[2] for other in own)]
        result += [(target, resource) for _, resource, _, _ in sorted(own)]
    return result
