"""Local recoding: what exchange buys.  Its parts are compared with literal twins in test_grouping."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Cluster, Local, Table
from sfumato.data.tables.encoding import Coding
from sfumato.errors import Infeasible
from sfumato.methods.relational.grouping import Grouping
from sfumato.utility.tables import Ncp
from tabled import tables


@settings(max_examples=40, deadline=None)
@given(table=tables(), k=st.integers(2, 4))
def test_it_is_never_worse_than_the_greedy_groups(table: Table, k: int) -> None:
    try:
        release = Local(k=k).anonymize(table)
    except Infeasible:
        return
    grouping = Grouping.of(Coding.of(table), k, np.random.default_rng(1))
    greedy = grouping.met(grouping.grown())
    assert greedy is not None
    assert Ncp()(table, release).value <= grouping.cost(greedy) / len(table.quasi_identifiers) + 1e-6
    assert release.holds


def test_it_loses_less_than_cluster_on_people() -> None:
    """300 people with skewed columns: a fixed table, on which a change for the worse would show."""
    chance = np.random.default_rng(7)
    n = 300
    frame = pl.DataFrame(
        {
            "age": (20 + chance.gamma(3.0, 8.0, n)).astype(int),
            "town": [f"t{int(x)}" for x in np.minimum(chance.geometric(0.3, n), 8)],
            "sex": chance.choice(["f", "m"], n),
            "job": [f"j{int(x)}" for x in chance.integers(0, 6, n)],
        }
    )
    table = Table(frame)
    coding = Coding.of(table)
    grouping = Grouping.of(coding, 5, np.random.default_rng(1))
    greedy = grouping.met(grouping.grown())
    assert greedy is not None
    cost = grouping.cost(grouping.exchanged(greedy))
    assert cost < 0.9 * grouping.cost(greedy)
    by_cluster = Ncp()(table, Cluster(k=5).anonymize(table, seed=1)).value
    assert Ncp()(table, Local(k=5).anonymize(table)).value < 0.8 * by_cluster


def test_nothing_is_random_where_no_two_rows_are_equal() -> None:
    table = Table({"age": [3, 14, 15, 92, 65, 35, 89, 79]})
    one, two = (Local(k=2).anonymize(table, seed=seed).data.frame for seed in (1, 2))
    assert one.equals(two)


def test_who_of_equal_people_stays_behind_tells_nothing_about_the_rest_of_the_row() -> None:
    """Of four people of 34, two stay among themselves; an order by illness would give away who joined the 30."""
    table = Table({"age": [34, 34, 34, 34, 30], "ill": list("abcda")}, sensitive=("ill",), quasi_identifiers=("age",))
    joined = set()
    for seed in range(30):
        frame = Local(k=2).anonymize(table, seed=seed).data.frame
        joined |= {*frame.filter(pl.col("age") == "[30:34]")["ill"].to_list()}
    assert joined == set("abcd")


def test_the_exchange_repairs_what_greed_has_spoiled() -> None:
    """From a far row on, greed takes 0 and 10 first and leaves 11, 12, 13; the best is two tight groups and a third."""
    table = Table({"place": [0, 10, 11, 12, 13, 22, 23, 100]})
    release = Local(k=2).anonymize(table)
    widths = [_width(label) for label in release.data["place"].to_list()]
    best = min(_best(sorted(table["place"].to_list()), 2).values())
    assert sum(widths) == best


def _width(label: str) -> int:
    low, _, high = label.strip("[]").partition(":")
    return int(high) - int(low)


def _best(numbers: list[int], k: int) -> dict[int, int]:
    """The least total width of consecutive groups of at least k: the optimum on a line."""
    least = {0: 0}
    for end in range(k, len(numbers) + 1):
        ways = [
            least[start] + (end - start) * (numbers[end - 1] - numbers[start])
            for start in least
            if start <= end - k and (start == 0 or start >= k)
        ]
        least[end] = min(ways)
    return {0: least[len(numbers)]}
