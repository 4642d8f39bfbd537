"""Hierarchy files with mistakes become drafts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.data import Taxonomy
from sfumato.errors import FileError
from sfumato.io import write_hierarchy, write_taxonomy
from sfumato.prepare.editing.draft_files import read_draft


def test_a_file_without_mistakes_is_the_tree(tmp_path: Path) -> None:
    tree = Taxonomy({"*": None, "g": "*", "a": "g", "b": "*"}, sensitive=["g"], rule="balanced:4")
    write_taxonomy(tree, tmp_path / "nodes.csv")
    write_hierarchy(tree, tmp_path / "paths.csv")
    draft, notes = read_draft(tmp_path / "nodes.csv")
    assert (draft.taxonomy(), draft.rule, notes) == (tree, "balanced:4", ())
    assert read_draft(tmp_path / "paths.csv")[0].taxonomy().to_paths() == tree.to_paths()


def test_mistakes_stay_and_unusable_lines_are_named(tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_text("age;group;all\na;x;*\nb;x;*\nb;y;*\n;x;*\n")
    draft, notes = read_draft(file, attribute="age")
    assert draft.parents("b") == ("x", "y")
    assert [note.partition(":")[0] for note in notes] == ["line 1", "line 4", "line 5"]
    file.write_text("node,parent,sensitive\na,b,\nb,a,yes\nc,q,\n,a,\n")
    draft, notes = read_draft(file)
    assert set(draft.problems) == {"a", "b"}
    assert draft.tops == ("q", "a")
    assert draft.marked == {"b"}
    assert len(notes) == 1


def test_a_root_without_children_is_no_value(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("node,parent\n*,\na,b\nb,c\nc,b\n")
    draft, _ = read_draft(tmp_path / "h.csv")
    assert (draft.tops, draft.problems["*"]) == (("*", "b"), ("has no leaf below it",))
    assert draft.edited([("move", "c", "*")]).taxonomy().to_paths() == [("a", "b", "c", "*")]


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("node,parent\n")
    with pytest.raises(FileError, match="wanted at least one node, found none"):
        read_draft(tmp_path / "h.csv")
