"""Random small datasets with everything that has ever broken a reader, a writer or a method, and parameters to match.

A case is made from its name alone, such as ``zga-17``: the method and a number.  The same name gives the same case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import polars as pl

from sfumato.catalogue import METHODS, method_class
from sfumato.data import (
    Constraints,
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
from sfumato.errors import DataError
from sfumato.prepare.policies import rare_sets, siblings

__all__ = ["Case", "case_of", "some_names", "some_tree"]

PLAIN = "abcdefgh"
ODD = (
    "g1", "g2", "gg1", "1", "01", "1.0", "-0.0", "[1:2]", "[3:9]", "a,b", 'q"q', '"', "line\nbreak", " a ", "naïve",
    "日本", "🙂", "null", "NaN", "-", "*", "a@14", "true", ";", "é", "e\u0301", "A", "a;b", "x" * 40, "'", "1e3", "inf",
    "a=b", "=1+1", "#", "None", "person", "item", "[:]", "a b", "\u200b", "\u017f", "İ", "%s", "{}", "\\n",
)  # fmt: skip


@dataclass
class Case:
    """A method, its parameters, private data as the product takes them and as plain lists."""

    name: str
    method: str
    parameters: dict[str, Any]
    data: Any
    seed: int
    original: list[Any]
    persons: list[str] | None
    public: set[str] | None = None
    derived: Policy | None = (
        None  # a privacy policy that a rule computed from the data, which is as private as they are
    )


def case_of(name: str) -> Case:
    """The case of a name; ``zga-17:lm`` asks for parameters with which the method promises lm."""
    whole, _, aim = name.partition(":")
    method = whole.rpartition("-")[0]
    if method not in METHODS:
        raise ValueError(f"no case is called {name!r}; wanted a method and a number, such as zga-17")
    chance = Random(f"sfumato {name}")
    return _MAKERS[method_class(method).kind](name, method, aim, chance)


def some_names(chance: Random, count: int, *, blanks: bool = True) -> list[str]:
    """Distinct names, mostly plain ones; without those that hold blanks where `blanks` is not set."""
    odd = [name for name in ODD if blanks or name.split() == [name]]
    pool = [*PLAIN] if chance.random() < 0.4 else [*PLAIN[:4], *chance.sample(odd, min(len(odd), count))]
    return chance.sample(pool, min(count, len(pool)))


def some_tree(chance: Random, leaves: Sequence[str], *, sensitive: Sequence[str] = ()) -> Taxonomy:
    """A tree over the leaves whose branches are of unequal depth; sensitive leaves stay under nodes of their own."""
    parents: dict[str, str | None] = {}
    taken = set(leaves)

    def fresh() -> str:
        if chance.random() < 0.2:
            odd = [name for name in ODD if name not in taken and name.strip() == name and name]
            if odd:
                name = chance.choice(odd)
                taken.add(name)
                return name
        number = len(taken)
        while f"n{number}" in taken:
            number += 1
        taken.add(f"n{number}")
        return f"n{number}"

    def build(part: list[str], parent: str) -> None:
        if len(part) == 1 or chance.random() < 0.35:
            for leaf in part:
                parents[leaf] = parent
            return
        cut = chance.randint(1, len(part) - 1)
        for half in (part[:cut], part[cut:]):
            if len(half) == 1 and chance.random() < 0.5:
                parents[half[0]] = parent
            else:
                node = fresh()
                parents[node] = parent
                build(half, node)

    root = fresh()
    parents[root] = None
    secret = [leaf for leaf in leaves if leaf in set(sensitive)]
    ordinary = [leaf for leaf in leaves if leaf not in set(sensitive)]
    flagged = []
    if ordinary:
        build(ordinary, root)
    if secret:
        node = fresh()
        parents[node] = root
        flagged = [node] if chance.random() < 0.6 else secret
        build(secret, node)
    return Taxonomy(parents, sensitive=flagged)


def _people(chance: Random, count: int) -> list[str] | None:
    """Who is behind each record: nobody knows, everybody once, a few with several, or one with most of them."""
    way = chance.random()
    if way < 0.4:
        return None
    names = [f"private-person-{number}" for number in range(count)]
    if way < 0.6:
        return names
    few = names[: max(2, int(count * chance.uniform(0.4, 0.9)))]
    if way < 0.95:
        return [chance.choice(few) for _ in range(count)]
    return [few[0] if chance.random() < 0.5 else chance.choice(few) for _ in range(count)]


def _count(chance: Random) -> int:
    way = chance.random()
    return 1 if way < 0.02 else chance.randint(2, 5) if way < 0.08 else chance.randint(8, 40)


def _k(chance: Random, count: int) -> int:
    return chance.choice([2, 2, 2, 3, 3, 4, 5]) if count >= 8 else 2


def _rows(chance: Random, names: Sequence[str], longest: int, *, repeats: bool) -> list[list[str]]:
    """Records of names; empty ones, equal ones, all alike."""
    count = _count(chance)
    if chance.random() < 0.03:
        row = [chance.choice(names) for _ in range(chance.randint(1, longest))]
        return [row if repeats else sorted(set(row))] * count
    weights = [chance.choice([1, 1, 2, 4, 8]) for _ in names]
    rows: list[list[str]] = []
    for _ in range(count):
        way = chance.random()
        if way < 0.05:
            rows.append([])
        elif rows and way < 0.25:
            rows.append(list(chance.choice(rows)))
        else:
            row = chance.choices(names, weights, k=chance.randint(1, longest))
            rows.append(row if repeats else sorted(set(row)))
    return rows


def _ids(count: int) -> list[str]:
    return [f"private-id-{number}" for number in range(count)]


def _times(chance: Random, count: int) -> Any:
    return np.array([float(chance.randrange(100_000)) for _ in range(count)], dtype=np.float64)


def _seed(chance: Random) -> int:
    return chance.randrange(1 << 31)


def _short(chance: Random, low: int, high: int, out_of: int) -> float:
    """A share with few digits."""
    return chance.randint(low, high) / out_of


def _trajectories(name: str, method: str, aim: str, chance: Random) -> Case:
    names = some_names(chance, chance.randint(2, 7))
    rows = _rows(chance, names, 3 if method == "cast" else 5, repeats=True)
    persons = _people(chance, len(rows))
    visited = sorted({one for row in rows for one in row})
    known = sorted({*names, *(chance.sample(PLAIN, 2) if chance.random() < 0.5 else ())})
    secret = chance.sample(known, max(1, len(known) // 4))
    diverse = method in ("zga", "sga") or aim == "klm"
    if diverse:  # sensitive places are rare, or there is nothing to publish
        rows = [[one for one in row if one not in secret or chance.random() < 0.25] for row in rows]
        visited = sorted({one for row in rows for one in row})
    tree = some_tree(chance, known, sensitive=secret)
    places = _places(chance, known, secret)
    data = Trajectories.from_lists(rows, ids=_ids(len(rows)), persons=persons, places=places, taxonomy=tree)
    groups = {one: chance.choice(["one", "two"]) for one in known}
    data = replace(data, constraints=Constraints(groups))
    if chance.random() < 0.3:
        data = replace(data, times=_times(chance, sum(map(len, rows))))
    k = _k(chance, len(rows))
    m = chance.choice([1, 1, 2, 2, 3])
    parameters: dict[str, Any] = {"k": k, "m": m}
    if method == "u-seqanon":
        parameters["delta"] = chance.choice([0, 50, 100, 100, 100])
    elif method in ("km-suppress", "km-split"):
        parameters |= {"l": chance.choice([2, 2, 3]) if diverse else None, "levels": chance.choice([1, 2, 3, 3, 5])}
        parameters["keep"] = chance.choice([0.5, 0.95, 0.95, 1.0])
        if method == "km-split":
            parameters["pieces"] = chance.choice([None, None, 1, 2])
        data = data if diverse or chance.random() < 0.5 else replace(data, taxonomy=None)
    elif method in ("zga", "sga"):
        parameters |= {"l": chance.choice([2, 2, 3]), "clusters": chance.choice(["auto", 1, 2, 3])}
    elif method == "ngrams":
        parameters = {"epsilon": chance.choice([0.1, 0.5, 1.0, 8.0]), "l_max": chance.choice([2, 4, 20])}
        parameters["n_max"] = chance.choice([1, 2, 3, 5])
    elif method in ("gsup", "lsup", "split", "mix"):
        parameters = {"threshold": _short(chance, 1, 10, 10), "batch": chance.choice([1, 10])}
        owners = sorted({str(one) for one in places.frame["owner"].drop_nulls().to_list() if one != ""})
        if len(owners) > 1 and chance.random() < 0.3:
            parameters["collude"] = ",".join(chance.sample(owners, 2))
        if method in ("split", "mix"):
            parameters["fallback"] = chance.choice(["naive", "gsup"])
    elif method == "cast":
        parameters = {"c": _short(chance, 1, 10, 10), "group_size": chance.choice([2, 2, 3])}
        parameters["distance"] = chance.choice(["hops", "leaves"])
    elif method == "bf-p2ka":
        parameters = {"k": k}
    public = {*known, *visited} if method == "ngrams" else None
    return Case(name, method, parameters, data, _seed(chance), [tuple(row) for row in rows], persons, public)


def _places(chance: Random, known: Sequence[str], secret: Sequence[str]) -> Places:
    columns: dict[str, list[Any]] = {"location": list(known)}
    if chance.random() < 0.5:
        columns |= {"x": [chance.randint(-2, 2) for _ in known], "y": [chance.randint(-2, 2) for _ in known]}
    else:
        columns |= {"lat": [chance.uniform(-80, 80) for _ in known], "lon": [chance.uniform(-179, 179) for _ in known]}
    # ; and , separate coalitions
    owners = ["A", "B", "C+D", "ö", None] if chance.random() < 0.8 else ["A", "", None, "O'Hara", "x y"]
    columns["owner"] = [chance.choice(owners) for _ in known]
    columns["owner"][0] = "A"
    if chance.random() < 0.85:
        columns["sensitive"] = [one in secret for one in known]
    schema = {"owner": pl.String, "location": pl.String}
    return Places.from_frame(pl.DataFrame(columns, schema_overrides=schema))


def _transactions(name: str, method: str, aim: str, chance: Random) -> Case:
    names = some_names(chance, chance.randint(2, 8))
    rows = _rows(chance, names, 5, repeats=False)
    persons = _people(chance, len(rows))
    known = sorted({*names, *(chance.sample(PLAIN, 2) if chance.random() < 0.5 else ())})
    diverse = aim == "lm" or (not aim and chance.random() < 0.2)
    secret = chance.sample(names, 1 if len(names) < 6 else 2)
    if diverse or (method == "disassociate" and chance.random() < 0.5):
        rows = [[one for one in row if one not in secret or chance.random() < 0.3] for row in rows]
    tree = some_tree(chance, known, sensitive=secret if chance.random() < 0.5 else ())
    data = Transactions.from_lists(rows, ids=_ids(len(rows)), persons=persons, taxonomy=tree)
    visited = sorted({one for row in rows for one in row})
    flagged = [one for one in secret if one in visited]
    if diverse or chance.random() < 0.3:
        data = replace(data, sensitive=frozenset(flagged))
    k, m = _k(chance, len(rows)), chance.choice([1, 1, 2, 2, 3])
    parameters: dict[str, Any] = {"k": k, "m": m}
    derived = None
    if method in ("apriori", "lra", "vpa"):
        parameters["l"] = chance.choice([2, 2, 3]) if diverse else 1
        if method != "apriori":
            parameters["parts"] = chance.choice([1, 2, 4])
    elif method in ("coat", "pcta"):
        parameters = {"k": k, "suppression": chance.choice([0.0, 0.25, 0.5, 1.0, 1.0])}
        privacy, utility, by_rule = _policies(chance, data, tree, visited)
        data, derived = data.with_policies(privacy, utility), privacy if by_rule else None
    elif method == "diffpart":
        parameters = {"epsilon": chance.choice([0.1, 0.5, 1.0, 8.0]), "fanout": chance.choice([2, 3, 10])}
    elif method == "disassociate":
        parameters |= {"max_cluster_size": chance.choice([2, 5, 10, 50]), "refine": chance.random() < 0.7}
        parameters |= {"safe": chance.random() < 0.3, "empty": chance.choice(["drop", "keep"])}
        parameters["l"] = chance.choice([1, 1, 2, 4]) if data.sensitive else 1
    public = {*tree.leaves, *(node for node, _, _ in tree.to_parents())} if method == "diffpart" else None
    original = [tuple(sorted(set(row))) for row in rows]
    return Case(name, method, parameters, data, _seed(chance), original, persons, public, derived)


def _policies(
    chance: Random, data: Transactions, tree: Taxonomy, visited: list[str]
) -> tuple[Policy, Policy | None, bool]:
    """A privacy policy, a utility policy or none, and whether a rule computed the first from the data."""
    way, by_rule = chance.random(), False
    if way < 0.25 or len(visited) < 2:
        privacy = Policy(size=chance.choice([1, 2]))
    elif way < 0.4:
        try:
            privacy, by_rule = rare_sets(data, 2, 4), True
        except DataError:  # no pair is rare
            privacy = Policy([visited[:2]])
    else:
        most = min(4, len(visited))
        privacy = Policy([chance.sample(visited, chance.randint(1, most)) for _ in range(chance.randint(1, 4))])
    way = chance.random()
    if way < 0.3:
        return privacy, None, by_rule
    if way < 0.5:
        return privacy, siblings(tree, min(tree.height, chance.choice([1, 2]))), by_rule
    mixed = chance.sample(visited, len(visited))
    cut = chance.randint(0, len(mixed))
    parts = [part for part in (mixed[:cut], mixed[cut:]) if part]
    return privacy, Policy(parts) if parts else None, by_rule


_COLUMNS = ("age", "town", "sex", "zip code", "a,b", 'q"uote', "größe", "illness", "role", "1", "label", "[1:2]")


def _cells(chance: Random, count: int, *, texts_only: bool = False) -> tuple[str, list[Any], Any]:
    """A column: its type, its values, its hierarchy where it has one."""
    way = chance.random() * (0.5 if texts_only else 1)
    if way < 0.5:
        names = some_names(chance, chance.randint(1, 5))
        values: list[Any] = [chance.choice(names) for _ in range(count)]
        if chance.random() < 0.4:
            values = [None if chance.random() < 0.15 else one for one in values]
        if chance.random() < 0.15:
            values = ["" if chance.random() < 0.15 else one for one in values]
        tree = some_tree(chance, names) if chance.random() < 0.5 else None
        return "text", values, tree
    if way < 0.75:
        low = chance.choice([0, -3, 30, 10**9])
        values = [low + chance.randrange(chance.choice([2, 6, 30])) for _ in range(count)]
        return "int", [None if chance.random() < 0.1 else one for one in values], None
    if way < 0.95:
        pool = [0.0, -0.0, 1.5, -2.25, 1e-7, 1e300, float("nan"), None, 0.1 + 0.2, 3.0]
        pool = chance.sample(pool, chance.randint(1, 6))
        return "float", [chance.choice(pool) for _ in range(count)], None
    return "bool", [chance.choice([True, False, None]) for _ in range(count)], None


_TYPES = {"text": pl.String, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}


def _table_of(
    chance: Random, count: int, persons: list[str] | None, *, secrets: bool, taken: str = ""
) -> tuple[Table, list[dict[str, Any]]]:
    columns = [name for name in chance.sample(_COLUMNS, chance.randint(2, 4)) if name != taken]
    n_known = max(1, len(columns) - 1)
    series, trees = {}, {}
    for at, column in enumerate(columns):
        kind, values, tree = _cells(chance, count)
        if at >= n_known and chance.random() < 0.7:  # few values, so that classes can be diverse
            kind, values, tree = _cells(chance, count, texts_only=chance.random() < 0.6)
        series[column] = pl.Series(values, dtype=_TYPES[kind], strict=False)
        if tree is not None and at < n_known:
            trees[column] = tree
    known = tuple(columns[:n_known])
    sensitive = tuple(columns[n_known:]) if secrets else ()
    order = chance.sample(columns, len(columns))
    frame = pl.DataFrame({column: series[column] for column in order})
    who = None if persons is None else Persons.of(persons)
    table = Table(frame, quasi_identifiers=known, sensitive=sensitive, hierarchies=trees, persons=who)
    return table, frame.to_dicts()


def _table(name: str, method: str, aim: str, chance: Random) -> Case:
    count = _count(chance)
    persons = _people(chance, count)
    l = chance.choice([2, 2, 3]) if aim == "l-diversity" or (not aim and chance.random() < 0.3) else 1  # noqa: E741
    t = _short(chance, 2, 9, 10) if aim == "t-closeness" or (not aim and chance.random() < 0.3) else 1.0
    table, rows = _table_of(chance, count, persons, secrets=l > 1 or t < 1 or chance.random() < 0.5)
    parameters: dict[str, Any] = {"k": _k(chance, count), "l": l, "t": t, "allow_keys": chance.random() < 0.9}
    if method in ("incognito", "top-down", "bottom-up"):
        parameters["suppression"] = chance.choice([0.0, 0.0, 0.1, 0.5, 1.0])
    if method == "top-down" and table.sensitive and chance.random() < 0.3:
        parameters["class_column"] = table.sensitive[0]
    if method == "incognito":
        parameters["minimize"] = chance.choice(["ncp", "granularity", "discernibility", "class-size"])
    return Case(name, method, parameters, table, _seed(chance), rows, persons)


def _mixed(name: str, method: str, aim: str, chance: Random) -> Case:
    names = some_names(chance, chance.randint(2, 6), blanks=False)
    rows = _rows(chance, names, 4, repeats=False)
    persons = _people(chance, len(rows))
    diverse = aim == "klm-diversity" or (not aim and chance.random() < 0.3)
    secret = chance.sample(names, 1)
    if diverse:
        rows = [[one for one in row if one not in secret or chance.random() < 0.25] for row in rows]
    column = chance.choice(["items", "codes", "q,i"])
    table, cells = _table_of(chance, len(rows), persons, secrets=chance.random() < 0.5, taken=column)
    tree = some_tree(chance, names, sensitive=secret)
    items = Transactions.from_lists(rows, ids=_ids(len(rows)), taxonomy=tree)
    if diverse or chance.random() < 0.3:
        items = replace(items, sensitive=frozenset(one for one in secret if one in items.names))
    k, m = _k(chance, len(rows)), chance.choice([1, 1, 2])
    parameters: dict[str, Any] = {"k": k, "m": m, "l": chance.choice([2, 2, 3]) if diverse else 1, "allow_keys": True}
    # the others do not know sensitive items
    parameters["transaction"] = chance.choice(["apriori", "lra", "vpa", *(() if diverse else ("coat", "pcta"))])
    if method != "t-first":
        parameters["relational"] = chance.choice(["cluster", "cluster", "incognito", "local", "top-down", "bottom-up"])
    if method in ("rum-bound", "tum-bound"):
        parameters |= {"delta": chance.choice([0.3, 0.7, 1.0, 1.0, 1.0]), "merge": chance.choice(["r", "t", "rt"])}
        parameters["row_loss"] = chance.choice(["ncp", "ncp", "norm-2", "norm-max", "discernibility", "class-size"])
        parameters["intact"] = chance.choice(["free", "printed"])
    derived = None
    if aim == "k-policy":
        visited = list(items.with_used_names().names)
        privacy, utility, by_rule = _policies(chance, items, tree, visited)
        items = items.with_policies(privacy, utility)
        derived = privacy if by_rule else None
        parameters |= {
            "m": 0,
            "l": 1,
            "transaction": {"method": chance.choice(["coat", "pcta"]), "suppression": 1.0},
        }
    original = [(cell, tuple(sorted(set(row)))) for cell, row in zip(cells, rows, strict=True)]
    data = Mixed(table, items, column)
    return Case(name, method, parameters, data, _seed(chance), original, persons, derived=derived)


def _roads(name: str, method: str, aim: str, chance: Random) -> Case:  # noqa: ARG001
    nodes = some_names(chance, chance.randint(3, 6))
    pairs = [(one, other) for at, one in enumerate(nodes) for other in nodes[at + 1 :]]
    roads = chance.sample(pairs, chance.randint(2, min(6, len(pairs))))
    called = [f"r{number}" for number in range(len(roads))]
    called = [
        odd if chance.random() < 0.3 else plain
        for odd, plain in zip(chance.sample(ODD, len(roads)), called, strict=True)
    ]
    coordinates = [[chance.randint(0, 5) for _ in nodes] for _ in "xy"]
    network = Network.from_frames(
        {"node": nodes, "x": coordinates[0], "y": coordinates[1]},
        {"road": called, "from": [one for one, _ in roads], "to": [other for _, other in roads]},
    )
    ways = [
        (f"{road}{sign}", *(ends if sign == "+" else ends[::-1]))
        for road, ends in zip(called, roads, strict=True)
        for sign in "+-"
    ]
    rows: list[list[str]] = []
    for _ in range(_count(chance)):
        if rows and chance.random() < 0.5:
            rows.append(list(chance.choice(rows)))
            continue
        row, here = [], None
        for _ in range(chance.randint(0 if chance.random() < 0.1 else 1, 4)):
            way = chance.choice([one for one in ways if here is None or one[1] == here])
            row.append(way[0])
            here = way[2]
        rows.append(row)
    persons = _people(chance, len(rows))
    begin = [900.0 * chance.randrange(3) for _ in rows]
    times = [[start + 400.0 * step for step in range(len(row))] for start, row in zip(begin, rows, strict=True)]
    data = RoadTrajectories.from_lists(rows, network=network, times=times, persons=persons, ids=_ids(len(rows)))
    parameters: dict[str, Any] = {"k": chance.choice([2, 2, 2, 3]), "similarity": chance.choice([0.2, 0.5, 0.8, 1.5])}
    parameters |= {"dummies": chance.random() < 0.7, "interval": chance.choice([None, None, 900, 1800, "0,900,2700"])}
    parameters["index"] = chance.choice(["lists", "tree", "none"])
    if method == "icba":
        parameters["error_roads"] = chance.choice(["founder", "cluster", "representative"])
    if method == "cba":
        parameters["threshold"] = chance.choice([0.1, 0.6, 1.0])
    return Case(name, method, parameters, data, _seed(chance), [tuple(row) for row in rows], persons)


_MAKERS: dict[str, Callable[[str, str, str, Random], Case]] = {
    "trajectories": _trajectories,
    "transactions": _transactions,
    "table": _table,
    "mixed": _mixed,
    "roads": _roads,
}
