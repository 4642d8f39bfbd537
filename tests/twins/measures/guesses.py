"""What attackers with a few known places infer about a sensitive one: all attackers, each as probable as the others."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from twins.measures.places import ancestors, leaves_below
from twins.measures.plain import mean, rows_of


def is_sensitive(tree: Any, node: str) -> bool:
    """Whether every leaf below a node is sensitive: it, or a node above, is named so."""
    return all(leaf in tree.sensitive for leaf in leaves_below(tree, node))


def fits(tree: Any, row: list[str], known: tuple[str, ...]) -> bool:
    """Whether the nonsensitive labels of a record may stand for the known places, in this order."""
    open_row = [label for label in row if not is_sensitive(tree, label)]
    return any(
        all(label in ancestors(tree, place) for label, place in zip(chosen, known, strict=True))
        for chosen in combinations(open_row, len(known))
    )


def visited(tree: Any, row: list[str], place: str) -> float:
    """The probability that one of the published sensitive labels is this place."""
    absent = 1.0
    for label in row:
        if is_sensitive(tree, label) and label in ancestors(tree, place):
            absent *= 1 - 1 / len(leaves_below(tree, label))
    return 1 - absent


def guessed_places(original: Any, release: Any, known: int = 2, place: str = "own", **_: Any) -> float:
    """The exact mean over attackers, of which the measure draws some."""
    tree = release.data.taxonomy
    published = rows_of(release.data)
    sensitive = [leaf for leaf in tree.nodes if is_sensitive(tree, leaf) and leaf in leaves_below(tree, leaf)]
    by_victim = []
    for row in rows_of(original):
        open_places = [name for name in row if not is_sensitive(tree, name)]
        own = [name for name in row if is_sensitive(tree, name)]
        if not open_places or (place == "own" and not own):
            continue
        inferred = []
        for chosen in combinations(open_places, min(known, len(open_places))):
            matches = [other for other in published if fits(tree, other, chosen)]
            chance = {leaf: mean(visited(tree, other, leaf) for other in matches) for leaf in sensitive}
            inferred.append(mean(chance[one] for one in own) if place == "own" else max(chance.values(), default=0.0))
        by_victim.append(mean(inferred))
    return mean(by_victim)


GUESSES = {"guessed-places": guessed_places}
