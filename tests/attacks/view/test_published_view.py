"""Crowds in a release, equal to trying everything: re-identification, composition, inference, places, times."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.recoded_rows import ONE, TWO, brief, rows_of, seen_as, through
from datasets import build
from sfumato.attacks import (
    AttackSetting,
    Composition,
    Exposed,
    Finding,
    Inference,
    Reidentify,
)
from sfumato.attacks.view.published_view import Knowledge
from sfumato.data import Chunks, Mixed, Table, Trajectories, Transactions
from sfumato.errors import DataError
from twins.attacks_fits import all_patterns, crowd_after_composition, fits_known


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_who_fits_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    published = through(ONE, rows, flags[: len(rows)])
    original = kind.from_lists([*rows, list("abcd")])
    seen = AttackSetting(original, (Exposed(seen_as(kind, published, ONE)),)).seen
    for row in rows:
        for known in (1, 2, 3):
            for pattern in all_patterns(row, known, ordered=ordered):
                codes = tuple(original.names.index(piece) for piece in pattern)
                twin = [at for at, one in enumerate(published) if fits_known(one, ONE, pattern, ordered=ordered)]
                assert seen.fitting(Knowledge(codes, ordered)).tolist() == twin


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=12, max_size=12))
def test_composition_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    first = through(ONE, rows, flags[: len(rows)])
    second = through(TWO, rows, flags[6 : 6 + len(rows)])
    if not ordered:
        first, second = ([sorted(set(row)) for row in part] for part in (first, second))
    setting = AttackSetting(
        kind.from_lists(rows), (Exposed(seen_as(kind, first, ONE)), Exposed(seen_as(kind, second, TWO)))
    )
    # all pieces are known: nothing is left to chance
    found = Composition(known=3, tries=1).run(setting, seed=1)
    twin = []
    for row in rows:
        known = row if ordered else sorted(set(row))
        crowd = crowd_after_composition(known, (first, ONE), (second, TWO), ordered=ordered)
        twin.append(1 / crowd if crowd else 0.0)
    assert found.successes.tolist() == pytest.approx(twin)


def test_composition_narrows_by_what_both_releases_show() -> None:
    people = Table({"age": [31, 33, 45, 47], "ill": ["flu", "hiv", None, "cold"]}, sensitive=("ill",))
    one = Table({"age": ["[31:45]"] * 3 + ["47"], "ill": ["flu", None, "hiv", "cold"]}, sensitive=("ill",))
    two = Table({"age": ["31"] + ["[33:47]"] * 3, "ill": ["flu", "cold", None, "hiv"]}, sensitive=("ill",))
    found = Composition().run(AttackSetting.of(people, one, two), seed=1)
    assert found.successes.tolist() == [1.0, 0.5, 0.5, 1.0]
    assert found.facts["smallest_anonymity_set"] == 1
    assert found.facts["alone_worst"] == 1.0
    alone = Composition().run(AttackSetting.of(people, one, one), seed=1)
    assert alone.successes.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0])
    with pytest.raises(DataError, match="wanted two releases"):
        Composition().run(AttackSetting.of(people, one))
    assert "two releases of the same people; give two" in str(Composition().unfit(AttackSetting.of(people, one)))


def test_composition_of_mixed_records_and_of_suppressed_ones() -> None:
    people = Mixed.from_frame({"age": [30, 31], "items": ["a b", "a c"]})
    one = Mixed.from_frame({"age": ["[30:31]", "[30:31]"], "items": ["a b", "a c"]})
    found = Composition(known=1).run(AttackSetting.of(people, one, one), seed=1)
    assert found.worst <= 1.0
    walks = Trajectories.from_lists([["a", "b"], ["a", "c"]])
    shorter = replace(Trajectories.from_lists([["a"], ["a", "c"]]), ids=None)
    said = Composition(known=1).run(AttackSetting.of(walks, shorter, shorter), seed=1)
    assert said.sentences[-1].startswith("Not attacked: something was suppressed, split or added")


def test_chunks_count_the_records_that_may_hold_the_items() -> None:
    baskets = Transactions.from_lists([["a", "b"], ["a"], ["a"], ["c"]])
    chunks = Chunks.of([{"size": 4, "chunks": [[["a"], ["a"], ["a"]]], "terms": ["b", "c"]}])
    found = Reidentify(known=2).run(AttackSetting.of(baskets, chunks), seed=1)
    assert found.facts["smallest_anonymity_set"] == 3
    assert found.worst == pytest.approx(1 / 3)


@pytest.mark.parametrize("kind", ["trajectories", "transactions", "table", "mixed"])
def test_nobody_at_all_is_nobody(kind: str) -> None:
    data = build(kind, [list("ab")], None)
    empty = data.take(np.arange(0))
    for attack in (Reidentify(), Inference()):
        found = attack.run(AttackSetting(data, (Exposed(empty),)), seed=1)
        assert found.worst == 0.0
        assert found.to_json()["attack"] == attack.name


def test_the_spread_is_told_in_words() -> None:
    found = Finding("a", "a", "all", "the right one", np.array([1.0, 0.1, 0.2, 0.1]), of=4)
    assert "Median 10.00%, 99th percentile 100.00%, 25.00% of the records at 100%." in found.sentences
    alone = Finding("a", "a", "all", "the right one", np.array([1.0]), of=1)
    assert not any("half of them" in sentence for sentence in alone.sentences)
