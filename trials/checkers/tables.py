"""k-anonymity (Samarati 2001), l-diversity (Machanavajjhala et al. 2006) and t-closeness (Li et al. 2007) of tables.

Cells are compared as the texts that stand in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import isnan, prod
from typing import Any

from trials.checkers.patterns import by_count, by_ratio
from trials.files import Behind, Cell, Seen

__all__ = ["check_k_anonymity", "check_l_diversity", "check_t_closeness"]


def check_k_anonymity(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Every combination of quasi-identifying cells is shared by at least k."""
    units = by_count(len(seen.records), behind)
    k = parameters["k"]
    return [
        f"the class {key} has {len({units[row] for row in rows})}, below k={k}"
        for key, rows in _classes(seen).items()
        if len({units[row] for row in rows}) < k
    ]


def check_l_diversity(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Every class has l different values of l different persons, or an entropy of log l."""
    l, found = parameters["l"], []  # noqa: E741
    columns = _sensitive(seen)
    if not columns:
        return ["the files name no sensitive column"]
    for column in columns:
        for key, rows in _classes(seen).items():
            cells = [seen.records[row][column] for row in rows]
            if parameters.get("variant", "distinct") == "distinct":
                units = by_count(len(seen.records), behind)
                matched = _matching(cells, [units[row] for row in rows])
                if matched < l:
                    found.append(f"{column!r} has {matched} values in the class {key}, below l={l}")
                continue
            for name, units in by_ratio(len(seen.records), behind):
                counts = Counter(cell for cell, _ in {(seen.records[row][column], units[row]) for row in rows})
                total = sum(counts.values())
                if total**total < l**total * prod(count**count for count in counts.values()):
                    found.append(f"{column!r} has too little entropy in the class {key}, counting {name}")
    return found


def check_t_closeness(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """The values of every class are within t of the whole table's, by the earth mover's distance."""
    limit = Fraction(str(parameters["t"]))
    columns = _sensitive(seen)
    if not columns:
        return ["the files name no sensitive column"]
    found = []
    for column in columns:
        cells = [record[column] for record in seen.records]
        for name, units in by_ratio(len(cells), behind):
            whole = _shares(cells, units, range(len(cells)))
            for key, rows in _classes(seen).items():
                here = _shares(cells, units, rows)
                distance = _moved(here, whole, parameters.get("distance", "equal") == "ordered")
                if distance > limit:
                    found.append(f"{column!r} is {distance} from the table in the class {key}, counting {name}")
    return found


def _classes(seen: Seen) -> dict[tuple[Cell, ...], list[int]]:
    known = [column for column, role in seen.roles.items() if role == "quasi-identifier"]
    found: dict[tuple[Cell, ...], list[int]] = {}
    for row, record in enumerate(seen.records):
        found.setdefault(tuple(record[column] for column in known), []).append(row)
    return found


def _sensitive(seen: Seen) -> list[str]:
    return [column for column, role in seen.roles.items() if role == "sensitive"]


def _matching(cells: Sequence[Cell], units: Sequence[Any]) -> int:
    """How many values can be given to different persons who have them."""
    holders: dict[Cell, set[Any]] = {}
    for cell, unit in zip(cells, units, strict=True):
        holders.setdefault(cell, set()).add(unit)
    given: dict[Any, Cell] = {}

    def place(cell: Cell, tried: set[Any]) -> bool:
        for unit in holders[cell]:
            if unit not in tried:
                tried.add(unit)
                if unit not in given or place(given[unit], tried):
                    given[unit] = cell
                    return True
        return False

    return sum(place(cell, set()) for cell in holders)


def _shares(cells: Sequence[Cell], units: Sequence[Any], rows: Sequence[int]) -> dict[Cell, Fraction]:
    """The share of each value; somebody counts once for each of their values."""
    counts = Counter(cell for cell, _ in {(cells[row], units[row]) for row in rows})
    total = sum(counts.values())
    return {cell: Fraction(count, total) for cell, count in counts.items()}


def _moved(here: dict[Cell, Fraction], whole: dict[Cell, Fraction], ordered: bool) -> Fraction:
    if not ordered:
        return sum((abs(here.get(cell, Fraction(0)) - share) for cell, share in whole.items()), Fraction(0)) / 2
    ranks = sorted(whole, key=_rank)
    total, carried = Fraction(0), Fraction(0)
    for cell in ranks[:-1]:
        carried += here.get(cell, Fraction(0)) - whole[cell]
        total += abs(carried)
    return total / max(1, len(ranks) - 1)


def _rank(cell: Cell) -> tuple[int, float]:
    return (0, 0.0) if cell is None or cell == "" or isnan(float(cell)) else (1, float(cell))
