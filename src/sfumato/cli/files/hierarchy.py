"""`sfumato hierarchy`: hierarchies derived from data by a rule, shown, checked and changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.files.hierarchy_derive import derive
from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.options import input_options, json_option, load, names_of, with_options
from sfumato.cli.shared.render import print_json, say, table

if TYPE_CHECKING:
    from sfumato.data import Taxonomy

__all__ = ["command"]

_LINES = 40


@click.group("hierarchy", cls=WholeLines, options_metavar="", subcommand_metavar="derive|show|check|edit ...")
def command() -> None:
    """Derive, show, check or edit a hierarchy: a tree over the values of a column, the items or the places."""


command.add_command(derive)


@command.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--levels", type=click.IntRange(min=0), help="How many levels below the root to draw [default: as fit].")
@json_option
def show(file: Path, levels: int | None, as_json: bool) -> None:
    """Show the tree in FILE, with the number of leaves below each node."""
    from sfumato.io import read_taxonomy

    tree = read_taxonomy(file)
    rows = _level_rows(tree)
    if as_json:
        print_json(
            {
                "file": str(file),
                **_facts(tree),
                "levels": [dict(zip(("level", "nodes", "leaves", "largest"), row, strict=True)) for row in rows],
                "nodes": [
                    {"node": node, "parent": parent, "leaves": tree.leaf_count(node), "sensitive": flagged}
                    for node, parent, flagged in tree.to_parents()
                ],
            }
        )
        return
    private = f"; private: computed by the rule {tree.rule}" if tree.rule else ""
    say(f"{len(tree):,} nodes, {len(tree.leaves):,} leaves, {tree.height + 1} levels{private}")
    table("", ("steps from the root", "nodes", "leaves among them", "leaves below the largest"), rows)
    drawn = _drawn(tree, _fitting(tree) if levels is None else levels)
    for line in drawn[:_LINES] if levels is None else drawn:
        say(line)
    if levels is None and len(drawn) > _LINES:
        say(f"and {len(drawn) - _LINES:,} more lines; --levels N draws all lines of N levels.")


def _facts(tree: Taxonomy) -> dict[str, Any]:
    rule = {"rule": tree.rule} if tree.rule else {}
    return {"private": bool(tree.rule), **rule, "leaves": len(tree.leaves), "height": tree.height}


def _level_rows(tree: Taxonomy) -> list[tuple[int, int, int, int]]:
    """For each level: steps from the root, nodes, leaves among them, and the most leaves below one of them."""
    counts: dict[int, list[int]] = {}
    for node in tree.nodes:
        row = counts.setdefault(tree.depth(node), [0, 0, 0])
        row[0] += 1
        row[1] += tree.is_leaf(node)
        row[2] = max(row[2], tree.leaf_count(node))
    return [(depth, *counts[depth]) for depth in sorted(counts)]  # type: ignore[misc]


def _fitting(tree: Taxonomy) -> int:
    """The most levels whose nodes fit the lines, at least one."""
    total, most = 0, 1
    for depth, nodes, _, _ in _level_rows(tree):
        total += nodes
        if total <= _LINES:
            most = max(most, depth)
    return most


def _drawn(tree: Taxonomy, levels: int) -> list[str]:
    lines = []
    sensitive = tree.sensitive
    stack = [tree.root]
    while stack:
        node = stack.pop()
        depth = tree.depth(node)
        below = "" if tree.is_leaf(node) else f"  ({tree.leaf_count(node):,})"
        lines.append(f"{'  ' * depth}{node}{below}{' sensitive' if node in sensitive else ''}")
        if depth < levels:
            stack.extend(reversed(tree.children(node)))
    return lines


@with_options(input_options(("items", "places")))
@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--against", type=click.Path(path_type=Path), help="The data whose values should be leaves.")
@click.option("--column", help="The column of the table that the hierarchy is for; not for items and places.")
@json_option
def check(file: Path, against: Path | None, column: str | None, as_json: bool, **options: Any) -> int:
    """Find mistakes in FILE: nodes with two parents, cycles, several roots, empty names, unequal levels.

    With --against, also the values of the data that are no leaf.  Exits with 1 if there is a mistake.
    """
    from sfumato.prepare.editing.hierarchy_review import review_hierarchy

    if column is not None and against is None:
        raise click.UsageError("--column names a column of the data; give them with --against FILE")
    values = None if against is None else _values(against, column, options)
    review = review_hierarchy(file, values, attribute=column or "")
    if as_json:
        print_json({"file": str(file), **review.to_json()})
        return 1 if review.problems else 0
    say(f"{review.leaves:,} leaves")
    if review.coverage is not None:
        cover = review.coverage
        unused = f"{cover.unused_leaves:,} leaves do not occur"
        say(f"{cover.covered:,} of {cover.values:,} values of the data are leaves; {unused}")
    for note in review.notes:
        say(f"- {note}")
    for problem in review.problems:
        say(f"✗ {problem}")
    if not review.problems:
        say("✓ no mistake found")
    return 1 if review.problems else 0


def _values(against: Path, column: str | None, options: dict[str, Any]) -> set[str]:
    """The values of a column as texts, or the items or locations."""
    from sfumato.data import Table
    from sfumato.errors import DataError
    from sfumato.prepare.derived_hierarchies import values_to_cover

    data = load(against, options)
    if column is None and isinstance(data, Table):
        raise click.UsageError(f"{against} is a table; name the column of the hierarchy (--column COLUMN)")
    try:
        return set(values_to_cover(data, column))
    except DataError as error:
        raise DataError(f"{against}: {error}") from None


@command.command("edit")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to write, in the form of FILE; with a column `sensitive` if a node is marked.",
)
@click.option(
    "--edit",
    "operations",
    multiple=True,
    help="An operation; several are applied in order: rename,NODE,NEW  move,NODE,PARENT  merge,NEW,NODE,NODE,...  "
    "insert,NEW,NODE,...  remove,NODE  prune,NODE  flatten,LEVEL  add,LEAF,PARENT  mark,NODE  unmark,NODE. "
    "A name with a comma stands in quotation marks.",
)
@click.option(
    "--edits", type=click.Path(path_type=Path), help="A file with one operation a line, applied before those of --edit."
)
@json_option
def edit(file: Path, out: Path, operations: tuple[str, ...], edits: Path | None, as_json: bool) -> None:
    """Change the hierarchy in FILE and write it to another file.

    A hierarchy that was derived from private data stays private after every change.
    """
    from sfumato.io import read_taxonomy, write_hierarchy, write_taxonomy
    from sfumato.io.files import read_text
    from sfumato.io.frames import separator_of
    from sfumato.io.outputs import require_output
    from sfumato.io.taxonomies import hierarchy_rows
    from sfumato.prepare.hierarchy_edits import edited

    lines = [] if edits is None else [line for line in read_text(edits).splitlines() if line.strip()]
    steps = [names_of(text) for text in (*lines, *operations)]
    if not steps:
        raise click.UsageError("wanted at least one operation: --edit rename,NODE,NEW or --edits FILE")
    require_output(out, "hierarchy", inputs=[file, *([] if edits is None else [edits])])
    tree = edited(read_taxonomy(file), steps)
    if hierarchy_rows(file)[1] or tree.sensitive:  # rows of leaf and ancestors cannot say what is sensitive
        write_taxonomy(tree, out)
    else:
        write_hierarchy(tree, out, separator_of(read_text(file)))
    if as_json:
        print_json({"out": str(out), "edits": len(steps), **_facts(tree)})
        return
    number = f"{len(steps)} {'edit' if len(steps) == 1 else 'edits'}"
    say(f"{number}: {len(tree.leaves):,} leaves, {tree.height + 1} levels in {out}")
    if tree.rule:
        say(f"{out} is private, as {file} is: it was computed from private data ({tree.rule}).")
