"""Random originals with random releases of every shape, for measures: each release as data and as plain records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

from sfumato import Chunks, Disassociate, Trajectories, Transactions
from sfumato.errors import CallerError

NAMES = "abcdef"


@dataclass(frozen=True)
class Case:
    """One release.  members : what each label stands for, a name for itself alone."""

    shape: str
    original: Any
    published: Any
    before: list[list[str]]
    after: list[list[str]]
    members: dict[str, tuple[str, ...]]

    def stands_for(self, label: str) -> tuple[str, ...]:
        return self.members.get(label, (label,))


def walks(seed: int, *, rounds: int = 8, visits: int = 4, records: int = 7) -> Iterator[Case]:
    """Trajectories, with and without persons: unchanged, generalized, locally recoded, suppressed, split, synthetic."""
    chance = Random(seed)
    for turn in range(rounds):
        before = [_row(chance, visits) for _ in range(chance.randint(1, records))]
        persons = [chance.choice("uvw") for _ in before] if turn % 2 else None
        original = Trajectories.from_lists(before, persons=persons)
        for shape, (after, members) in _shapes(chance, before, visits).items():
            published = replace(Trajectories.from_lists(after), members=_used(members, after))
            yield Case(shape, original, published, before, after, published.members)


def baskets(seed: int, *, rounds: int = 8) -> Iterator[Case]:
    """The same for sets of items, and chunks (whose `after` is empty)."""
    chance = Random(seed)
    for turn in range(rounds):
        before = [sorted(set(_row(chance, 4))) for _ in range(chance.randint(2, 8))]
        persons = [chance.choice("uvw") for _ in before] if turn % 2 else None
        original = Transactions.from_lists(before, persons=persons)
        for shape, (rows, members) in _shapes(chance, before, 4).items():
            after = [sorted(set(row)) for row in rows]
            published = replace(Transactions.from_lists(after), members=_used(members, after))
            yield Case(shape, original, published, before, after, published.members)
        try:
            chunks = Disassociate(k=2, m=2).anonymize(original, seed=turn).data
        except CallerError:
            continue
        assert isinstance(chunks, Chunks)
        yield Case("chunks", original, chunks, before, [], {})


def worlds(case: Case) -> Iterator[list[list[str]]]:
    """Every possible original of generalized trajectories: one member of each label, visit by visit."""
    choices = [case.stands_for(label) for row in case.after for label in row]
    for chosen in product(*choices):
        rest = iter(chosen)
        yield [[next(rest) for _ in row] for row in case.after]


def _row(chance: Random, visits: int) -> list[str]:
    return [chance.choice(NAMES) for _ in range(chance.randint(0, visits))]


def _shapes(chance: Random, before: list[list[str]], visits: int) -> dict[str, tuple[list[list[str]], dict[str, Any]]]:
    first, second = _recoding(chance, "g"), _recoding(chance, "h")
    one_recoding, groups = first
    other_recoding, other_groups = second
    half = len(before) // 2
    return {
        "unchanged": (before, {}),
        "generalized": ([[one_recoding[name] for name in row] for row in before], groups),
        "locally recoded": (
            [[one_recoding[name] for name in row] for row in before[:half]]
            + [[other_recoding[name] for name in row] for row in before[half:]],
            groups | other_groups,
        ),
        "suppressed": ([left for row in before if (left := [x for x in row if chance.random() < 0.6])], {}),
        "split": (
            [
                part
                for row in before
                for cut in [chance.randint(0, len(row))]
                for part in (row[:cut], row[cut:])
                if part
            ],
            {},
        ),
        "synthetic": ([_row(chance, visits) for _ in range(chance.randint(0, 9))], {}),
        "empty": ([], {}),
    }


def _recoding(chance: Random, letter: str) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """A random partition of the names: the label of each, and what each label of several stands for."""
    groups: dict[int, list[str]] = {}
    for name in NAMES:
        groups.setdefault(chance.randint(1, 4), []).append(name)
    label = {name: f"{letter}{n}" if len(group) > 1 else name for n, group in groups.items() for name in group}
    return label, {f"{letter}{n}": tuple(group) for n, group in groups.items() if len(group) > 1}


def _used(members: dict[str, tuple[str, ...]], after: list[list[str]]) -> dict[str, tuple[str, ...]]:
    labels = {label for row in after for label in row}
    return {label: group for label, group in members.items() if label in labels}
