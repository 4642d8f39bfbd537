"""Releases of originals that differ in suppressed rows alone, as many in each, are the same byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import (
    AprioriAnon,
    BottomUp,
    Incognito,
    Table,
    Taxonomy,
    TopDown,
    Transactions,
    evaluate,
    verify,
)
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.data.tables.published_labels import Labels
from sfumato.io import read, read_taxonomy, write_hierarchy
from sfumato.prepare.hierarchies import HierarchyRule

METHODS = [Incognito, TopDown, BottomUp]
AGES = [20, 20, 30, 31, 40, 40, 50, 50, 60]
CODES = ["1305", "1316", "1327", "1338", "1405", "1416", "1427", "1438", "1439"]
TOWNS = ["c", "c", "d", "e", "f", "f", "h", "i", "i"]
DAYS = [f"{day:02d}.02.2024" for day in (1, 2, 2, 3, 20, 21, 22, 28, 29)]

NEIGHBOURS: dict[str, tuple[list[Any], list[Any], HierarchyRule | None]] = {
    "intervals": (AGES, [33, 12, 70, 35.5, "", 20, 55], None),
    "own quantiles": (AGES, [33, 12, 70, 35.5, ""], None),
    "width": (AGES, [33, 20, 12, 70, 35.5, 39], HierarchyRule(width=10, fanout=2)),
    "quantiles": (AGES, [33, 12, 70, 35.5, 20], HierarchyRule(rule="quantiles", intervals=3, fanout=2)),
    "prefix": (CODES, ["9999", "99999", "13", "1305x"], HierarchyRule(rule="prefix")),
    "balanced": (TOWNS, ["aa", "zz", "group 1", "*", "g2"], HierarchyRule(rule="balanced", fanout=2)),
    "texts": (TOWNS, ["aa", "zz", "*", "(missing)", "c"], None),
    "dates": (DAYS, ["28.02.2024", "01.07.2024", "01.01.2019", ""], None),
}


def written(values: list[Any], last: Any, rule: HierarchyRule | None, path: Path) -> Table:
    """A file whose last row is alone in its group, as it is read, with a derived hierarchy if a rule is given."""
    path.mkdir()
    rows = [*(f"{value},m,{number % 3}" for number, value in enumerate(values)), f"{last},f,{1.5 if last else 2}"]
    (path / "people.csv").write_text("x,group,pay\n" + "\n".join(rows) + "\n")
    trees = {}
    if rule is not None:
        write_hierarchy(rule.of_column(read(path / "people.csv", kind="table")["x"]), path / "x.csv")
        trees["x"] = read_taxonomy(path / "x.csv")
    table = read(
        path / "people.csv", kind="table", quasi_identifiers=("x", "group"), sensitive=("pay",), hierarchies=trees
    )
    assert isinstance(table, Table)
    return table


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def labelled(table: Table, published: Table, origin: Any) -> str:
    """The values under each label of the release: methods may choose other labels when suppressed rows differ."""
    values = texts_of(table["x"]).gather(origin).fill_null("")
    groups = pl.DataFrame({"label": texts_of(published["x"]), "value": values}).group_by("label").agg("value")
    return repr(sorted(sorted(group) for group in groups["value"].to_list()))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", NEIGHBOURS)
def test_suppressed_rows_do_not_show(case: str, method: Any, tmp_path: Path) -> None:
    values, others, rule = NEIGHBOURS[case]
    releases: dict[str, list[dict[str, bytes]]] = {}
    for number, last in enumerate(others):
        table, out = written(values, last, rule, tmp_path / f"in{number}"), tmp_path / f"out{number}"
        intervals = "quantiles" if case == "own quantiles" else "width"
        release = method(k=2, suppression=0.1, intervals=intervals).anonymize(table)
        if len(release.data) == len(table):
            continue
        release.write(out)
        if number == 1:
            assert verify(out, original=table).holds
            assert evaluate(table, out, "ncp")
        releases.setdefault(labelled(table, release.data, release.origin), []).append(contents(out))
    assert method is BottomUp or any(len(same) > 1 for same in releases.values())
    for same in releases.values():
        assert all(other == same[0] for other in same)


def test_an_interval_of_quantiles_ends_in_published_numbers() -> None:
    people = Table({"age": [20, 20, 30, 31, 33, 40, 40, 50, 50, 60], "sex": list("mmmmfmmmmm")})
    release = Incognito(k=2, suppression=0.1, intervals="quantiles").anonymize(people)
    assert set(release.data["age"]) == {"[20:31]", "[40:60]"}


def test_missing_values_that_are_suppressed_do_not_show() -> None:
    names = []
    for last in (30, None):
        coding = Coding.of(Table({"x": [30, 34, 41, last]}))
        public = coding.published(np.zeros((1, 3), dtype=np.int32), np.arange(3))
        names.append((public["x"].to_list(), public.members))
    assert names == [(["[30:41]"] * 3, {})] * 2


def test_groups_are_numbered_by_published_members() -> None:
    for suppressed in (["aa", "ab"], ["zy", "zz"], ["g1", "group 2"]):
        column = pl.Series("x", ["c", "d", "e", "f", *suppressed])
        tree = Taxonomy(
            {"*": None, "group* 1": "*", "group* 2": "*", "group* 3": "*"}
            | {value: f"group* {3 - number // 2}" for number, value in enumerate(column)},
            rule="balanced:2",
        )
        coding = Coding.of(Table({"x": column}, hierarchies={"x": tree}))
        nodes = coding.attributes[0].parent[coding.attributes[0].leaf_node[coding.codes[0]]]
        public = coding.published(nodes[None, :4], np.arange(4))
        assert public["x"].to_list() == ["g1", "g1", "g2", "g2"]
        assert public.members == {"x": {"g1": ("c", "d"), "g2": ("e", "f")}}
        assert [len(leaves) for leaves in Labels.of(coding.attributes[0], public).leaves] == [2, 2]


@pytest.mark.parametrize("rule", ["balanced", "prefix"])
def test_groups_of_items_are_named_by_published_members(rule: str, tmp_path: Path) -> None:
    releases = []
    for number, rare in enumerate(["a00", "z9", "z99"]):
        baskets = Transactions.from_lists([["c11"], ["c12"], ["d11", "c11"], ["d12", "c12"], [rare]])
        tree = HierarchyRule(rule=rule, fanout=2).of_names(baskets)
        release = AprioriAnon(k=2, m=1).anonymize(replace(baskets, taxonomy=tree))
        release.write(tmp_path / f"{number}")
        assert verify(tmp_path / f"{number}", original=replace(baskets, taxonomy=tree)).holds
        releases.append(release.data)
    assert not any(label.startswith("group") for data in releases for label in data.names)


def test_a_value_may_be_called_like_a_mark(tmp_path: Path) -> None:
    tree = HierarchyRule(rule="balanced").of_column(pl.Series("x", ["* (private: balanced:4)", "a", "*", "**"]))
    write_hierarchy(tree, tmp_path / "x.csv")
    again = read_taxonomy(tmp_path / "x.csv")
    assert (again.leaves, again.rule) == (tree.leaves, "balanced:4")


@pytest.mark.parametrize("days", [DAYS, ["2024-01-01", "2024-01-02T10:30:00", "2024-01-02"], ["2024-03-05T10:00:00"]])
def test_a_derived_calendar_fits_the_file_from_which_it_was_derived(days: list[str], tmp_path: Path) -> None:
    table = written([*days, *days], days[0], HierarchyRule(), tmp_path / "in")
    assert table.hierarchies["x"].rule == "dates:month"
    assert len(Coding.of(table)) == 2 * len(days) + 1


def test_whole_numbers_stay_decimal_beside_fractions() -> None:
    table = Table({"x": [5.0, 7.0], "y": [5.0, 7.5], "z": [1e300, 1.0], "n": [float("nan"), 2.0]})
    assert table.published()[0].frame.dtypes == [pl.Int64, pl.Float64, pl.Float64, pl.Int64]
