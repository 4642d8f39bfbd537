"""Groups made in parts: the demand holds, and little more is lost than without parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Local, Table
from sfumato.data.tables.encoding import Coding
from sfumato.methods.relational import grouping, parted_groups
from sfumato.methods.relational.grouping import Grouping, improved_groups
from sfumato.methods.relational.row_parts import row_parts
from sfumato.privacy import KAnonymity, LDiversity, TCloseness
from sfumato.utility.tables import Ncp
from tabled import tables


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MOST_AT_ONCE", 8)
    monkeypatch.setattr(parted_groups, "_PART", 6)


def people(n: int) -> Table:
    chance = np.random.default_rng(7)
    return Table(
        {
            "age": (20 + chance.gamma(3.0, 8.0, n)).astype(int).tolist(),
            "town": [f"t{int(x)}" for x in np.minimum(chance.geometric(0.3, n), 8)],
            "sex": chance.choice(["f", "m"], n).tolist(),
            "ill": chance.choice(["flu", "cold", "hiv"], n).tolist(),
        },
        sensitive=("ill",),
        quasi_identifiers=("age", "town", "sex"),
    )


def test_parts_lose_at_most_a_twentieth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    table = people(3_000)
    whole = Ncp()(table, Local(k=5).anonymize(table, seed=1)).value
    monkeypatch.setattr(grouping, "MOST_AT_ONCE", 1_000)
    monkeypatch.setattr(parted_groups, "_PART", 500)
    release = Local(k=5).anonymize(table, seed=1)
    assert release.holds
    assert Ncp()(table, release).value < 1.05 * whole


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("rules", [{"l": 2}, {"t": 0.4}, {"l": 3, "t": 0.5}])
def test_parts_keep_every_demand(rules: dict[str, float]) -> None:
    """Some parts of six rows cannot be diverse or close by themselves; their rows find a group all the same."""
    table = people(60)
    group = improved_groups(Coding.of(table), 2, np.random.default_rng(1), **rules)  # type: ignore[arg-type]
    assert group is not None
    as_one = Table({"group": group.tolist(), "ill": table["ill"].to_list()}, sensitive=("ill",))
    assert KAnonymity(k=2).check(as_one).holds
    assert "l" not in rules or LDiversity(l=int(rules["l"])).check(as_one).holds
    assert TCloseness(t=rules.get("t", 1.0)).check(as_one).holds


@settings(max_examples=40, deadline=None)
@given(table=tables(), k=st.integers(2, 4))
def test_any_table_in_parts_keeps_its_promise(table: Table, k: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "MOST_AT_ONCE", 3)
        patch.setattr(parted_groups, "_PART", 4)
        if len(np.unique(table.units)) >= k:
            assert Local(k=k).anonymize(table).holds


def test_what_even_all_rows_cannot_meet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MOST_AT_ONCE", 8)
    table = people(30)
    assert improved_groups(Coding.of(table), 2, np.random.default_rng(1), l=4) is None


def test_every_row_is_in_one_part_and_equal_rows_are_cut_by_number() -> None:
    table = people(500)
    ordered = Grouping.of(Coding.of(table), 5, np.random.default_rng(1))
    ones = np.ones(500, dtype=np.int64)
    parts = list(row_parts(ordered.codes, ones, ordered.spans, 60))
    assert sorted(row for rows in parts for row in rows.tolist()) == list(range(500))
    assert max(map(len, parts)) <= 60
    alike = np.zeros_like(ordered.codes)
    assert [len(rows) for rows in row_parts(alike, ones, ordered.spans, 300)] == [250, 250]
