"""Hierarchies that come with a form: the groups of options and lists, intervals of numbers with a range."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from sfumato.data import Taxonomy
from sfumato.web.studies.forms.tree import Choice, Question

__all__ = ["WIDEST", "item_name", "labels_of", "tree_of_options", "tree_of_paths", "whole_range"]

ROOT = "*"
WIDEST = 10_000  # whole numbers in a range that gets a hierarchy of its own
_FREE_TEXT = "edited balanced:2"  # marks a tree that shows values of the data, so that it is never published


def labels_of(choices: Sequence[Choice], language: str) -> dict[str, str]:
    """The text of each option by its key; options with the same text get a number.

    >>> labels_of([Choice("a", {"en": "other"}), Choice("b", {"en": "other"})], "en")
    {'a': 'other', 'b': 'other (2)'}
    """
    labels: dict[str, str] = {}
    for choice in choices:
        text = " ".join(choice.text(language).split()) or choice.key
        labels[choice.key] = _unused(text, set(labels.values()))
    return labels


def tree_of_options(choices: Sequence[Choice], language: str) -> Taxonomy:
    """The hierarchy of a question's options by their groups; without groups, all are below the root.

    >>> drugs = [Choice("a", {"en": "amoxicillin"}, ("penicillins", "antibiotics")), Choice("n", {"en": "none"})]
    >>> tree_of_options(drugs, "en").to_paths()
    [('amoxicillin', 'penicillins', 'antibiotics', '*'), ('none', '*')]
    """
    labels = labels_of(choices, language)
    return tree_of_paths([(labels[choice.key], *choice.ancestors) for choice in choices])


def tree_of_paths(paths: Iterable[Sequence[str]], *, private: bool = False, blank: str = " ") -> Taxonomy:
    """A tree of leaves with their ancestors, from the nearest up; a root is added.

    A group is known by its name and the groups above it: two groups with one name below different groups are two nodes,
    and a group that is called like a leaf gets another name.  private : whether the leaves are answers that occur.
    blank : stands between the words of a name.
    """
    rows = [[blank.join(name.split()) for name in path if name.strip()] for path in paths]
    leaves = dict.fromkeys(row[0] for row in rows if row)
    root = _unused(ROOT, set(leaves), blank)
    taken, nodes = {*leaves, root}, dict[tuple[str, ...], str]()
    parents: dict[str, str | None] = {root: None}
    for row in rows:
        above = [name for name in row[1:] if name != ROOT]
        parent = root
        for level in range(len(above) - 1, -1, -1):
            group = tuple(above[level:])
            if group not in nodes:
                nodes[group] = _unused(above[level], taken, blank)
                taken.add(nodes[group])
                parents[nodes[group]] = parent
            parent = nodes[group]
        if row:
            parents.setdefault(row[0], parent)
    return Taxonomy(parents, rule=_FREE_TEXT if private else "")


def whole_range(question: Question) -> tuple[str, int] | None:
    """The domain of a question about whole numbers and a width of its lowest intervals; None without a narrow range.

    >>> whole_range(Question("q", "integer", low="0", high="120"))
    ('0:120', 5)
    """
    if question.type != "integer" or not (question.low and question.high):
        return None
    low, high = math.ceil(float(question.low)), math.floor(float(question.high))
    if not 1 <= high - low <= WIDEST:
        return None
    wanted = (high - low) / 25
    power = 10 ** max(0, math.floor(math.log10(wanted))) if wanted >= 1 else 1
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)
    return f"{low}:{high}", width


def item_name(text: str, source: str, counts: Mapping[str, int]) -> str:
    """The name of an item: its text without blanks, with the name of its question where another one has it, too."""
    name = "_".join(text.split())
    return name if counts.get(name, 1) < 2 else f"{name}_({'_'.join(source.split())})"


def _unused(name: str, taken: set[str], blank: str = " ") -> str:
    chosen, number = name, 1
    while chosen in taken:
        number += 1
        chosen = f"{name}{blank}({number})"
    return chosen
