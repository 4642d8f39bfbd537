"""Changes to what labels stand for and to the context: most make a weaker claim."""

from __future__ import annotations

import re
from collections.abc import Callable

from trials.changes.base import ORIGINAL, Copy, change
from trials.files import Cell


@change(ORIGINAL)
def one_member_more(copy: Copy) -> bool:
    header, *rows = copy.rows("members.csv") or [[]]
    if not rows:
        return False
    return copy.write("members.csv", [header, *rows, [rows[-1][0], rows[-1][1], "\U0010fffe"]])


@change()
def members_of_an_unpublished_label(copy: Copy) -> bool:
    header, *rows = copy.rows("members.csv") or [["attribute", "label", "member"]]
    kind = copy.certificate["kind"]
    attribute = {"trajectories": "location", "transactions": "item"}.get(kind)
    if attribute is None:
        return False
    return copy.write("members.csv", [header, *rows, [attribute, "\U0010fffe", "b"], [attribute, "\U0010fffe", "c"]])


@change()
def members_of_a_foreign_attribute(copy: Copy) -> bool:
    header, *rows = copy.rows("members.csv") or [["attribute", "label", "member"]]
    if copy.certificate["kind"] in ("chunks", "roads"):
        return False
    return copy.write("members.csv", [header, *rows, ["person", "g1", "private-person-1"]])


@change(ORIGINAL)
def members_in_another_order(copy: Copy) -> bool:
    header, *rows = copy.rows("members.csv") or [[]]
    return bool(rows) and copy.write("members.csv", [header, *rows[::-1]])


@change()
def other_label_numbers(copy: Copy) -> bool:
    """g1 called g7 everywhere: which number a label has must not tell anything."""
    kind = copy.certificate["kind"]
    header, *rows = copy.rows("members.csv") or [[]]
    made = sorted({str(row[1]) for row in rows if re.fullmatch("g+[0-9]+", str(row[1]))})
    if not made or kind not in ("trajectories", "transactions"):
        return False
    old, new = made[0], made[0] + "7"
    turn = [[new if cell == old else cell for cell in row] for row in rows]
    changed = copy.write("members.csv", [header, *turn])
    data, *records = copy.rows("data.csv")
    return (
        copy.write("data.csv", [data, *([*row[:-1], new if row[-1] == old else row[-1]] for row in records)]) or changed
    )


def _roles(copy: Copy, before: str, after: str) -> bool:
    header, *rows = copy.rows("context/roles.csv") or [[]]
    those = [row for row in rows if row[1] == before]
    if not those:
        return False
    those[0][1] = after
    return copy.write("context/roles.csv", [header, *rows])


@change(ORIGINAL)
def quasi_identifier_no_more(copy: Copy) -> bool:
    return _roles(copy, "quasi-identifier", "other")


@change(ORIGINAL)
def sensitive_no_more(copy: Copy) -> bool:
    return _roles(copy, "sensitive", "other")


@change(ORIGINAL)
def known_as_sensitive(copy: Copy) -> bool:
    return _roles(copy, "quasi-identifier", "sensitive")


def _context_cell(copy: Copy, name: str, column: str, before: Callable[[Cell], bool], after: Cell) -> bool:
    header, *rows = copy.rows(f"context/{name}") or [[]]
    if column not in header:
        return False
    at = header.index(column)
    those = [row for row in rows if before(row[at])]
    if not those:
        return False
    for row in those:
        row[at] = after
    return copy.write(f"context/{name}", [header, *rows])


@change(ORIGINAL)
def place_not_sensitive(copy: Copy) -> bool:
    return _context_cell(copy, "places.csv", "sensitive", lambda cell: cell == "true", "false")


@change(ORIGINAL)
def one_owner_for_all(copy: Copy) -> bool:
    return _context_cell(copy, "places.csv", "owner", lambda cell: cell is not None and cell != "A", "A")


@change(ORIGINAL)
def owners_gone(copy: Copy) -> bool:
    return _context_cell(copy, "places.csv", "owner", lambda cell: cell is not None, None)


@change(ORIGINAL)
def node_not_sensitive(copy: Copy) -> bool:
    return _context_cell(copy, "taxonomy.csv", "sensitive", lambda cell: cell == "true", "false")


@change(ORIGINAL)
def a_bigger_taxonomy(copy: Copy) -> bool:
    """More sensitive leaves below a node make each of them look less likely."""
    header, *rows = copy.rows("context/taxonomy.csv") or [[]]
    flagged = [row for row in rows if row[2] == "true"]
    if not flagged:
        return False
    parent = str(flagged[0][1] if flagged[0][1] is not None else flagged[0][0])
    return copy.write("context/taxonomy.csv", [header, *rows, *([f"more{n}", parent, "true"] for n in range(20))])


@change(ORIGINAL)
def item_not_sensitive(copy: Copy) -> bool:
    header, *rows = copy.rows("context/sensitive.csv") or [[]]
    return bool(rows) and copy.write("context/sensitive.csv", [header, *rows[1:]])


@change(ORIGINAL)
def policy_shortened(copy: Copy) -> bool:
    header, *rows = copy.rows("context/privacy_policy.csv") or [[]]
    if not rows:
        return False
    if header == ["size"]:
        return copy.write("context/privacy_policy.csv", [header, ["1"]])
    return len(rows) > 1 and copy.write("context/privacy_policy.csv", [header, *rows[:-1]])


@change(ORIGINAL | {"unchecked"})
def policy_gone(copy: Copy) -> bool:
    if not (copy.folder / "context/privacy_policy.csv").exists():
        return False
    (copy.folder / "context/privacy_policy.csv").unlink()
    if not any((copy.folder / "context").iterdir()):
        (copy.folder / "context").rmdir()
    return copy.edit(lambda one: one["files"].pop("context/privacy_policy.csv"))


@change(ORIGINAL)
def utility_policy_wider(copy: Copy) -> bool:
    header, *rows = copy.rows("context/utility_policy.csv") or [[]]
    return len({row[0] for row in rows}) > 1 and copy.write(
        "context/utility_policy.csv", [header, *(["1", row[1]] for row in rows)]
    )


@change(ORIGINAL)
def nodes_moved(copy: Copy) -> bool:
    return _context_cell(copy, "nodes.csv", "x", lambda _: True, "12345.678")


@change()
def one_more_column(copy: Copy) -> bool:
    if copy.certificate["kind"] == "chunks":
        return False
    header, *rows = copy.rows("data.csv")
    changed = copy.write(
        "data.csv", [[*header, "person"], *([*row, f"private-person-{n}"] for n, row in enumerate(rows))]
    )
    names, *roles = copy.rows("context/roles.csv") or [[]]
    if roles:
        copy.write("context/roles.csv", [names, *roles, ["person", "other"]])
    return changed


@change()
def columns_in_another_order(copy: Copy) -> bool:
    if copy.certificate["kind"] not in ("trajectories", "transactions", "roads"):
        return False
    return copy.write("data.csv", [row[::-1] for row in copy.rows("data.csv")])
