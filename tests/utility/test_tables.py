"""Measures of tables, worked out by hand and by the twin."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import BottomUp, Incognito, Mixed, Table, Taxonomy, Transactions
from sfumato.errors import DataError
from sfumato.utility.tables import AverageClassSize, Discernibility, Frequencies, Granularity, Ncp, frequencies
from tabled import people, tables
from twins.tables import GONE, Column


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
    assert Ncp()(table, Seen(read_back)).value == (3 / 4 + 0 + 2 / 4 + 1) / 4
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
