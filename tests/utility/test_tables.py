"""Measures of tables, worked out by hand and by the twin."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_people import people as some_people
from sfumato import (
    BottomUp,
    Cluster,
    Incognito,
    Local,
    Mixed,
    RFirst,
    RumBound,
    Table,
    Taxonomy,
    TFirst,
    TopDown,
    Transactions,
    TumBound,
)
from sfumato.errors import DataError
from sfumato.io.published.directory import read as read_directory
from sfumato.utility.items import UtilityLoss
from sfumato.utility.tables import AverageClassSize, Discernibility, Frequencies, Granularity, Ncp, frequencies
from tabled import numbers, people, tables
from twins.merging import utility_loss
from twins.tables import GONE, Column, columns_of


class Seen:
    """A release of which only the files are at hand."""

    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


ALL = [("joiner", "Rome", "f"), ("turner", "Bari", "f"), ("smith", "Oslo", "m"), (None, "Oslo", "m")]
# job has 4 leaves and the missing one, town 3, sex 2
PUBLIC = Table(
    {"job": ["wood", "wood", "any"], "town": ["south", "south", "*"], "sex": ["f", "f", "*"]},
    members={"job": {"wood": ("joiner", "turner")}, "town": {"south": ("Rome", "Bari")}},
)


def test_figures_by_hand() -> None:
    original, release = people(ALL), Seen(PUBLIC)
    ncp = (2 / 5 + 2 / 5 + 1) + (2 / 3 + 2 / 3 + 1) + (0 + 0 + 1) + 3  # the last row is suppressed: 1 in each column
    assert Ncp()(original, release).value == pytest.approx(ncp / 12)
    granularity = (1 / 4 + 1 / 4 + 1) + (1 / 2 + 1 / 2 + 1) + (0 + 0 + 1) + 3
    assert Granularity()(original, release).value == pytest.approx(granularity / 12)
    assert Discernibility()(original, release).value == 2 * 2 + 1 * 1 + 1 * 4
    assert str(AverageClassSize()(original, release)) == "1.5 rows"


def test_frequencies_by_hand() -> None:
    original, release = people(ALL), Seen(PUBLIC)
    found = frequencies(original, PUBLIC, "town")
    assert found["value"].to_list() == ["Rome", "Bari", "Oslo"]
    assert found["original"].to_list() == [0.25, 0.25, 0.5]
    assert found["published"].to_list() == pytest.approx([4 / 9, 4 / 9, 1 / 9])  # south is half Rome, * a third
    off = {
        "town": (4 / 9 - 1 / 4) * 2 / 2 + (1 / 2 - 1 / 9) / 2,
        "sex": 2 * (2.5 / 3 - 1 / 2) / 2,
        "job": (2 * (1.2 / 3 - 1 / 4) + 2 * (1 / 4 - 0.2 / 3) + 0.2 / 3) / 2,
    }
    for column, value in off.items():
        assert Frequencies(column=column)(original, release).value == pytest.approx(value)
    assert Frequencies()(original, release).value == pytest.approx(sum(off.values()) / 3)


def test_nothing_lost() -> None:
    table = people(ALL)
    untouched = Seen(table)
    assert [m()(table, untouched).value for m in (Ncp, Granularity, Frequencies)] == [0, 0, 0]
    assert Discernibility()(table, untouched).value == 4
    gone = Seen(table.take(pl.Series([], dtype=pl.Int64).to_numpy()))
    assert [m()(table, gone).value for m in (Ncp, Granularity, Discernibility, AverageClassSize)] == [1, 1, 16, 4]


@settings(max_examples=40, deadline=None)
@given(table=tables(), share=st.sampled_from([0.0, 0.5]))
def test_ncp_is_that_of_the_twin_also_from_files(table: Table, share: float) -> None:
    if len(set(table.units.tolist())) < 2:
        return
    release = BottomUp(k=2, suppression=share).anonymize(table)
    columns = [Column(table, name) for name in table.quasi_identifiers]
    lost = (len(table) - len(release.data)) * len(columns) + sum(
        column.cost(GONE if cell is None else cell)
        for column, name in zip(columns, table.quasi_identifiers, strict=True)
        for cell in release.data[name].to_list()
    )
    assert Ncp()(table, release).value == pytest.approx(float(lost / (len(table) * 3)))
    assert Ncp()(table, Seen(release.data)).value == Ncp()(table, release).value


def test_ranges_and_labels_of_any_make() -> None:
    table = Table({"age": [30, 31, 40, 55]})
    read_back = Table({"age": ["[30:40]", "30.0", "g1", "[30:55]"]}, members={"age": {"g1": ("40", "55")}})
    for measure in (Ncp, Granularity):
        assert measure()(table, Seen(read_back)).value == pytest.approx((10 / 25 + 0 + 15 / 25 + 1) / 4)
    wide = Table({"age": ["[0:30]", "[35:90]", "[30:31]", "[20:99]"]})  # what lies outside the domain does not count
    assert Ncp()(table, Seen(wide)).value == pytest.approx((0 + 20 / 25 + 1 / 25 + 1) / 4)
    with pytest.raises(DataError, match="label in the column 'age'"):
        Ncp()(table, Seen(Table({"age": ["Rome"]})))
    with pytest.raises(DataError, match="the release has no column 'age'"):
        Ncp()(table, Seen(Table({"town": ["Rome"]})))
    with pytest.raises(DataError, match=r"frequencies: wanted a quasi-identifier, found 'agee'; did you mean 'age'\?"):
        Frequencies(column="agee")(table, Seen(table))
    with pytest.raises(DataError, match="ncp: wanted table or mixed"):
        Ncp()(Transactions.from_lists([["a"]]), Seen(table))


def test_mixed_data_are_measured_by_their_table() -> None:
    mixed = Mixed.from_frame({"age": [30, 31], "items": ["a", "b"]})
    assert Ncp()(mixed, Seen(mixed)).value == 0


def test_missing_values_of_a_column_of_numbers() -> None:
    table = Table({"age": [30, 31, None, 52]})
    release = Incognito(k=4).anonymize(table)
    assert release.data["age"].to_list() == ["*"] * 4
    assert Ncp()(table, release).value == 1.0
    assert frequencies(table, release.data, "age")["published"].to_list() == [0.25] * 4
    tree = Taxonomy({"*": None, "30": "*", "31": "*", "52": "*", "99": "*"})
    assert Ncp()(Table({"age": [30, 31]}, hierarchies={"age": tree}), Seen(Table({"age": ["*", "30"]}))).value == 0.5


METHODS = [Cluster, Local, Incognito, TopDown, BottomUp, lambda **k: Incognito(intervals="quantiles", **k)]


@settings(max_examples=60, deadline=None)
@given(table=numbers(), method=st.sampled_from(METHODS), measure=st.sampled_from([Ncp, Granularity]))
def test_ranges_of_numbers_cost_their_length(table: Table, method: Any, measure: Any) -> None:
    release = method(k=2).anonymize(table, seed=1)
    lost = (len(table) - len(release.data)) * 3 + sum(
        column.cost(GONE if cell is None else str(cell), measure.name)
        for column, name in zip(columns_of(table), table.quasi_identifiers, strict=True)
        for cell in release.data[name].to_list()
    )
    assert measure()(table, release).value == pytest.approx(float(lost / (len(table) * 3)))
    assert measure()(table, Seen(release.data)).value == measure()(table, release).value


def test_incomes_far_from_the_others_do_not_hide_a_narrow_range() -> None:
    incomes = Table({"income": [10, 11, 12, 13, 500, 1000]})
    release = Cluster(k=3).anonymize(incomes, seed=1)
    assert release.data["income"].to_list() == ["[10:1000]"] * 3 + ["[11:13]"] * 3
    assert Ncp()(incomes, release).value == Granularity()(incomes, release).value == pytest.approx((1 + 2 / 990) / 2)
    tree = Taxonomy({"*": None} | {str(number): "*" for number in incomes["income"].to_list()})
    given_tree = Table(incomes.frame, hierarchies={"income": tree})
    narrow = Seen(Table({"income": ["g"] * 3 + ["*"] * 3}, members={"income": {"g": ("11", "12", "13")}}))
    assert Ncp()(given_tree, narrow).value == 0.75  # with a hierarchy, leaves count


@pytest.mark.parametrize("column", [[5, 5, 5, 5], [0.5] * 4, [5, 5, None, None]])
def test_a_domain_of_one_number_costs_nothing(column: list[Any]) -> None:
    table = Table({"age": column})
    assert Ncp()(table, Cluster(k=2).anonymize(table)).value == 0
    assert Ncp()(table, Incognito(k=2).anonymize(table)).value == 0
    assert Ncp()(table, Seen(Table({"age": ["[0:6]"] * 4}))).value == 0
    if None in column:
        assert Ncp()(table, Cluster(k=4).anonymize(table)).value == 1  # a number, or none


def test_a_range_of_dates_is_no_range() -> None:
    days = Table({"day": [date(2020, 1, day) for day in (1, 2, 9, 9)]})
    assert Ncp()(days, Cluster(k=2).anonymize(days, seed=1)).value == 0.5  # days have one root and no ranges


@settings(max_examples=60, deadline=None)
@given(table=tables() | numbers(), method=st.sampled_from(METHODS[:5]), k=st.integers(2, 3))
def test_sizes_of_classes_are_counted_as_by_hand(table: Table, method: Any, k: int) -> None:
    if len(set(table.units.tolist())) < k:
        return
    release = method(k=k).anonymize(table, seed=1)
    rows = release.data.frame.rows()
    gone = len(table) - len(rows)
    assert Discernibility()(table, release).value == sum(rows.count(row) for row in rows) + gone * len(table)
    assert AverageClassSize()(table, release).value == pytest.approx(len(rows) / len(set(rows)))


@settings(max_examples=40, deadline=None)
@given(table=numbers(), method=st.sampled_from(METHODS))
def test_frequencies_are_counted_as_by_hand(table: Table, method: Any) -> None:
    """Every number inside a range and every leaf under a node is equally probable, the missing value as one more."""
    release = method(k=2).anonymize(table, seed=1)
    off = []
    for column, name in zip(columns_of(table), table.quasi_identifiers, strict=True):
        expected: Counter[str] = Counter()
        for cell in (GONE if cell is None else str(cell) for cell in release.data[name].to_list()):
            values = _leaves_of(cell, column)
            expected.update(dict.fromkeys(values, 1 / len(values)))
        before = Counter(column.cells)
        off.append(sum(abs(before[x] / len(table) - expected[x] / len(release.data)) for x in column.leaves) / 2)
    assert Frequencies()(table, release).value == pytest.approx(sum(off) / 3)


def _leaves_of(label: str, column: Column) -> list[str]:
    if label in (*column.nodes(), GONE):
        return column.below(label)
    low, high = label.strip("[]").split(":")
    return [leaf for leaf in column.leaves if leaf != GONE and float(low) <= float(leaf) <= float(high)]


@pytest.mark.parametrize(
    "method", [RFirst(k=3, m=2), TFirst(k=3, m=2), RumBound(k=3, m=2, delta=0.7), TumBound(k=3, m=2, delta=0.6)]
)
@pytest.mark.parametrize("chance", range(3))
def test_mixed_releases_are_measured_as_by_hand(method: Any, chance: int) -> None:
    data = some_people(40, chance=chance)
    release = method.anonymize(data, seed=1)
    rows = release.data.table.frame.rows()
    columns = columns_of(data.table)
    cells = [
        column.cost(GONE if row[at] is None else str(row[at])) for row in rows for at, column in enumerate(columns)
    ]
    assert Ncp()(data, release).value == pytest.approx(float(sum(cells)) / len(cells))
    assert Discernibility()(data, release).value == sum(rows.count(row) for row in rows)
    assert AverageClassSize()(data, release).value == pytest.approx(len(rows) / len(set(rows)))
    items = release.data.items
    sizes = [[len(items.members.get(label, (label,))) for label in record] for record in items.to_lists()]
    for intact in ("free", "printed"):
        emptied = sum(map(bool, data.items.to_lists())) - sum(map(bool, sizes))
        expected = utility_loss(sizes, printed=intact == "printed") + emptied / len(sizes)
        assert UtilityLoss(intact=intact)(data, release).value == pytest.approx(expected)


def test_measures_of_a_directory_are_those_of_the_run(tmp_path: Path) -> None:
    table = Table({"age": [20, 24, None, None, 61.5, 60.0, 60.0], "income": [10, 11, 12, 13, 500, 1000, 11]})
    for number, method in enumerate([Cluster(k=2), Local(k=3), Incognito(k=2), TopDown(k=3, intervals="quantiles")]):
        release = method.anonymize(table, seed=1)
        release.write(tmp_path / str(number))
        published = read_directory(tmp_path / str(number)).require_data()
        for measure in (Ncp(), Granularity(), Discernibility(), AverageClassSize()):
            assert measure(table, Seen(published)).value == pytest.approx(measure(table, release).value)
