"""re, re-a and tlost, by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from sfumato import Disassociate, Transactions
from sfumato.data import Chunks
from sfumato.errors import DataError
from sfumato.utility.pair_supports import RelativeError, RelativeErrorCertain, TermsLost


@dataclass
class Files:
    data: Any
    k: int | None = None
    origin: None = None


DATA = Transactions.from_lists([["a", "b", "c"], ["a", "b"], ["a"], ["c"]])
# supports: ab 2, ac 1, bc 1
APART = Chunks.of([{"size": 4, "chunks": [[["a", "b"], ["a", "b"], ["a"]]], "terms": ["c"]}])


def test_certain_pairs() -> None:
    """ab is kept; ac and bc are off by 1, relative to a mean of 1/2."""
    assert RelativeErrorCertain()(DATA, Files(APART)).value == pytest.approx((0 + 2 + 2) / 3)


def test_expected_pairs() -> None:
    """ac is expected 3/4 times, bc 1/2 times."""
    wanted = (0 + 0.25 / 0.875 + 0.5 / 0.75) / 3
    assert RelativeError(reconstructions=0)(DATA, Files(APART)).value == pytest.approx(wanted)


def test_more_reconstructions_come_closer_to_the_expectation() -> None:
    exact = RelativeError(reconstructions=0)(DATA, Files(APART)).value
    assert RelativeError(reconstructions=400, seed=1)(DATA, Files(APART)).value == pytest.approx(exact, abs=0.1)


def test_a_stretch_of_the_items_is_looked_at() -> None:
    """By support: a, b (2, by name before c), c; with first=1 only b and c."""
    assert RelativeErrorCertain(first=1, number=2)(DATA, Files(APART)).value == pytest.approx(2)
    assert RelativeErrorCertain(first=0, number=2)(DATA, Files(APART)).value == 0


def test_other_releases_are_read_by_their_labels() -> None:
    coarse = replace(Transactions.from_lists([["g", "c"], ["g"], ["g"], ["c"]]), members={"g": ("a", "b")})
    # ab is expected once, ac and bc 2/3 times
    wanted = (1 / 1.5 + 2 * (1 / 3) / (5 / 6)) / 3
    assert RelativeError()(DATA, Files(coarse)).value == pytest.approx(wanted)
    assert RelativeError()(DATA, Files(DATA)).value == 0


def test_persons_count_once() -> None:
    data = replace(DATA, persons=None)
    same = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "b"]], persons=["u", "u", "v"])
    assert RelativeError()(same, Files(Transactions.from_lists([["a", "b"]] * 2))).value == 0
    assert len(data) == 4


def test_terms_lost() -> None:
    """c, with a support of 2, is in a term chunk only."""
    assert TermsLost(k=1)(DATA, Files(APART)).value == pytest.approx(1 / 3)
    assert TermsLost()(DATA, Files(APART, k=2)).value == 0
    assert TermsLost(k=9)(DATA, Files(APART)).value == 0
    assert TermsLost()(DATA, Disassociate(k=2, m=2).anonymize(DATA)).value == 0


def test_refusals() -> None:
    with pytest.raises(DataError, match="tlost: wanted the k of the release"):
        TermsLost()(DATA, Files(APART))
    with pytest.raises(DataError, match="re-a: wanted chunks"):
        RelativeErrorCertain()(DATA, Files(DATA))
