"""The exploration tree against its literal twin, with the noise taken away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato import Trajectories
from sfumato.methods.trajectories.ngrams.exploration_tree import Tree, _possible, explore
from sfumato.methods.trajectories.ngrams.ngrams import _grams
from sfumato.privacy.noise import budget as ledger_module
from sfumato.privacy.noise.budget import Counts, PrivacyBudget
from sfumato.privacy.noise.geometric import Entropy
from twins.ngrams import BEGIN, END, Gram, counted, explored


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No noise."""
    nothing = np.empty(0, dtype=np.int64)
    monkeypatch.setattr(ledger_module, "two_sided", lambda *asked: np.zeros(asked[1], dtype=np.int64))
    monkeypatch.setattr(ledger_module, "passing", lambda *_: (nothing, nothing))


def tree_of(
    rows: Any, places: str, epsilon: float, at_most: int, longest: int, **more: Any
) -> tuple[Tree, PrivacyBudget]:
    data = Trajectories.from_lists(rows, places=dict.fromkeys(places, (0, 0)), **more)
    ledger = PrivacyBudget(seed=1)
    grams, records = _grams(data, data.places, at_most, ledger.entropy)
    ledger.open(data, records=records, epsilon=epsilon, at_most=at_most)
    return explore(grams, ledger, epsilon=epsilon, at_most=at_most, longest=longest), ledger


def as_grams(tree: Tree, places: str) -> dict[Gram, int]:
    found: dict[int, Gram] = {0: ()}
    for node in range(1, len(tree)):
        before = found[int(tree.parent[node])]
        symbol = int(tree.symbol[node])
        name = places[symbol] if symbol < len(places) else (END if before else BEGIN)
        found[node] = (*before, name)
    return {gram: int(tree.count[node]) for node, gram in found.items() if gram}


@pytest.mark.usefixtures("silence")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=12),
    epsilon=st.sampled_from([0.5, 4.0, 40.0, 4000.0]),
    longest=st.integers(1, 5),
    times=st.sampled_from([1, 7]),
)
def test_the_tree_is_that_of_the_twin(rows: Any, epsilon: float, longest: int, times: int) -> None:
    places = "abcd"
    tree, ledger = tree_of(rows * times, places, epsilon, 6, longest)
    found = as_grams(tree, places)
    assert found == explored(rows * times, places, epsilon, 6, longest)
    visits = [len(gram) for gram, count in found.items() if count > 0 and not {BEGIN, END} & set(gram)]
    assert tree.sizes() == [visits.count(size) for size in range(1, max(visits, default=0) + 1)]
    true = counted(rows * times, longest)
    # a gram is not believed where its own end is too rare to be told
    assert all(count == true[gram] or (count < true[gram] and gram[1:] not in found) for gram, count in found.items())
    # the tree's suffixes are the longest that it has
    names = list(found)
    for node, gram in enumerate(names, start=1):
        if gram[-1] != END:
            wanted = next((gram[at:] for at in range(1, len(gram)) if gram[at:] in found), ())
            assert [(), *names][tree.suffix[node]] == wanted
    assert ledger.spends.largest <= 6


@pytest.mark.usefixtures("silence")
def test_a_larger_count_is_expected_to_go_deeper_and_spends_more_slowly() -> None:
    """Half of all visits are to `a`: from 20,000 on, 3 more levels are expected; from the 80 of `c` on, 2."""
    tree, ledger = tree_of(["ababababa"] * 4000 + ["cd"] * 80, "abcd", 1.0, 10, 4)
    spent = dict(zip(ledger.spends.branches.tolist(), ledger.spends.shares.tolist(), strict=True))
    whole = ledger_module.WHOLE
    assert spent[0] == whole // 4
    assert spent[1] == (whole - whole // 4) // 3  # the gram a
    assert spent[3] == (whole - whole // 4) // 2  # the gram c
    assert 4 in spent  # the gram d
    assert ("a", "b", "a", "b") in as_grams(tree, "abcd")
    assert as_grams(tree, "abcd")["c", "d"] == 80


def test_noisy_counts_become_possible_without_growing() -> None:
    noisy = np.array([100, -40, 30, -20, 10, 7])  # five places and the begin
    told = Counts(np.zeros(6, dtype=np.int64), np.arange(6), noisy, np.arange(1, 7))
    counts = _possible(told, 5)
    assert counts.min() >= 0
    assert 80 - 5 < counts[:5].sum() <= 80
    assert counts[5] == 7
    assert counts[0] - counts[2] == 70
    below = Counts(np.ones(2, dtype=np.int64), np.arange(2), np.array([-3, 4]), np.arange(7, 9))
    assert _possible(below, 5).tolist() == [0, 4]
    lost = Counts(np.zeros(3, dtype=np.int64), np.arange(3), np.array([-5, 2, -1]), np.arange(1, 4))
    assert _possible(lost, 2).tolist() == [0, 0, 0]


def test_contributions_are_begins_and_visits_up_to_the_limit() -> None:
    data = Trajectories.from_lists(
        [list("abcd"), list("ab"), [], ["c"], list("dddddd")],
        persons=["u", "u", "u", "v", "w"],
        places=dict.fromkeys("abcd", (0, 0)),
    )
    seen = set()
    for seed in range(40):
        grams, records = _grams(data, data.places, 5, Entropy(seed))
        per_unit = np.bincount(data.units[records], minlength=3)
        assert per_unit.tolist() == [5, 2, 5]
        walks = np.split(grams.symbols, np.unique(grams.ends) + 1)[:-1]
        assert all(walk[0] == walk[-1] == 4 for walk in walks)
        seen.add(tuple(sorted("".join("abcd"[code] for code in walk[1:-1]) for walk in walks)))
    # whole record first or second; the one that crosses the limit keeps its first visits
    assert seen == {("abcd", "c", "dddd"), ("a", "ab", "c", "dddd")}
