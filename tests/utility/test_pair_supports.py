"""re, re-a and tlost, by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Disassociate, Transactions
from sfumato.data import Chunks
from sfumato.data.queries import ESTIMATES
from sfumato.errors import DataError
from sfumato.utility.pair_supports import RelativeError, RelativeErrorCertain, TermsLost
from twins import queries as twin


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
    # by subsets, ab is expected once, ac and bc 2/3 times
    wanted = (1 / 1.5 + 2 * (1 / 3) / (5 / 6)) / 3
    assert RelativeError(estimate="subsets")(DATA, Files(coarse)).value == pytest.approx(wanted)
    # by shares, ab is expected 3/4 times, ac and bc 1/2 times
    wanted = ((5 / 4) / (11 / 8) + 2 * (1 / 2) / (3 / 4)) / 3
    assert RelativeError()(DATA, Files(coarse)).value == pytest.approx(wanted)
    assert RelativeError()(DATA, Files(DATA)).value == 0


def test_a_pair_in_neither_is_no_pair() -> None:
    """a and c never meet, in the original or in the release: only ab, which is lost, and bc, which stays, count."""
    data = Transactions.from_lists([["a", "b"], ["b", "c"]])
    assert RelativeError()(data, Files(Transactions.from_lists([["a"], ["b", "c"]]))).value == (2 + 0) / 2
    chunks = Chunks.of([{"size": 2, "chunks": [[["b", "c"]], [["a"]]]}])
    assert RelativeErrorCertain()(data, Files(chunks)).value == (2 + 0) / 2
    apart = Transactions.from_lists([["a"], ["b"]])
    assert RelativeError()(apart, Files(apart)).value == 0
    new = Transactions.from_lists([["a", "b"], ["b"]])
    assert RelativeError()(apart, Files(new)).value == 2


LABELS = {"ab": "g1", "cd": "g2", "abc": "g3"}
BASKETS = st.lists(st.sets(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=6)


@pytest.mark.parametrize("estimate", ESTIMATES)
@settings(max_examples=80, deadline=None)
@given(rows=BASKETS, by_person=st.booleans(), draw=st.data())
def test_it_is_the_formula_on_random_releases(estimate: str, rows: list[set[str]], by_person: bool, draw: Any) -> None:
    """Each item is published under its own name, under a label that holds it, or not at all; labels may overlap."""
    persons = draw.draw(st.lists(st.sampled_from("uvw"), min_size=len(rows), max_size=len(rows))) if by_person else None
    units = persons or list(range(len(rows)))

    def image(name: str) -> list[str]:
        groups = [label for group, label in LABELS.items() if name in group]
        return draw.draw(st.sampled_from([[], [name], *([group] for group in groups)]))

    published = [sorted({label for name in sorted(row) for label in image(name)}) for row in rows]
    made = Transactions.from_lists(published, persons=persons)
    made = replace(made, members={label: tuple(group) for group, label in LABELS.items() if label in made.names})
    items = sorted({name for row in rows for name in row})
    pairs = [
        (
            float(twin.support(rows, units, {}, pair, estimate)),
            float(twin.support(published, units, made.members, pair, estimate)),
        )
        for pair in combinations(items, 2)
    ]
    original = Transactions.from_lists([sorted(row) for row in rows], persons=persons)
    score = RelativeError(estimate=estimate)(original, Files(made))
    assert score.value == pytest.approx(twin.relative_error(pairs))
    assert RelativeError.bounds[0] <= score.value <= RelativeError.bounds[1]


@settings(max_examples=60, deadline=None)
@given(rows=BASKETS)
def test_chunks_are_the_formula_on_random_releases(rows: list[set[str]]) -> None:
    """Only pairs that meet in the original, in a reconstruction, or within a subrecord count."""
    baskets = Transactions.from_lists([sorted(row) for row in [*rows, {"a"}, {"a"}, {"b"}]])
    release = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(baskets, seed=1)
    pairs = list(combinations(sorted({name for row in baskets.to_lists() for name in row}), 2))

    def count(data: Transactions) -> list[int]:
        return [sum(set(pair) <= set(record) for record in data.to_lists()) for pair in pairs]

    true, certain = count(baskets), count(release.data.certain())
    assert RelativeErrorCertain()(baskets, release).value == pytest.approx(
        twin.relative_error(zip(true, certain, strict=True))
    )
    drawn = [count(world) for world in release.data.reconstruct(3, seed=5)]
    means = [sum(counts) / 3 for counts in zip(*drawn, strict=True)]
    assert RelativeError(reconstructions=3, seed=5)(baskets, release).value == pytest.approx(
        twin.relative_error(zip(true, means, strict=True))
    )


def test_persons_count_once() -> None:
    data = replace(DATA, persons=None)
    same = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "b"]], persons=["u", "u", "v"])
    assert RelativeError()(same, Files(Transactions.from_lists([["a", "b"]] * 2, persons=["u", "v"]))).value == 0
    assert RelativeError()(same, Files(same.with_persons(None))).value == 0  # records, where a release has no persons
    assert len(data) == 4


def test_terms_lost() -> None:
    """c, with a support of 2, is in a term chunk only."""
    assert TermsLost(k=1)(DATA, Files(APART)).value == pytest.approx(1 / 3)
    assert TermsLost()(DATA, Files(APART, k=2)).value == 0
    assert TermsLost(k=9)(DATA, Files(APART)).value == 0
    assert TermsLost()(DATA, Disassociate(k=2, m=2).anonymize(DATA)).value == 0


@settings(max_examples=60, deadline=None)
@given(rows=BASKETS, k=st.integers(1, 3))
def test_terms_lost_are_those_of_its_definition(rows: list[set[str]], k: int) -> None:
    baskets = Transactions.from_lists([sorted(row) for row in [*rows, {"a"}, {"a"}, {"b"}]])
    release = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(baskets, seed=1)
    listed = release.data.to_polars()
    kept = set(listed.filter(listed["kind"] != "term")["item"])
    frequent = {name for name in "abcde" if sum(name in record for record in baskets.to_lists()) > k}
    wanted = len(frequent - kept) / len(frequent) if frequent else 0
    assert TermsLost(k=k)(baskets, release).value == pytest.approx(wanted)


def test_refusals() -> None:
    with pytest.raises(DataError, match="tlost: wanted the k of the release"):
        TermsLost()(DATA, Files(APART))
    with pytest.raises(DataError, match="re-a: wanted chunks"):
        RelativeErrorCertain()(DATA, Files(DATA))
