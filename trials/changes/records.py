"""Changes to records: their names, their order, their number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trials.changes.base import ORIGINAL, Copy, Rows, change

# their promise says nothing of a record that holds one unprotected, nobody's or invented name
_ALLOWING_ONE = ("policy", "epsilon", "projection", "sequence-k")


def _numbered(copy: Copy) -> bool:
    return copy.certificate["kind"] in ("trajectories", "transactions", "roads")


def _renamed(copy: Copy, name_of: Callable[[int], str]) -> bool:
    if not _numbered(copy):
        return False
    header, *rows = copy.rows("data.csv")
    return copy.write("data.csv", [header, *([name_of(int(str(row[0]))), *row[1:]] for row in rows)])


@change(ORIGINAL)
def private_names_as_ids(copy: Copy) -> bool:
    return _renamed(copy, lambda number: f"private-id-{number}")


@change()
def times_as_ids(copy: Copy) -> bool:
    return _renamed(copy, lambda number: str(1_700_000_000 + 37 * number))


@change()
def ids_from_zero(copy: Copy) -> bool:
    return _renamed(copy, lambda number: str(number - 1))


@change()
def another_order(copy: Copy) -> bool:
    """The records backwards, numbered as if that were their order."""
    kind = copy.certificate["kind"]
    if kind == "chunks":
        return False
    header, *rows = copy.rows("data.csv")
    if kind in ("table", "mixed"):
        return copy.write("data.csv", [header, *rows[::-1]])
    groups: dict[str, Rows] = {}
    for row in rows:
        groups.setdefault(str(row[0]), []).append(row)
    backwards = [
        [str(number), *row[1:]] for number, group in enumerate(reversed(groups.values()), start=1) for row in group
    ]
    return copy.write("data.csv", [header, *backwards])


@change()
def other_subrecord_numbers(copy: Copy) -> bool:
    """Subrecords of several chunks numbered alike: equal numbers belong to one record."""
    header, *rows = copy.rows("chunks.csv") or [[]]
    numbers = sorted({str(row[3]) for row in rows if row[3] is not None})
    if len(numbers) < 2:
        return False
    moved = dict(zip(numbers, copy.chance.sample(numbers, len(numbers)), strict=True))
    return copy.write("chunks.csv", [header, *([*row[:3], moved.get(str(row[3]), row[3]), row[4]] for row in rows)])


@change()
def subrecord_gaps(copy: Copy) -> bool:
    header, *rows = copy.rows("chunks.csv") or [[]]
    return bool(rows) and copy.write(
        "chunks.csv", [header, *([*r[:3], None if r[3] is None else str(int(r[3]) * 7), r[4]] for r in rows)]
    )


@change()
def clusters_in_another_order(copy: Copy) -> bool:
    header, *rows = copy.rows("clusters.csv") or [[]]
    if len(rows) < 2 or any(row[2] is not None for row in rows):
        return False
    count = len(rows)
    turned = {str(row[0]): str(count + 1 - int(str(row[0]))) for row in rows}
    chunks, *listed = copy.rows("chunks.csv")
    again = sorted(([turned[str(row[0])], *row[1:]] for row in listed), key=lambda row: int(str(row[0])))
    changed = copy.write("chunks.csv", [chunks, *again])
    sizes = sorted(([turned[str(row[0])], *row[1:]] for row in rows), key=lambda row: int(str(row[0])))
    return copy.write("clusters.csv", [header, *sizes]) or changed


@change()
def a_row_of_one(copy: Copy) -> bool:
    """One more record that nobody shares."""
    kind = copy.certificate["kind"]
    if kind not in ("trajectories", "transactions") or copy.certificate["guarantees"][0]["model"] in _ALLOWING_ONE:
        return False
    header, *rows = copy.rows("data.csv")
    number = str(max(int(str(row[0])) for row in rows) + 1)
    more: Rows = [[number, "\U0010ffff"]] if kind == "transactions" else [[number, "1", "\U0010ffff"]]

    def count(certificate: dict[str, Any]) -> None:
        certificate["records"]["published"] += 1

    return copy.write("data.csv", [header, *rows, *more]) and copy.edit(count)


@change(ORIGINAL)
def raw_private_data(copy: Copy) -> bool:
    """The private data dressed as the release."""
    kind = copy.certificate["kind"]
    case = copy.case
    if kind in ("trajectories", "transactions"):
        records = sorted(record for record in case.original if record)
        rows: Rows = [["trajectory", "step", "location"] if kind == "trajectories" else ["record", "item"]]
        for number, record in enumerate(records, start=1):
            for step, label in enumerate(record, start=1):
                rows.append([str(number), *([str(step)] if kind == "trajectories" else []), label])
    elif kind == "table":
        records = case.original
        columns = [str(name) for name in copy.rows("data.csv")[0]]
        rows = [
            list(columns),
            *([None if one[name] is None else str(one[name]) for name in columns] for one in records),
        ]
    else:
        return False
    (copy.folder / "members.csv").unlink(missing_ok=True)
    changed = copy.write("data.csv", rows)

    def count(certificate: dict[str, Any]) -> None:
        certificate["records"]["published"] = len(records)
        certificate["files"].pop("members.csv", None)

    copy.edit(count)
    if not changed:
        return False
    # on small data a private table may keep the promise by chance
    return any(rule in copy.case.method for rule in ("seqanon", "zga", "apriori", "coat", "incognito", "cluster"))
