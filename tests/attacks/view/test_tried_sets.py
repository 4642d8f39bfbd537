"""Anonymity sets in chunks, by looking up every set of items."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sfumato import Disassociate
from sfumato.attacks import AttackSetting, Reidentify
from sfumato.generate import Baskets


def test_every_set_of_items_is_looked_up_in_chunks() -> None:
    baskets = Baskets(records=60, items=12).make(seed=3)
    setting = AttackSetting.of(baskets, Disassociate(k=3, m=2).anonymize(baskets, seed=1))
    found = Reidentify(known=2).run(setting, seed=1)
    worst, random, smallest = [], [], []
    for record in range(len(baskets)):
        items = baskets.codes[baskets.offsets[record] : baskets.offsets[record + 1]].tolist()
        longest = min(2, len(items))
        sizes = {known: setting.seen.may_hold(known) for size in (1, 2) for known in combinations(items, size)}  # type: ignore[attr-defined]
        worst.append(max((1 / size for size in sizes.values() if size), default=0.0))
        chances = [1 / size if size else 0.0 for known, size in sizes.items() if len(known) == longest]
        random.append(float(np.mean(chances)))
        smallest += [size for size in sizes.values() if size]
    assert found.successes.tolist() == pytest.approx(worst)
    assert found.facts["random_mean"] == pytest.approx(np.mean(random))
    assert (found.facts["smallest_anonymity_set"], found.exact) == (min(smallest), True)
    some = Reidentify(known=2, budget=200_000, targets=2).run(setting, seed=1)
    assert (some.tried, some.of, some.exact) == (2, 60, False)
    assert some.bound("worst") == "about "  # a sample, and the records of the targets are not known
