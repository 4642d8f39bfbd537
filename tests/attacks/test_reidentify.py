"""Re-identification by a few known visits, items or values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.recoded_rows import ONE, brief, rows_of, seen_as, through
from sfumato.attacks import (
    AttackSetting,
    Exposed,
    Reidentify,
)
from sfumato.data import Trajectories, Transactions
from twins.attacks_fits import fits_known, smallest_crowds


def test_reidentification_counts_persons_and_finds_the_rarest_pieces() -> None:
    walks = Trajectories.from_lists([["a", "b", "c"], ["a", "b"], ["a", "b"]], persons=["ann", "bob", "bob"])
    setting = AttackSetting.of(walks, walks.published()[0])
    found = Reidentify(known=2, tries=1).run(setting, seed=1)
    assert found.successes.tolist() == [1.0, 0.5]
    assert found.facts == {
        "random_mean": pytest.approx(found.facts["random_mean"]),
        "smallest_anonymity_set": 1,
        "anonymity_set_unit": "person",
    }
    assert not found.at_most
    assert found.exact
    # whoever is no longer in the crowd is not found
    gone = replace(Trajectories.from_lists([["a", "b"], ["a", "b"]]), ids=None)
    hidden = Reidentify(known=1).run(AttackSetting.of(walks, Exposed(gone, np.array([1, 2]))), seed=1)
    assert hidden.successes.tolist() == [0.0, 1.0]


def test_reidentification_as_it_is_is_the_audit() -> None:
    rows = [list("ab"), list("abc"), list("b")]
    walks = Trajectories.from_lists(rows)
    found = Reidentify(known=2).run(AttackSetting.of(walks))
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in smallest_crowds(rows, 2, ordered=True)])


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_reidentification_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    published = through(ONE, rows, flags[: len(rows)])
    published = published if ordered else [sorted(set(row)) for row in published]
    exposed = Exposed(seen_as(kind, published, ONE), np.arange(len(rows)))
    # all pieces are known: nothing is left to chance
    found = Reidentify(known=3, tries=1).run(AttackSetting(kind.from_lists(rows), (exposed,)), seed=1)
    twin = [sum(fits_known(one, ONE, row, ordered=ordered) for one in published) for row in rows]
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in twin])
    assert found.facts["smallest_anonymity_set"] == min(twin)
