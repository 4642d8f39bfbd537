"""Which records of a person come first: random, whole persons together, and nothing of the private order."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import persons, records, shuffled
from sfumato import Trajectories, Transactions
from sfumato.methods.unit_contributions import records_by_unit
from sfumato.privacy.noise.geometric import Entropy


def contents(data: Any, seed: int) -> list[tuple[int, list[str]]]:
    chosen, units = records_by_unit(data, Entropy(seed=seed))
    rows = data.to_lists()
    return [(int(unit), rows[record]) for record, unit in zip(chosen, units, strict=True)]


@settings(max_examples=150, deadline=None)
@given(rows=records("abc"), draw=st.data(), seed=st.integers(0, 5))
def test_the_records_of_a_unit_stay_together_and_the_private_order_does_not_show(
    rows: Any, draw: Any, seed: int
) -> None:
    who = draw.draw(persons(len(rows)))
    data = Trajectories.from_lists(rows, persons=who)
    chosen, units = records_by_unit(data, Entropy(seed=seed))
    assert sorted(chosen.tolist()) == list(range(len(rows)))
    assert np.all(np.diff(units) >= 0)
    names = list(range(len(rows))) if who is None else who
    pairs = {(int(unit), names[record]) for record, unit in zip(chosen, units, strict=True)}
    assert len(pairs) == len({unit for unit, _ in pairs}) == len(set(names))
    order = np.array(draw.draw(st.permutations(range(len(rows)))))
    assert contents(data, seed) == contents(shuffled(data, order), seed)
    if who is not None:
        renamed = Trajectories.from_lists(rows, persons=[f"other-{name[::-1]}" for name in who])
        assert contents(data, seed) == contents(renamed, seed)


def test_every_order_of_a_persons_records_is_as_likely() -> None:
    data = Trajectories.from_lists([["a"], ["b"], ["b", "c"], ["a"]], persons=["u", "u", "u", "v"])
    seen: Counter[tuple[str, ...]] = Counter()
    entropy = Entropy(seed=4)
    for _ in range(1200):
        chosen, units = records_by_unit(data, entropy)
        seen[tuple(str(record) for record in chosen[units == units[chosen == 0]])] += 1
    assert len(seen) == 6
    assert all(abs(count - 200) < 4.5 * np.sqrt(200 * 5 / 6) for count in seen.values())


def test_baskets_and_nobody() -> None:
    baskets = Transactions.from_lists([["b", "a"], ["a"]], persons=["u", "u"])
    assert sorted(records_by_unit(baskets, Entropy(seed=1))[0].tolist()) == [0, 1]
    nobody = Trajectories(offsets=np.zeros(1), codes=np.empty(0), names=())
    chosen, units = records_by_unit(nobody, Entropy(seed=1))
    assert len(chosen) == len(units) == 0
