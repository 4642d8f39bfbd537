"""Bottom-up generalization against its literal twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import BottomUp, Table
from sfumato.errors import Infeasible
from tabled import classes_of, numbers, people, tables
from twins.tables import GONE, LiteralCuts


@settings(max_examples=50, deadline=None)
@given(table=tables(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.2, 0.5]))
def test_it_goes_as_the_literal_twin(table: Table, k: int, share: float) -> None:
    if len(set(table.units.tolist())) < k:
        with pytest.raises(Infeasible):
            BottomUp(k=k).anonymize(table)
        return
    release = BottomUp(k=k, suppression=share).anonymize(table)
    twin = LiteralCuts(table, k, int(share * len(table) + 1e-9), at_root=False)
    twin.generalize()
    rows = [tuple(GONE if cell is None else cell for cell in row) for row in release.data.frame.rows()]
    assert sorted(rows) == twin.published()
    assert release.holds


@settings(max_examples=40, deadline=None)
@given(table=numbers(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.2]))
def test_numbers_without_a_hierarchy_cost_their_length(table: Table, k: int, share: float) -> None:
    twin = LiteralCuts(table, k, int(share * len(table) + 1e-9), at_root=False)
    twin.generalize()
    assert classes_of(BottomUp(k=k, suppression=share).anonymize(table)) == twin.classes()


def test_siblings_become_their_parent_in_all_rows() -> None:
    table = people([("joiner", "Rome", "f"), ("turner", "Rome", "f"), ("joiner", "Oslo", "m"), ("joiner", "Oslo", "m")])
    release = BottomUp(k=2).anonymize(table)
    assert release.data.frame.rows() == [("wood", "Oslo", "m")] * 2 + [("wood", "Rome", "f")] * 2
    assert release.counts == {"suppressed_records": 0, "generalized_cells": 4}


def test_safe_rows_are_left_as_they_are() -> None:
    table = people([("joiner", "Rome", "f")] * 2 + [("poet", None, "m")] * 2)
    assert BottomUp(k=2).anonymize(table).data.frame.rows() == [("joiner", "Rome", "f")] * 2 + [("poet", None, "m")] * 2


def test_unsafe_rows_are_suppressed_as_far_as_allowed() -> None:
    table = people([("joiner", "Rome", "f")] * 3 + [("poet", "Oslo", "m")])
    assert BottomUp(k=2, suppression=0.25).anonymize(table).counts["suppressed_records"] == 1
    assert BottomUp(k=2, suppression=0.2).anonymize(table).counts["suppressed_records"] == 0


def test_diverse() -> None:
    table = people([("joiner", "Rome", "f")] * 2 + [("turner", "Rome", "f")] * 2, ill=["flu", "flu", "hiv", "flu"])
    assert BottomUp(k=2, l=2).anonymize(table).data["job"].to_list() == ["wood"] * 4
    with pytest.raises(Infeasible, match="too large for these data"):
        BottomUp(k=2, l=3).anonymize(table)
