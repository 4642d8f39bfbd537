"""Similar names, against the definition written down literally."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.semantics.linking.similarity import Texts, jaro_winkler, plain, plain_column, similarities
from twins.linking import jaro_winkler as literal
from twins.linking import plain as literally_plain

few_letters = st.text("abc é0", max_size=12)


@given(st.lists(few_letters, min_size=1, max_size=12))
def test_every_pair_has_the_value_of_the_definition(names: list[str]) -> None:
    left, right = (index.ravel() for index in np.indices((len(names), len(names))))
    wanted = [literal(names[a], names[b]) for a, b in zip(left, right, strict=True)]
    assert Texts.of(names).similarities(left, right).tolist() == wanted


@given(st.lists(few_letters, min_size=1, max_size=12), st.floats(0, 1))
def test_a_lower_bound_leaves_out_only_pairs_below_it(names: list[str], bound: float) -> None:
    left, right = (index.ravel() for index in np.indices((len(names), len(names))))
    texts = Texts.of(names)
    every, bounded = texts.similarities(left, right), texts.similarities(left, right, bound)
    assert np.array_equal(bounded[bounded >= 0], every[bounded >= 0])
    assert (every[bounded < 0] < bound).all()


def test_long_random_texts_of_any_script() -> None:
    rng = np.random.default_rng(5)
    alphabet = [*list("abcdefgh "), "é", "ß", "Ж", "中", "😀"]
    names = ["".join(rng.choice(alphabet, rng.integers(0, 90))) for _ in range(60)]
    left, right = rng.integers(0, 60, 900), rng.integers(0, 60, 900)
    wanted = [literal(names[a], names[b]) for a, b in zip(left, right, strict=True)]
    assert Texts.of(names).similarities(left, right).tolist() == wanted


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ("martha", "marhta", 0.9611),
        ("dixon", "dicksonx", 0.8133),
        ("abcd", "axyz", 0.55),  # below 0.7, where libraries give no bonus
        ("ba a  ", "a cbdacaa", 0.5787),  # three letters out of order: one and a half transpositions
        ("", "", 0.0),
        ("", "a", 0.0),
        ("a", "a", 1.0),
    ],
)
def test_known_values(left: str, right: str, value: float) -> None:
    assert round(jaro_winkler(left, right), 4) == value


@given(st.text(max_size=30))
def test_plain_letters(text: str) -> None:
    changed = plain(text)
    assert changed == literally_plain(text)
    assert changed == plain(changed.upper()) or not changed.isascii()


def test_columns_of_names() -> None:
    left, right = pl.Series(["Maracanã", None, "SC  Pub!"]), pl.Series(["maracana", "x", "sc-pub"])
    assert similarities(left, right).tolist() == [1.0, 0.0, 1.0]
    assert plain_column(left).to_list() == ["maracana", None, "sc pub"]
    assert plain_column(pl.Series([], dtype=pl.String)).to_list() == []
    assert similarities(left.clear(), right.clear()).tolist() == []
