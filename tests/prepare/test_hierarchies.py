"""Hierarchies by a rule, against their definition on random columns; what depends on the data says so."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Taxonomy, Trajectories, Transactions
from sfumato.data.queries import span_of
from sfumato.data.tables.encoding import texts_of
from sfumato.data.tree_rules import TREE_RULE
from sfumato.errors import DataError, ParameterError
from sfumato.prepare.hierarchies import HierarchyRule

NUMBERS = st.lists(st.integers(-50, 200) | st.none(), min_size=1, max_size=40).filter(
    lambda values: any(v is not None for v in values)
)
DECIMALS = st.lists(st.decimals(-9, 9, places=2).map(float), min_size=1, max_size=30)
CODES = st.lists(st.text("0123", min_size=1, max_size=4), min_size=1, max_size=20)


def inner(tree: Taxonomy) -> list[str]:
    return [node for node in tree.nodes if not tree.is_leaf(node) and node != tree.root]


@settings(max_examples=60, deadline=None)
@given(NUMBERS | DECIMALS, st.sampled_from(["intervals", "quantiles", "auto"]), st.integers(2, 9), st.integers(2, 4))
def test_intervals_hold_the_numbers_between_their_ends(
    values: list[float | None], rule: str, intervals: int, fanout: int
) -> None:
    column = pl.Series("age", values)
    tree = HierarchyRule(rule=rule, intervals=intervals, fanout=fanout).of_column(column)
    texts = set(texts_of(column).drop_nulls().to_list())
    assert {float(leaf) for leaf in tree.leaves} == {float(text) for text in texts}
    is_whole = all(value is None or float(value).is_integer() for value in values)
    for node in inner(tree):
        span = span_of(node)
        assert span is not None
        low, high, _ = span
        below = {float(leaf) for leaf in tree.leaves_below(node)}
        if is_whole or rule == "quantiles":
            assert below == {float(text) for text in texts if low <= float(text) <= high}
        else:  # an interval of decimals ends before its upper end
            assert below == {float(text) for text in texts if low <= float(text) < high}
    above = [
        node for node in (*inner(tree), tree.root) if not any(tree.is_leaf(child) for child in tree.children(node))
    ]
    assert all(len(tree.children(node)) <= fanout for node in above)
    assert re.fullmatch(TREE_RULE, tree.rule)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=4, max_size=60), st.integers(2, 6))
def test_quantiles_hold_about_equally_many_rows(values: list[int], intervals: int) -> None:
    tree = HierarchyRule(rule="quantiles", intervals=intervals, fanout=99).of_column(pl.Series("age", values))
    counts = Counter(values)
    for node in tree.children(tree.root):
        members = [int(leaf) for leaf in tree.leaves_below(node)]
        rows = sum(counts[number] for number in members)
        assert rows - counts[max(members)] < len(values) / intervals + 1


@settings(max_examples=60, deadline=None)
@given(CODES, st.integers(1, 3))
def test_masked_texts_lie_under_their_prefixes(values: list[str], masked: int) -> None:
    tree = HierarchyRule(rule="prefix", masked=masked).of_column(pl.Series("zip", values, dtype=pl.String))
    assert set(tree.leaves) == set(values)
    for node in (*inner(tree), tree.root):
        prefix = node.rstrip("*")
        assert set(tree.leaves_below(node)) == {value for value in values if value.startswith(prefix)}
    if len({len(value) for value in values}) == 1:
        assert all(len(node) == len(values[0]) for node in tree.nodes)
    else:
        assert all(node.count("*") <= 1 for node in tree.nodes), "the number of stars must not tell the longest text"


@pytest.mark.parametrize("dates", ["month", "week"])
def test_dates(dates: str) -> None:
    days = [date(2023, 12, 20) + timedelta(days=9 * step) for step in range(90)]
    column = pl.Series("day", [day.isoformat() for day in days])
    tree = HierarchyRule(dates=dates).of_column(column)
    assert (tree.rule, set(tree.leaves)) == (f"dates:{dates}", {day.isoformat() for day in days})
    for day in days:
        if dates == "week":
            year = day.isocalendar().year
            last = date(year, 12, 28).isocalendar().week
            expected = (day.strftime("%G-W%V"), f"[{year}-W01:{year}-W{last}]", "*")
        else:
            expected = (day.strftime("%Y-%m"), f"{day.year}-Q{(day.month - 1) // 3 + 1}", str(day.year), "*")
        assert tree.ancestors(day.isoformat()) == expected
    assert HierarchyRule(dates=dates).of_column(pl.Series("day", days)).to_paths() == tree.to_paths()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcdefghij"), min_size=1), min_size=1, max_size=12), st.integers(2, 4))
def test_groups_of_items_are_balanced_in_the_order_of_names_or_of_frequency(rows: list[set[str]], fanout: int) -> None:
    baskets = Transactions.from_lists([sorted(row) for row in rows])
    supports = {name: sum(name in row for row in rows) for name in baskets.names}
    by_name = HierarchyRule(fanout=fanout).of_names(baskets)
    by_frequency = HierarchyRule(rule="frequency", fanout=fanout).of_names(baskets)
    assert list(by_name.leaves) == sorted(supports)
    assert list(by_frequency.leaves) == sorted(supports, key=lambda name: (-supports[name], name))
    for tree in (by_name, by_frequency):
        assert all(2 <= len(tree.children(node)) <= fanout for node in inner(tree))
        assert not set("abcdefghij") & {char for node in inner(tree) for char in node.removeprefix("group")}
    assert (by_name.rule, by_frequency.rule) == (f"balanced:{fanout}", f"frequency:{fanout}")


def test_a_stated_domain_gives_a_public_tree_that_does_not_depend_on_the_data() -> None:
    rule = HierarchyRule(domain="0:120", width=10)
    young, old = (rule.of_column(pl.Series("age", values)) for values in ([3, 4], [99, None, 1]))
    assert young == old
    assert (young.rule, len(young.leaves), young.ancestors("17")[0]) == ("", 121, "[10:19]")
    codes = HierarchyRule(alphabet="01", length=3).of_column(pl.Series("code", ["010"]))
    assert (codes.rule, len(codes.leaves), codes.ancestors("010")) == ("", 8, ("01*", "0**", "***"))
    with pytest.raises(DataError, match=r"the domain 0:120: wanted every number of the data in it, 2 others occur"):
        rule.of_column(pl.Series("age", [3, 121, 130]))
    with pytest.raises(DataError, match="wanted texts of 3 of its characters, 1 other values occur"):
        HierarchyRule(alphabet="01", length=3).of_column(pl.Series("code", ["012", "010"]))


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ([1, 2, 3], "intervals:16:4"),
        (["13053", "13068"], "prefix:1"),
        (["2026-11-16"], "dates:month"),
        (["Rome", "Oslo"], "balanced:4"),
        (["B.Sc.", "Ph.D."], "balanced:4"),
        ([2**60, 2**60 + 1], "balanced:4"),
    ],
)
def test_auto_chooses_by_the_values(values: list[object], rule: str) -> None:
    assert HierarchyRule().of_column(pl.Series("x", values)).rule == rule


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"domain": "0:9"}, "a domain needs a width"),
        ({"domain": "9:0", "width": 2}, "domain must be LOW:HIGH"),
        ({"alphabet": "01"}, "alphabet and length belong together"),
        ({"alphabet": "01", "length": 40}, "at most 1,000,000 texts"),
        ({"alphabet": "01", "length": 2, "rule": "dates"}, "an alphabet needs the rule prefix"),
        ({"fanout": 1}, "fanout must be a whole number of at least 2"),
    ],
)
def test_parameters_are_refused(parameters: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        HierarchyRule(**parameters).of_column(pl.Series("x", [1]))


def test_refusals() -> None:
    with pytest.raises(DataError, match="quantiles: wanted a column of numbers, found 'town', a column of texts"):
        HierarchyRule(rule="quantiles").of_column(pl.Series("town", ["Rome"]))
    with pytest.raises(DataError, match="wanted dates such as"):
        HierarchyRule(rule="dates").of_column(pl.Series("day", ["2026-11-16", "16.11.2026"]))
    with pytest.raises(DataError, match="wanted dates such as"):
        HierarchyRule(rule="dates").of_column(pl.Series("day", ["2026-02-30"]))
    with pytest.raises(DataError, match="wanted texts without a star"):
        HierarchyRule(rule="prefix").of_column(pl.Series("zip", ["130**"]))
    with pytest.raises(DataError, match="the hierarchy of 'x': wanted at least one value, found none"):
        HierarchyRule().of_column(pl.Series("x", [None, None], dtype=pl.Int64))
    with pytest.raises(DataError, match="intervals: wanted a column of a table, found trajectories"):
        HierarchyRule(rule="intervals").of_names(Trajectories.from_lists([["a"]]))
