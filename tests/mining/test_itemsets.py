"""Frequent itemsets: by hand, beside an independent library, beside the definition; ties, persons, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import CORNERS, persons, records
from mining_questions import in_twin_words, questions
from oracles import frequent_patterns, frequent_sets
from sfumato.data import Trajectories, Transactions
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentItemsets

BASKETS = ["abce", "abe", "acd", "bce", "abce", "ad", "abcde"]


def found(rows, who=None, **asked):
    """The sets as texts with their supports."""
    frame = FrequentItemsets(**asked).mine(Transactions.from_lists([list(row) for row in rows], persons=who))
    assert frame["length"].to_list() == [len(pattern) for pattern in frame["pattern"].to_list()]
    return [("".join(pattern), support) for pattern, _, support in frame.rows()]


def twin(rows, who, threshold, **asked):
    sets = [sorted(set(row)) for row in rows]
    counted = frequent_patterns(sets, who or range(len(rows)), threshold, **asked)
    return [("".join(pattern), support) for pattern, support in counted]


# what the library pyfim 6.28 finds with a support of 2
PEER = {
    "all": "a6 b5 be5 c5 e5 ab4 abe4 ac4 ae4 bc4 bce4 ce4 abc3 abce3 ace3 ad3 d3 acd2 cd2",
    "closed": "a6 be5 c5 abe4 ac4 bce4 abce3 ad3 acd2",
    "maximal": "abce3 acd2",
}


@pytest.mark.parametrize("keep", PEER)
def test_an_independent_library_finds_the_same(keep: str) -> None:
    assert found(BASKETS, support=2, keep=keep) == [(word[:-1], int(word[-1])) for word in PEER[keep].split()]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_definition_finds_the_same(draw) -> None:
    rows = draw.draw(records())
    who = draw.draw(persons(len(rows)))
    asked = draw.draw(questions())
    assert found(rows, who, **asked) == twin(rows, who, **in_twin_words(asked))


def wide_rows(seed: int, n_rows: int, n_items: int, share: float) -> list[str]:
    """Records so wide that sets have more further items than one table takes: trees are grown below trees."""
    rng = np.random.default_rng(seed)
    held = rng.random((n_rows, n_items)) < share * rng.uniform(0.6, 1.2, n_items)
    held[: n_rows // 4, : n_items // 5] = True  # some items come together
    return ["".join(chr(ord("A") + item) for item in np.flatnonzero(row)) for row in held]


@pytest.mark.parametrize("keep", ["all", "closed", "maximal"])
@pytest.mark.parametrize(
    ("seed", "n_rows", "n_items", "share", "support"),
    [(1, 60, 26, 0.6, 11), (2, 120, 40, 0.5, 20), (3, 40, 18, 0.8, 12), (4, 200, 50, 0.35, 14), (5, 30, 60, 0.3, 4)],
)
def test_wide_records(keep: str, seed: int, n_rows: int, n_items: int, share: float, support: int) -> None:
    rows = wide_rows(seed, n_rows, n_items, share)
    assert found(rows, support=support, keep=keep) == [
        ("".join(pattern), count) for pattern, count in frequent_sets(rows, support, keep)
    ]


def test_wide_records_with_lengths() -> None:
    rows = wide_rows(6, 60, 30, 0.6)
    every = [("".join(pattern), count) for pattern, count in frequent_sets(rows, 9)]
    for shortest, longest in ((1, 1), (2, 3), (4, 4), (5, 30)):
        expected = [row for row in every if shortest <= len(row[0]) <= longest]
        assert found(rows, support=9, min_length=shortest, max_length=longest) == expected


@pytest.mark.parametrize("keep", ["all", "closed", "maximal"])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, keep: str) -> None:
    rows, who, _ = CORNERS[name]
    assert found(rows, who, support=2, keep=keep) == twin(rows, who, 2, keep=keep)


def test_no_records_at_all() -> None:
    for keep in ("all", "closed"):
        assert FrequentItemsets(support=1, top=3, keep=keep).mine(Transactions.from_lists([])).rows() == []


def test_support_counts_persons() -> None:
    rows, who = ["ab", "ab", "ab", "b"], ["ann", "ann", "bob", "cid"]
    assert found(rows, who, support=2) == [("b", 3), ("a", 2), ("ab", 2)]
    assert found(rows, who, support=2, keep="closed") == [("b", 3), ("ab", 2)]


def test_an_item_of_every_record_counts_persons_too() -> None:
    rows, who = ["a", "ab", "a", "ab", "ab"], ["u", "u", "v", "w", "v"]
    assert found(rows, who, support=1, keep="closed") == [("ab", 3)]
    assert found(rows, who, support=1, keep="all") == [("a", 3), ("ab", 3), ("b", 3)]


def test_a_person_whose_records_share_the_work() -> None:
    rows, who = ["ab", "ac", "abc"], ["ann", "ann", "bob"]
    assert found(rows, who, support=2, keep="maximal") == [("ab", 2), ("ac", 2)]


def test_top_cuts_ties_in_name_order() -> None:
    rows = ["ab", "ab", "cd", "cd"]
    assert found(rows, top=4) == [("a", 2), ("ab", 2), ("b", 2), ("c", 2)]
    assert found(rows, top=1, keep="closed") == [("ab", 2)]
    assert found(rows, top=3, keep="maximal", support=2) == [("ab", 2), ("cd", 2)]


def test_top_does_not_collect_all_ties() -> None:
    wide = ["abcdefghijklmnopqrstuvwxyz"]  # 67 million sets, all with support 1
    assert found(wide, top=3) == [("a", 1), ("ab", 1), ("abc", 1)]
    assert found(wide, top=3, keep="closed") == [(wide[0], 1)]


def test_a_wide_set_needs_no_subsets_to_be_found() -> None:
    wide = "".join(chr(0x4E00 + at) for at in range(200))
    assert found([wide, wide[:150], wide[50:]], support=2, keep="maximal") == [(wide[:150], 2), (wide[50:], 2)]
    assert len(found([wide, wide], support=2, max_length=2)) == 200 + 200 * 199 // 2


@pytest.mark.parametrize("keep", ["all", "closed", "maximal"])
def test_pieces_change_nothing_and_report(keep: str, monkeypatch) -> None:
    whole = found(BASKETS, support=2, keep=keep)
    monkeypatch.setattr("sfumato.mining.itemsets.BUDGET", 1)
    seen = []
    data = Transactions.from_lists([list(row) for row in BASKETS])
    frame = FrequentItemsets(support=2, keep=keep).mine(data, progress=lambda *at: seen.append(at))
    assert [("".join(pattern), support) for pattern, _, support in frame.rows()] == whole
    assert len(seen) > 5
    assert seen[-1] == ("mining", 5, 5)


@pytest.mark.parametrize("keep", ["closed", "maximal"])
def test_too_many_sets_are_refused_whatever_their_length(keep: str) -> None:
    data = Transactions.from_lists([list(row) for row in wide_rows(2, 120, 40, 0.5)])
    with pytest.raises(ParameterError, match=r"^FrequentItemsets: the patterns do not fit into memory"):
        FrequentItemsets(support=20, keep=keep, min_length=30).find(data, most=500)


def test_too_many_sets_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"^FrequentItemsets: the patterns do not fit into memory"):
        FrequentItemsets(support=1).find(Transactions.from_lists(["abcdefghijklmnopqrstuvwxyz"]), most=1000)


def test_other_kinds_are_refused() -> None:
    with pytest.raises(DataError, match=r"^FrequentItemsets: wanted transactions"):
        FrequentItemsets(top=1).mine(Trajectories.from_lists([["a"]]))
