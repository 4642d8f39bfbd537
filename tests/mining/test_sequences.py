"""Frequent sequences: by hand, beside an independent library, beside the definition; ties, persons, refusals."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import CORNERS, persons, records
from mining_questions import in_twin_words, questions
from oracles import frequent_patterns
from sfumato.data import Trajectories, Transactions
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentSequences

TOY = ["dace", "baec", "ade", "bdec", "dc", "de"]
REPEATS = ["abab", "abcab", "bacb", "cabab", "aab", "bbca"]


def found(rows, who=None, **asked):
    """The patterns as texts with their supports."""
    frame = FrequentSequences(**asked).mine(Trajectories.from_lists([list(row) for row in rows], persons=who))
    assert frame["length"].to_list() == [len(pattern) for pattern in frame["pattern"].to_list()]
    return [("".join(pattern), support) for pattern, _, support in frame.rows()]


def test_by_hand() -> None:
    assert found(["abc", "ab", "ba"], support=2) == [("a", 3), ("b", 3), ("ab", 2)]
    assert found(["abc", "ab", "ba"], support=2, keep="closed") == [("a", 3), ("b", 3), ("ab", 2)]
    assert found(["abc", "ab", "ba"], support=2, keep="maximal") == [("ab", 2)]
    assert found(["aa", "aaa"], support=2) == [("a", 2), ("aa", 2)]
    assert found(["aa", "aaa"], support=2, keep="closed") == [("aa", 2)]


def test_the_frame() -> None:
    frame = FrequentSequences(support=1).mine(Trajectories.from_lists([["x", "y"]]))
    assert frame.schema == {"pattern": pl.List(pl.String), "length": pl.Int64, "support": pl.Int64}
    assert frame.rows() == [(["x"], 1, 1), (["x", "y"], 2, 1), (["y"], 1, 1)]


# what the library prefixspan 0.5.2 finds
PEER = {
    ("toy", 2, "all"): "d5 e5 c4 de4 a3 ae3 dc3 ac2 b2 bc2 be2 bec2 ec2",
    ("toy", 2, "closed"): "d5 e5 c4 de4 ae3 dc3 ac2 bec2",
    ("repeats", 3, "all"): "a6 b6 ab5 ba5 bb5 aa4 aab4 bab4 c4 aba3 abab3 abb3 bc3 ca3 cb3",
    ("repeats", 3, "closed"): "a6 b6 ab5 ba5 bb5 aab4 bab4 c4 abab3 bc3 ca3 cb3",
}


@pytest.mark.parametrize(("rows", "support", "keep"), PEER)
def test_an_independent_library_finds_the_same(rows: str, support: int, keep: str) -> None:
    expected = [(word[:-1], int(word[-1])) for word in PEER[rows, support, keep].split()]
    assert found(TOY if rows == "toy" else REPEATS, support=support, keep=keep) == expected


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_definition_finds_the_same(draw) -> None:
    rows = draw.draw(records("abcd"))
    who = draw.draw(persons(len(rows)))
    asked = draw.draw(questions())
    twin = frequent_patterns(rows, who or range(len(rows)), **in_twin_words(asked))
    assert found(rows, who, **asked) == [("".join(pattern), support) for pattern, support in twin]


@pytest.mark.parametrize("keep", ["all", "closed", "maximal"])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, keep: str) -> None:
    rows, who, _ = CORNERS[name]
    twin = frequent_patterns(rows, who or range(len(rows)), 2, keep=keep)
    assert found(rows, who, support=2, keep=keep) == [("".join(pattern), support) for pattern, support in twin]


def test_no_records_at_all() -> None:
    frame = FrequentSequences(support=1, top=3).mine(Trajectories.from_lists([]))
    assert frame.rows() == []
    assert frame.schema["pattern"] == pl.List(pl.String)


def test_support_counts_persons() -> None:
    rows, who = ["ab", "ab", "ab", "ba"], ["ann", "ann", "bob", "cid"]
    assert found(rows, who, support=2) == [("a", 3), ("b", 3), ("ab", 2)]
    assert found(rows, support=3) == [("a", 4), ("b", 4), ("ab", 3)]


def test_a_person_whose_records_share_the_work() -> None:
    # ann follows a by b in one record and by c in another; in none of them by both
    rows, who = ["ab", "ac", "abc"], ["ann", "ann", "bob"]
    assert found(rows, who, support=2, keep="maximal") == [("ab", 2), ("ac", 2)]


def test_top_cuts_ties_in_name_order() -> None:
    rows = ["ab", "ab", "cd", "cd"]
    assert found(rows, top=4) == [("a", 2), ("ab", 2), ("b", 2), ("c", 2)]
    assert found(rows, top=3, min_length=2) == [("ab", 2), ("cd", 2)]
    assert found(rows, top=1, support=3) == []


def test_top_does_not_collect_all_ties() -> None:
    long = ["".join(chr(ord("a") + at) for at in range(26))]  # 67 million patterns, all with support 1
    assert found(long, top=3) == [("a", 1), ("ab", 1), ("abc", 1)]
    assert found(long, top=2, min_length=20)[0] == ("abcdefghijklmnopqrst", 1)


def test_maximal_is_relative_to_the_support_whatever_the_top() -> None:
    rows = ["abc", "ab", "ab", "d", "d", "d"]
    assert found(rows, support=2, keep="maximal", top=1) == [("ab", 3)]
    assert found(rows, support=1, keep="maximal", top=1) == [("d", 3)]


def test_closed_is_asked_before_lengths() -> None:
    assert found(["abc", "abc"], support=2, keep="closed", max_length=2) == []


def test_shares_are_exact() -> None:
    data = Trajectories.from_lists([["a"]] * 3 + [["b"]] * 27)
    assert FrequentSequences(support=0.1).threshold(data) == 3  # 0.1 * 30 is 3.0000000000000004
    assert FrequentSequences(support=0.101).threshold(data) == 4
    assert FrequentSequences(support=1).threshold(data) == 1
    persons_known = Trajectories.from_lists([["a"], ["a"], ["b"], ["c"]], persons=["u", "u", "v", "w"])
    assert FrequentSequences(support=0.5).threshold(persons_known) == 2
    of_two = persons_known.take(np.array([0, 1, 2]))  # still carries the name of the third
    assert FrequentSequences(support=0.5).threshold(of_two) == 1


def test_long_sequences_of_one_place() -> None:
    assert found(["a" * 300, "a" * 200], support=2, keep="closed") == [("a" * 200, 2)]


@pytest.mark.parametrize("asked", [{"support": 2}, {"top": 7}, {"support": 2, "keep": "closed"}])
def test_pieces_change_nothing_and_report(asked, monkeypatch) -> None:
    whole = found(REPEATS, **asked)
    monkeypatch.setattr("sfumato.mining.sequences.BUDGET", 1)
    seen = []
    data = Trajectories.from_lists([list(row) for row in REPEATS])
    frame = FrequentSequences(**asked).mine(data, progress=lambda *at: seen.append(at))
    assert [("".join(pattern), support) for pattern, _, support in frame.rows()] == whole
    assert len(seen) > 5
    assert seen[-1] == ("mining", 3, 3)
    assert all(0 <= done <= total == 3 for _, done, total in seen)


def test_too_many_patterns_are_refused(monkeypatch) -> None:
    monkeypatch.setattr("sfumato.mining.sequences.BUDGET", 50)
    with pytest.raises(ParameterError) as refused:
        FrequentSequences(support=1).find(Trajectories.from_lists(["abcdefghijklm"]), most=100)
    assert str(refused.value) == (
        "FrequentSequences: the patterns do not fit into memory; "
        "raise support, set top or max_length, or keep only closed or maximal patterns"
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "FrequentSequences: wanted support, top or both, found neither"),
        ({"support": 0}, "FrequentSequences: support must be a number above 0, or None, got 0"),
        ({"support": 2.5}, "FrequentSequences: support must be a whole number, or a share below 1, got 2.5"),
        ({"top": 0}, "FrequentSequences: top must be a whole number of at least 1, or None, got 0"),
        (
            {"top": 1, "min_length": 3, "max_length": 2},
            "FrequentSequences: max_length must be at least min_length=3, got 2",
        ),
        ({"top": 1, "keep": "some"}, "FrequentSequences: keep must be one of 'all', 'closed', 'maximal', got 'some'"),
    ],
)
def test_refusals(asked, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        FrequentSequences(**asked)
    assert str(refused.value) == sentence


def test_other_kinds_are_refused() -> None:
    with pytest.raises(DataError, match=r"^FrequentSequences: wanted trajectories"):
        FrequentSequences(top=1).mine(Transactions.from_lists([["a"]]))


def test_the_input_is_untouched() -> None:
    data = Trajectories.from_lists([list(row) for row in TOY], persons=["u", "v", "u", "w", "v", "x"])
    before = data.to_polars()
    FrequentSequences(support=2, keep="closed").mine(data)
    assert data.to_polars().equals(before)
