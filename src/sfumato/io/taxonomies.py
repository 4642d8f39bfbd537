"""Reading and writing taxonomies: leaf-to-root rows (the ARX convention) and ``node,parent,sensitive``.

The name of the root says whether a rule computed the tree from private data: ``* (private: quantiles:16:4)``.
"""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.data import Taxonomy
from sfumato.data.frames import Source
from sfumato.data.taxonomy import ROOT
from sfumato.data.tree_rules import marked_root, unmarked_root
from sfumato.errors import FileError, listed, shortened
from sfumato.io.atomic_writes import write_text
from sfumato.io.files import read_text
from sfumato.io.frames import separator_of

__all__ = [
    "HEADER",
    "has_header",
    "hierarchy_rows",
    "hierarchy_text",
    "is_flagged",
    "read_hierarchies",
    "read_taxonomy",
    "taxonomy_text",
    "write_hierarchy",
    "write_taxonomy",
]

_GLANCE, _FIRST_LINES = 1 << 16, 50  # what is read of a file to see whether it is a hierarchy
HEADER = "wanted a leaf, its ancestors and the root in every line, found a header; remove this line"
"""The problem of a first line that names levels."""
_TRUE = {"true", "1", "yes"}
_FALSE = {"false", "0", "no", ""}


def read_taxonomy(path: str | Path, *, attribute: str = "") -> Taxonomy:
    """Read a taxonomy in either form; a header that begins with ``node,parent`` distinguishes them.

    attribute : the column whose values are the leaves, if it is known; rows of leaf and ancestors have no header.
    """
    rows, are_nodes = hierarchy_rows(path)
    if are_nodes:
        return _unmarked(_from_parents(rows, path), Source(str(path), file=True))
    if has_header(rows, attribute):
        raise FileError(path, HEADER, line=1)
    source = Source(str(path), file=True, first_line=1)
    return _unmarked(Taxonomy.from_paths(rows, source=source), source)


def hierarchy_rows(path: str | Path) -> tuple[list[list[str]], bool]:
    """The rows of a file, and whether each is a node (with a header) and not a path from a leaf to the root.

    Empty cells at the end of a path are left out.
    """
    text = read_text(path)
    rows = _rows(text, separator_of(text), path)
    if rows[0][:2] == ["node", "parent"]:
        return rows, True
    return _trimmed(rows), False


def _unmarked(tree: Taxonomy, source: Source) -> Taxonomy:
    """The tree with the rule that the name of its root states, under the root's own name."""
    root, rule = unmarked_root(tree.root)
    if not rule:
        return tree
    if not root or root in tree:
        raise source.error("wanted a name of its own for the root, beside its mark, found none or that of a node")
    return _renamed(tree, root, rule, source)


def _renamed(tree: Taxonomy, root: str, rule: str, source: Source | None = None) -> Taxonomy:
    names = {tree.root: root}
    rows = tree.to_parents()
    return Taxonomy(
        {names.get(node, node): parent and names.get(parent, parent) for node, parent, _ in rows},
        sensitive=[names.get(node, node) for node, _, flagged in rows if flagged],
        rule=rule,
        source=None if source is None else Source(source.name, file=source.file),
    )


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """The rows without empty cells at their ends."""
    return [row[: max((i for i, cell in enumerate(row, start=1) if cell), default=0)] for row in rows]


def has_header(rows: list[list[str]], attribute: str = "") -> bool:
    """Whether no other line has the first line's root, although they share one, or it begins with the column's name."""
    others = {row[-1] for row in rows[1:] if row}
    if not rows[0] or len(others) != 1:
        return False
    is_other_root = len(rows) > 2 and rows[0][-1] not in others and not others & set(rows[0])
    return is_other_root or (bool(attribute) and rows[0][0].lower() == attribute.lower())


def _rows(text: str, separator: str, path: str | Path) -> list[list[str]]:
    """The cells of each line; blanks around a cell count inside quotation marks only."""
    if '"' not in text:
        lines = re.split(r"\r\n|\r|\n", text)
        lines = lines[:-1] if len(lines) > 1 and not lines[-1] else lines
        return [[cell.strip() for cell in line.split(separator)] for line in lines]
    cell = re.compile(rf'[^\S\r\n{separator}]*+"((?:[^"]|"")*+)"[^\S\r\n{separator}]*+|([^{separator}\r\n]*+)')
    rows: list[list[str]] = [[]]
    position = 0
    while position < len(text) or not rows[-1]:
        match = cell.match(text, position)
        assert match is not None
        position = match.end()
        rows[-1].append(match[2].strip() if match[1] is None else match[1].replace('""', '"'))
        end = text[position : position + 1]
        if (match[2] or "").lstrip().startswith('"') or end not in (separator, "\r", "\n", ""):
            line = text.count("\n", 0, match.start()) + 1
            raise FileError(path, "wanted quotation marks in pairs, found one without its partner", line=line)
        position += 2 if text.startswith("\r\n", position) else 1
        if end == separator and position == len(text):
            rows[-1].append("")
        if end in ("\r", "\n") and position < len(text):
            rows.append([])
    return rows


def is_flagged(text: str) -> bool:
    """Whether the cell `sensitive` of a node says yes."""
    return text.lower() in _TRUE


def _from_parents(rows: list[list[str]], path: str | Path) -> Taxonomy:
    parents: dict[str, str | None] = {}
    lines = []
    sensitive = []
    for number, row in enumerate(rows[1:], start=2):
        node, parent, flag = [*row, "", "", ""][:3]
        if not any(row):
            continue
        if not node:
            raise FileError(path, "wanted a node, found nothing", line=number)
        if node in parents:
            raise FileError(path, "wanted one row for each node, found a second one", line=number)
        if flag.lower() not in _TRUE | _FALSE:
            raise FileError(path, "wanted sensitive as true or false, found something else", line=number)
        parents[node] = parent or None
        lines.append(number)
        if is_flagged(flag):
            sensitive.append(node)
    return Taxonomy(parents, sensitive=sensitive, source=Source(str(path), file=True, lines=tuple(lines)))


def read_hierarchies(
    directory: str | Path,
    attributes: tuple[str, ...],
    *,
    data: str | Path | None = None,
    source: Source | None = None,
) -> dict[str, Taxonomy]:
    """Read the hierarchy ``*<attribute>.*`` of each attribute that has a file in the directory.

    data : the file of the data, which may be in the same directory.  source : takes notes of other files that look
    like hierarchies.  A directory in which no attribute has a file is refused.
    """
    folder = Path(directory)
    if not folder.is_dir():
        raise FileError(directory, "wanted a directory of hierarchies, found none")
    trees, used = {}, set()
    present = sorted(file for file in folder.iterdir() if file.is_file())
    for attribute in attributes:
        files = [file for file in present if f"{attribute}." in file.name]
        whole_word = re.compile(rf"(^|[\W_]){re.escape(attribute)}\.")  # age, not language
        files = [file for file in files if whole_word.search(file.name)] or files
        files = [file for file in files if data is None or file != Path(data)] or files
        if len(files) > 1:
            raise FileError(
                directory,
                f"wanted one hierarchy for {attribute!r}, found {files[0].name} and {files[1].name}",
            )
        if files:
            trees[attribute] = read_taxonomy(files[0], attribute=attribute)
            used.add(files[0])
    others = [file.name for file in present if file not in used and _looks_like_hierarchy(file)]
    if not trees and source is not None:
        example = f"{shortened(attributes[0])}.csv" if attributes else "COLUMN.csv"
        names = listed([file.name for file in present])
        raise FileError(directory, f"wanted a hierarchy for a column, such as {example}, found {names}")
    if others and source is not None:
        verb = "matches" if len(others) == 1 else "match"
        source.note(
            f"{directory}: {listed(others)} {verb} no column; the name of a hierarchy ends in the name of its column, "
            f"which are {listed(attributes)}"
        )
    return trees


def _looks_like_hierarchy(file: Path) -> bool:
    """Whether the first lines of a file all end in one root, or begin with a header of nodes and parents."""
    with file.open("rb") as opened:
        text = opened.read(_GLANCE).decode("utf-8-sig", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()]
    lines = (lines[:-1] if len(text) >= _GLANCE else lines)[:_FIRST_LINES]
    if not lines:
        return False
    separator = separator_of(lines[0])
    cells = [[cell.strip() for cell in line.split(separator)] for line in lines]
    if cells[0][:2] == ["node", "parent"]:
        return True
    roots = [row[-1] for row in _trimmed(cells) if row]
    below_header = roots[1:] if len(roots) > 2 else roots
    return len(below_header) > 1 and len(set(below_header)) == 1 and all(len(row) > 1 for row in cells)


def write_hierarchy(taxonomy: Taxonomy, path: str | Path, separator: str = ";") -> None:
    """Write one row a leaf, leaf first and root last."""
    write_text(hierarchy_text(taxonomy, separator), path)


def hierarchy_text(taxonomy: Taxonomy, separator: str = ";") -> str:
    """The content of a file of rows, leaf first and root last."""
    return _rows_text([list(row) for row in _marked(taxonomy).to_paths()], separator)


def write_taxonomy(taxonomy: Taxonomy, path: str | Path) -> None:
    """Write one row a node: ``node,parent,sensitive``."""
    write_text(taxonomy_text(taxonomy), path)


def taxonomy_text(taxonomy: Taxonomy) -> str:
    """The content of a file of nodes: ``node,parent,sensitive``."""
    rows = [[node, parent or "", str(flag).lower()] for node, parent, flag in _marked(taxonomy).to_parents()]
    return _rows_text([["node", "parent", "sensitive"], *rows], ",")


def _marked(tree: Taxonomy) -> Taxonomy:
    """The tree with a root that states its rule, if it has one."""
    if not tree.rule:
        return tree
    root = tree.root
    while marked_root(root, tree.rule) in tree or (root in tree and root != tree.root):  # a value is called like that
        root += ROOT
    return _renamed(tree, marked_root(root, tree.rule), tree.rule)


def _rows_text(rows: list[list[str]], separator: str) -> str:
    special = re.compile(rf'["\r\n{separator}]|^[\s\ufeff]|\s$')  # a file may begin with a mark of its encoding
    lines = [separator.join(_quoted(cell) if special.search(cell) else cell for cell in row) for row in rows]
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
