"""The cover problem: hand-made covers, and a literal twin on random chunks."""

from __future__ import annotations

from random import Random

import pytest

from sfumato import Transactions
from sfumato.attacks import find_covers
from sfumato.data import Chunks
from sfumato.errors import DataError


def literal(nested: list[dict]) -> set[tuple[int, int, str, int]]:
    found = set()
    for cluster, one in enumerate(nested, start=1):
        for number, chunk in enumerate(one["chunks"], start=1):
            for item in {item for row in chunk for item in row}:
                always = set.intersection(*(set(row) for row in chunk if item in row)) - {item}
                if always:
                    found.add((cluster, number, item, len(always)))
    return found


def test_twins_cover_each_other() -> None:
    found = find_covers(Chunks.of([{"size": 3, "chunks": [[["a", "b", "c"], ["a", "b"], ["a", "b"]]], "terms": []}]))
    assert found.frame.rows() == [(1, 1, "a", 3, "b", 1), (1, 1, "b", 3, "a", 1), (1, 1, "c", 1, "a", 2)]
    assert (found.share, found.most) == (1.0, 2)
    assert repr(found) == "<Covers: 3 of 3 items in chunks are covered>"
    assert found.to_json()["covered"] == 3


@pytest.mark.parametrize("seed", range(30))
def test_random_chunks(seed: int) -> None:
    chance = Random(seed)
    nested = []
    for _ in range(3):
        chunks = [
            [chance.sample(items, chance.randint(1, len(items))) for _ in range(chance.randint(1, 5))]
            for items in ("abc", "def")
        ]
        nested.append({"size": 5, "chunks": chunks, "terms": ["g"]})
    found = find_covers(Chunks.of(nested))
    rows = found.frame.select("cluster", "chunk", "item", "covers").rows()
    assert set(rows) == literal(nested)


def test_nothing_to_find() -> None:
    found = find_covers(Chunks.of([{"size": 2, "chunks": [], "terms": ["a"]}]))
    assert len(found.sentences) == 1
    assert found.sentences[0].startswith("No item")
    assert (found.share, found.most) == (0.0, 0)


def test_other_data_are_refused() -> None:
    with pytest.raises(DataError, match="covers: fits chunks, got transactions"):
        find_covers(Transactions.from_lists([["a"]]))
