"""Synthetic walks: what comes next is as likely as the counts say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sfumato.methods.trajectories.ngrams.exploration_tree import Tree
from sfumato.methods.trajectories.ngrams.synthesis import _Walks, walk
from sfumato.privacy.noise.budget import Counts
from twins.ngrams import BEGIN, END, next_chances

PLACES = "abc"
GRAMS = {
    ("a",): 500, ("b",): 300, ("c",): 200, (BEGIN,): 400,
    ("a", "b"): 250, ("a", END): 100, ("b", "a"): 90, ("b", "c"): 90, ("b", END): 200, (BEGIN, "a"): 300,
    ("a", "b", "a"): 80, ("a", "b", "c"): 60, ("b", "a", END): 60, (BEGIN, "a", "b"): 200,
    (BEGIN, "a", "b", "c"): 50,
}  # fmt: skip


def built(grams: dict[Any, int]) -> Tree:
    """A tree of these grams."""
    tree, level, number = Tree(len(PLACES)), {(): 0}, 1
    for length in range(1, max(map(len, grams)) + 1):
        code = {name: at for at, name in enumerate(PLACES)} | {BEGIN: len(PLACES), END: len(PLACES)}
        rows = sorted(
            (level[gram[:-1]], code[gram[-1]], count, gram) for gram, count in grams.items() if len(gram) == length
        )
        tree.add(
            Counts(*(np.array([row[at] for row in rows]) for at in (0, 1, 2)), branch=number + np.arange(len(rows)))
        )
        level = {row[3]: number + at for at, row in enumerate(rows)}
        number += len(rows)
    return tree


@pytest.mark.parametrize("walked", ["", "a", "b", "c", "ab", "ba", "aba", "cab", "bb"])
def test_the_next_symbol_is_as_likely_as_the_twin_says(walked: str) -> None:
    tree, draws = built(GRAMS), 60_000
    walks = _Walks(tree, np.random.default_rng(7))
    known = walks.after(np.zeros((draws, 1), dtype=np.int64), np.full(draws, len(PLACES)))
    for name in walked:
        known = walks.after(known, np.full(draws, PLACES.index(name)))
    drawn = walks.next(known, ends=bool(walked))
    chances = next_chances(walked, GRAMS, PLACES)
    for code, name in enumerate((*PLACES, END)):
        chance = chances.get(name, 0.0)
        hits = int(np.sum(drawn == code))
        assert abs(hits - draws * chance) <= 4.5 * np.sqrt(draws * chance * (1 - chance)) + draws * 2e-3, (name, chance)


def test_counts_that_cannot_be_are_lowered_or_not_believed() -> None:
    grams = {("a",): 100, ("b",): 40, ("c",): 30, (BEGIN,): 10, ("a", "b"): 60, ("b", "a"): 25, ("b", END): 50}
    grams |= {("a", "b", "a"): 30, ("a", "b", "c"): 35, ("a", "b", END): 5}
    tree = built(grams)
    found = {}
    for node in range(1, len(tree)):
        path, at = [], node
        while at > 0:
            path.append(int(tree.symbol[at]))
            at = int(tree.parent[at])
        found[tuple(reversed(path))] = (int(tree.count[node]), bool(tree.believed[node]))
    assert len(found) == len(grams)
    assert found[0, 1] == (40, True)  # a b no more often than b
    assert found[1, 3] == (10, True)  # no more ends than begins
    assert found[0, 1, 0] == (25, True)  # a b a no more often than b a
    assert found[0, 1, 2] == (0, False)  # b was looked at, and b c did not pass
    assert found[0, 1, 3] == (5, True)
    walks = _Walks(tree, np.random.default_rng(7))
    known = np.array([[0, 2, 5]] * 4000)  # the walk ends with a b
    drawn = np.bincount(walks.next(known, ends=True), minlength=4) / 4000
    assert drawn[2] > 0.02  # c is left to shorter grams, not ruled out


def test_a_certain_walk_is_repeated_to_the_letter() -> None:
    grams = {("a",): 50, ("b",): 50, ("c",): 0, (BEGIN,): 50}
    grams |= {("a", "b"): 50, ("b", END): 50, (BEGIN, "a"): 50}
    offsets, codes = walk(built(grams), 9, np.random.default_rng(1))
    assert offsets.tolist() == list(range(0, 102, 2))
    assert codes.tolist() == [0, 1] * 50


def test_nobody_walks_farther_than_allowed() -> None:
    grams = {("a",): 1000, ("b",): 0, ("c",): 0, (BEGIN,): 10, ("a", "a"): 1000, (BEGIN, "a"): 10}
    offsets, codes = walk(built(grams), 7, np.random.default_rng(1))
    assert np.diff(offsets).tolist() == [7] * 10
    assert set(codes.tolist()) == {0}


def test_only_popularity_is_known() -> None:
    """Without longer grams, places are drawn by popularity, and there are as many ends as begins."""
    grams = {("a",): 3000, ("b",): 1000, ("c",): 0, (BEGIN,): 1000}
    offsets, codes = walk(built(grams), 99, np.random.default_rng(1))
    lengths = np.diff(offsets)
    assert (len(lengths), lengths.min()) == (1000, 1)
    assert abs(lengths.mean() - 4) < 4.5 * np.sqrt(12 / 1000)
    assert abs(np.mean(codes == 0) - 0.75) < 0.04
    assert 2 not in codes


@pytest.mark.parametrize("begins", [0, 5])
def test_nothing_comes_out_of_nothing(begins: int) -> None:
    offsets, codes = walk(built({("a",): 0, ("b",): 0, ("c",): 0, (BEGIN,): begins}), 5, np.random.default_rng(1))
    assert (offsets.tolist(), codes.tolist()) == ([0], [])


def test_more_begins_than_visits_make_walks_of_one_visit() -> None:
    offsets, _ = walk(built({("a",): 3, ("b",): 1, ("c",): 0, (BEGIN,): 9}), 5, np.random.default_rng(1))
    assert np.diff(offsets).tolist() == [1] * 9
