"""Random data of every kind, and the corner cases that every method must survive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
from hypothesis import strategies as st

from sfumato.data import (
    Constraints,
    Dataset,
    Mixed,
    Network,
    Persons,
    Places,
    Policy,
    RoadTrajectories,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
)
from sfumato.data.base import Members
from sfumato.errors import ParameterError
from sfumato.params import Declared, Parameter, Value

LOCATIONS = "abcdef"
# a lattice, so that distances tie
PLACES = Places.from_frame(
    {
        "location": list(LOCATIONS),
        "x": [index % 3 for index in range(6)],
        "y": [index // 3 for index in range(6)],
        "owner": ["A", "A", "B", "B", "C", None],
        "sensitive": [False] * 5 + [True],
    }
)
TAXONOMY = Taxonomy(
    {"all": None, "shops": "all", "food": "shops", "a": "food", "b": "food", "c": "shops", "d": "shops"}
    | {"clinics": "all", "e": "clinics", "f": "clinics"},
    sensitive=["clinics"],
)
TOWNS = Taxonomy(
    {"anywhere": None, "south": "anywhere", "north": "anywhere"}
    | dict.fromkeys(("Rome", *"abc"), "south")
    | dict.fromkeys(("Oslo", *"def"), "north")
)
# a square with a diagonal and a way out: junctions of degree 3, two of degree 2, a dead end
STREETS = Network.from_frames(
    {"node": ["n1", "n2", "n3", "n4", "n5"], "x": [0, 1, 1, 0, 2], "y": [0, 0, 1, 1, 0]},
    {
        "road": ["r1", "r2", "r3", "r4", "r5", "r6"],
        "from": ["n1", "n2", "n3", "n4", "n1", "n2"],
        "to": ["n2", "n3", "n4", "n1", "n3", "n5"],
    },
)
CONSTRAINTS = Constraints({"a": "one", "b": "two", "c": "two", "d": "one", "e": "one", "f": "one"})


def parameters(declared: type[Declared]) -> st.SearchStrategy[dict[str, Any]]:
    """Small legal values for every declared parameter."""
    values = st.fixed_dictionaries({parameter.name: _values(parameter) for parameter in declared.parameters()})
    return values.filter(lambda chosen: _fit_together(declared, chosen))


def _fit_together(declared: type[Declared], chosen: dict[str, Any]) -> bool:
    """Not every value of one parameter goes with every value of another."""
    try:
        declared.from_json(chosen)
    except ParameterError:
        return False
    return True


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    if issubclass(parameter.type, Value):
        return st.sampled_from(parameter.type.examples())
    if parameter.or_word is not None:
        return st.just(parameter.or_word) | _values(replace(parameter, or_word=None))
    if parameter.choices is not None:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    if parameter.type is str:
        return st.just(parameter.default)
    if parameter.type is int and parameter.default is None and not parameter.required:
        return st.none() | _values(replace(parameter, default=parameter.at_least))
    if parameter.type is int:
        low = int(parameter.at_least or 0)
        high = low + 2 if parameter.at_most is None else min(low + 2, int(parameter.at_most))
        return st.integers(low, high)
    low_bound = parameter.at_least if parameter.at_least is not None else (parameter.above or 0.0)
    high_bound = parameter.at_most if parameter.at_most is not None else low_bound + 1.0
    return st.floats(low_bound, high_bound, exclude_min=parameter.above is not None)


def records(labels: str = LOCATIONS) -> st.SearchStrategy[list[list[str]]]:
    """Records with empty, one-visit and repeated-visit ones among them."""
    return st.lists(st.lists(st.sampled_from(labels), max_size=5), min_size=1, max_size=14)


def persons(n: int) -> st.SearchStrategy[list[str] | None]:
    """Nobody knows, or some of a few persons."""
    some = st.lists(
        st.sampled_from(["person-u", "person-v", "person-w", "person-x", "person-y"]), min_size=n, max_size=n
    )
    return st.none() | some


@st.composite
def overlapping_records(draw: Any, places: str = "abcd", sensitive: str = "yz") -> tuple[list[list[str]], Members]:
    """Records whose labels, nested or crossing, overlap between records but not in one; and what labels stand for."""
    groups = draw(st.lists(st.sets(st.sampled_from(places), min_size=1), max_size=4))
    members = {f"g{number}": tuple(sorted(group)) for number, group in enumerate(groups, 1)}
    told = {"h1": tuple(sensitive)}
    labels = st.sampled_from([*places, *members, *members])
    rows = []
    for known in draw(st.lists(st.lists(labels, max_size=4), max_size=9)):
        row: list[str] = []
        for label in known:
            group = set(members.get(label, (label,)))
            if all(label == other or not group & set(members.get(other, (other,))) for other in row):
                row.append(label)
        row += draw(st.sampled_from([[], [], [], *([name] for name in sensitive), list(sensitive), ["h1"]]))
        rows.append(draw(st.permutations(row)))
    return rows, {**members, **told}


@st.composite
def datasets(draw: Any, kind: str) -> Dataset:
    """A random dataset of a kind, with all side knowledge that methods can need."""
    if kind == "table":
        rows = draw(st.lists(st.tuples(*_CELLS.values()), min_size=1, max_size=14))
        return _table(rows, draw(persons(len(rows))))
    rows = draw(records())
    if kind == "mixed":
        cells = draw(st.lists(st.tuples(*_PEOPLE.values()), min_size=len(rows), max_size=len(rows)))
        return _mixed(cells, rows, draw(persons(len(rows))))
    return build(kind, rows, draw(persons(len(rows))))


_CELLS = {
    "age": st.sampled_from([30, 31, None]),
    "town": st.sampled_from(["Rome", "Oslo", None]),
    "illness": st.sampled_from(["flu", "cold"]),
}


def _table(rows: list[tuple[Any, ...]], who: list[str] | None) -> Table:
    columns = {name: [row[at] for row in rows] for at, name in enumerate(_CELLS)}
    frame = pl.DataFrame(columns, schema={"age": pl.Int64, "town": pl.String, "illness": pl.String})
    who_is = None if who is None else Persons.of(who)
    return Table(frame, sensitive=("illness",), hierarchies={"town": TOWNS}, persons=who_is)


_PEOPLE = {
    "age": st.sampled_from([30, 31, 44, None]),
    "town": st.sampled_from([*"abef", None]),
    "job": st.sampled_from(["cook", "none"]),
}


def _mixed(cells: list[tuple[Any, ...]], rows: list[list[str]], who: list[str] | None) -> Mixed:
    """People with an age (intervals), a town (a hierarchy), a sensitive job, and items of which one is sensitive."""
    columns = {name: [cell[at] for cell in cells] for at, name in enumerate(_PEOPLE)}
    frame = pl.DataFrame(columns, schema={"age": pl.Int64, "town": pl.String, "job": pl.String})
    persons = None if who is None else Persons.of(who)
    table = Table(frame, sensitive=("job",), persons=persons, hierarchies={"town": TAXONOMY})
    ids = [f"private-id-{number}" for number in range(len(rows))]
    return Mixed(table, told(Transactions.from_lists(rows, ids=ids, taxonomy=TAXONOMY)))


def build(kind: str, rows: list[list[str]], who: list[str] | None = None) -> Dataset:
    """Records as a dataset of a kind; ids that can be recognised wherever they leak."""
    ids = [f"private-id-{number}" for number in range(len(rows))]
    if kind == "trajectories":
        known = Trajectories.from_lists(rows, ids=ids, persons=who, places=PLACES, taxonomy=TAXONOMY)
        return replace(known, constraints=CONSTRAINTS)
    if kind == "transactions":
        return told(Transactions.from_lists(rows, ids=ids, persons=who, taxonomy=TAXONOMY))
    if kind == "roads":
        return _drives(rows, ids, who)
    if kind == "table":
        cells = [(30 + len(row) % 2, row[0] if row else None, "flu") for row in rows]
        return _table(cells, who)
    if kind == "mixed":
        return _mixed([(30 + len(row) % 3, row[-1] if row else None, "cook") for row in rows], rows, who)
    raise NotImplementedError(kind)


def _drives(rows: list[list[str]], ids: list[str], who: list[str] | None) -> RoadTrajectories:
    """A path for each row: its first letter is a road, the others say which way to turn; in one of three quarters."""
    paths = [turns([LOCATIONS.index(letter) for letter in row]) for row in rows]
    times = [[900.0 * (len(row) % 3) + 400.0 * step for step in range(len(row))] for row in paths]
    return RoadTrajectories.from_lists(paths, network=STREETS, times=times, persons=who, ids=ids)


def turns(choices: list[int]) -> list[str]:
    """The path on STREETS that begins with a directed road and takes a numbered turn at each junction."""
    ways = [
        (f"{road}{sign}", int(tail), int(head))
        for road, (first, last) in zip(STREETS.roads, STREETS.ends, strict=True)
        for sign, tail, head in (("+", first, last), ("-", last, first))
    ]
    path: list[str] = []
    here = None
    for choice in choices:
        open_ways = [way for way in ways if here is None or way[1] == here]
        name, _, here = open_ways[choice % len(open_ways)]
        path.append(name)
    return path


def told(data: Transactions) -> Transactions:
    """Transactions with a sensitive item and with policies on those items that occur."""
    items = set(data.names)
    protected = [one for one in ("abc", "abd", "abe", "abf", "acd", "ace") if items.issuperset(one)]
    allowed = [sorted(items & set(group)) for group in ("abc", "def")]
    data = replace(data, sensitive=frozenset("f"))  # also where it does not occur
    if not items:
        return data.with_policies(Policy(size=1))
    return data.with_policies(Policy(protected or data.names), Policy([group for group in allowed if group]))


# name: records, who is behind them, the k to use where a method has one
CORNERS: dict[str, tuple[list[list[str]], list[str] | None, int]] = {
    "one record": ([["a", "b"]], None, 2),
    "only empty records": ([[], [], []], None, 2),
    "empty records among others": ([[], ["a"], ["a", "b"], [], ["b", "a"]], None, 2),
    "one visit each": ([["a"], ["b"], ["c"], ["a"]], None, 2),
    "repeated visits": ([["a", "a", "b", "a"], ["a", "a"], ["b", "a", "a", "a"]], None, 2),
    "all equal": ([["a", "b", "c"]] * 5, None, 5),
    "k = n": ([["a", "b"], ["b", "c"], ["d"], ["e", "f", "a"]], None, 4),
    "fewer than k long": ([["a", "b"], ["c"], ["c"]], None, 2),
    "one long among short": ([["a", "b", "c", "d", "e", "f", "a", "b"], ["a"], ["b"], ["c"], ["d"]], None, 3),
    "several records a person": (
        [["a", "b"], ["a", "b"], ["a", "b"], ["b", "c"], ["c", "d"], ["a", "d"]],
        ["person-u", "person-u", "person-u", "person-v", "person-w", "person-v"],
        2,
    ),
    "one person only": ([["a", "b"], ["a", "b"], ["a"]], ["person-u"] * 3, 2),
}


def with_k(values: dict[str, Any], k: int) -> dict[str, Any]:
    """The same parameters with another k, where there is one."""
    return {**values, "k": k} if "k" in values else values


def shuffled(data: Any, order: Any) -> Any:
    """The same records in another private order."""
    moved = data.take(order)
    return replace(moved, ids=data.ids) if hasattr(moved, "ids") else moved
