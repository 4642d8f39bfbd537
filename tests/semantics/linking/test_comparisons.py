"""Names, words and tags against labels, each against the definition written down literally."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.semantics.linking.comparisons import Comparison, NameComparison, TagComparison, TextSets, WordComparison
from twins.linking import jaro_winkler, soft_tfidf

word = st.text("abi", min_size=1, max_size=4)
sets_of_words = st.lists(st.sets(word, max_size=4), min_size=1, max_size=5)
bounds = st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0])


def text_sets(sets: list[set[str]]) -> TextSets:
    owner = [number for number, texts in enumerate(sets) for _ in texts]
    return TextSets.of(
        np.array(owner, dtype=np.int64), pl.Series([t for s in sets for t in s], dtype=pl.String), len(sets)
    )


def every_pair(comparison: Comparison, rows: int, columns: int) -> list[list[float]]:
    left, right = (index.ravel() for index in np.indices((rows, columns)))
    return comparison.values(left, right).reshape(rows, columns).tolist()


@given(sets_of_words, sets_of_words, bounds)
def test_names(names: list[set[str]], labels: list[set[str]], tau_t: float) -> None:
    values = every_pair(NameComparison(text_sets(names), text_sets(labels), tau_t), len(names), len(labels))
    for row, texts in zip(values, names, strict=True):
        for value, others in zip(row, labels, strict=True):
            best = max((jaro_winkler(text, other) for text in texts for other in others), default=-1)
            assert value == (round(best, 12) if round(best, 12) >= tau_t else -1)


@given(sets_of_words, sets_of_words, bounds)
def test_tags(tags: list[set[str]], labels: list[set[str]], tau_t: float) -> None:
    values = every_pair(TagComparison(text_sets(tags), text_sets(labels), tau_t), len(tags), len(labels))
    every = [texts for texts in tags + labels if texts]
    for row, texts in zip(values, tags, strict=True):
        for value, others in zip(row, labels, strict=True):
            wanted = soft_tfidf(texts, others, every, tau_t)
            assert value == pytest.approx(-1 if wanted is None else wanted, abs=1e-9)
            assert value <= 1 + 1e-9


@given(sets_of_words, sets_of_words, bounds)
def test_words(names: list[set[str]], labels: list[set[str]], tau_t: float) -> None:
    ours, theirs = ([{" ".join(sorted(words))} if words else set() for words in side] for side in (names, labels))
    values = every_pair(WordComparison(text_sets(ours), text_sets(theirs), tau_t), len(names), len(labels))
    every = [words for words in names + labels if words]
    for row, words in zip(values, names, strict=True):
        for value, others in zip(row, labels, strict=True):
            wanted = (soft_tfidf(words, others, every, 0.9) or 0.0) if words and others else -1.0
            if abs(wanted - tau_t) > 1e-9:
                assert value == pytest.approx(wanted if wanted >= tau_t else -1.0, abs=1e-9)


def test_an_exact_label_among_eight_tags_and_a_label_that_two_tags_resemble() -> None:
    tags = [{f"tag{number}" for number in range(7)} | {"pub"}]
    assert every_pair(TagComparison(text_sets(tags), text_sets([{"quay"}]), 1.0), 1, 1) == [[-1.0]]
    eight = [{"ab", "cd", "ef", "gh", "ij", "kl", "mn", "pub"}, {"pub"}]
    value = every_pair(TagComparison(text_sets(eight[:1]), text_sets(eight[1:]), 0.9), 1, 1)[0][0]
    rare, common = math.log(1 + 2), math.log(1 + 1)
    assert value == pytest.approx(common / math.sqrt(7 * rare**2 + common**2))
    both = every_pair(TagComparison(text_sets([{"rio", "riio"}]), text_sets([{"rio"}]), 0.9), 1, 1)[0][0]
    assert both <= 1  # the definition of the literature gives 1.37


def test_common_words_weigh_little() -> None:
    names = TextSets.of(np.array([0]), pl.Series(["santa bibiana"]), 1)
    labels = TextSets.of(np.arange(6), pl.Series(["chiesa di santa bibiana", *(f"chiesa di {x}x" for x in "abcde")]), 6)
    values = WordComparison(names, labels, 0.5).values(np.zeros(6, dtype=np.int64), np.arange(6))
    assert values[0] > 0.75
    assert (values[1:] == -1).all()
