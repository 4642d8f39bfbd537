"""Mistakes in hierarchy files: each is found with its line, and the reader refuses the same files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.errors import FileError
from sfumato.io import read_taxonomy
from sfumato.prepare.editing.hierarchy_review import review_hierarchy

NAMES = st.sampled_from(["a", "b", "c", "d", "*", ""])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a;x;*\nb;x;*\na;x;*\n", "line 3: wanted each leaf once, found it again"),
        ("a;x;*\nb;y;*\nc;x;y;*\n", "line 3: 1 node has several parents, and each may have one"),
        ("a;;*\nb;x;*\n", "line 1: wanted a name in every cell, found an empty one"),
        ("a;x;*\nb;x;top\n", "line 2: wanted one root, found 2"),
        ("a;b;*\nb;*\n", "line 2: wanted a leaf in the first cell, found a node with others below it"),
        ("a;b;a\n", "the nodes form a cycle"),
        ("node,parent\n*,\na,*\na,*\n", "line 4: wanted each node once, found it again"),
        ("node,parent\n*,\na,x\n", "line 3: wanted a parent that is a node itself, found an unknown name"),
        ("node,parent\n*,\na,b\nb,a\n", "lines 3, 4: the nodes form a cycle"),
        ("node,parent\n*,\nr,\na,*\n", "line 3: wanted one root, found 2"),
    ],
)
def test_mistakes(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(text)
    problems = review_hierarchy(tmp_path / "h.csv").problems
    assert any(problem in sentence for sentence in problems), problems
    with pytest.raises(FileError):
        read_taxonomy(tmp_path / "h.csv")


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;x;*\na;x;*\nb;;*\nc;x;top\n")
    assert len(review_hierarchy(tmp_path / "h.csv").problems) == 4


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.lists(NAMES, min_size=1, max_size=4), min_size=1, max_size=5), nodes=st.booleans())
def test_the_review_and_the_reader_agree(rows: list[list[str]], nodes: bool, tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    if nodes:
        path.write_text("node,parent\n" + "".join(",".join([*row, ""][:2]) + "\n" for row in rows))
    else:
        path.write_text("".join(";".join([*row, "*"]) + "\n" for row in rows))
    try:
        read_taxonomy(path)
        refused = False
    except FileError:
        refused = True
    assert bool(review_hierarchy(path).problems) == refused


def test_the_coverage_of_values_and_what_is_allowed_but_odd(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("age;group;all\n20;young;*\n30;*\n40;old;*\n")
    review = review_hierarchy(tmp_path / "h.csv", {"20", "30", "50", "60"})
    assert review.coverage is not None
    assert vars(review.coverage) == {"values": 4, "covered": 2, "unused_leaves": 1}
    assert "2 values of the data are no leaf" in review.problems
    assert review.problems[0].startswith(
        "line 1: wanted a leaf, its ancestors and the root in every line, found a header"
    )
    assert review.notes == ("the rows have different lengths (2 and 3 levels), which some other programs refuse",)
    (tmp_path / "h.csv").write_text("age;group;all\n20;young;*\n")
    assert review_hierarchy(tmp_path / "h.csv", {"20"}).notes == (
        "line 1: neither its leaf nor its root occurs elsewhere; remove the line if it is a header",
    )


def test_a_header_is_named(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("sex;level1\nM;*\nF;*\n")
    review = review_hierarchy(path)
    assert review.leaves == 2
    assert review.problems == (
        "line 1: wanted a leaf, its ancestors and the root in every line, found a header; remove this line",
    )
    path.write_text("Sex;*\nM;*\n")
    assert not review_hierarchy(path).problems
    assert len(review_hierarchy(path, {"M"}, attribute="sex").problems) == 1
