"""Taxonomies in both forms, and directories of hierarchies."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Taxonomy
from sfumato.errors import FileError
from sfumato.io import read, read_hierarchies, read_taxonomy, write_hierarchy, write_taxonomy

NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4).filter(
    lambda name: name.strip() == name
)


@st.composite
def trees(draw: st.DrawFn) -> Taxonomy:
    names = draw(st.lists(NAME, min_size=2, max_size=10, unique=True))
    parents: dict[str, str | None] = {names[0]: None}
    for number, name in enumerate(names[1:], start=1):
        parents[name] = names[draw(st.integers(0, number - 1))]
    return Taxonomy(parents, sensitive=draw(st.sets(st.sampled_from(names))))


@settings(max_examples=60, deadline=None)
@given(trees(), st.sampled_from(["", ".gz"]))
def test_both_forms_survive(tree: Taxonomy, zipped: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"tree.csv{zipped}"
        write_taxonomy(tree, path)
        assert read_taxonomy(path) == tree
        assert read_taxonomy(path).leaves == tree.leaves
        write_hierarchy(tree, path)
        again = read_taxonomy(path)
        assert again == Taxonomy({node: tree.parent(node) for node in tree.nodes})
        assert again.leaves == tree.leaves


def test_the_written_forms(tmp_path: Path) -> None:
    tree = Taxonomy({"*": None, "g": "*", "a": "g", "b": "*"}, sensitive=["g"])
    write_hierarchy(tree, tmp_path / "tree.csv")
    assert (tmp_path / "tree.csv").read_text() == "a;g;*\nb;*\n"
    write_taxonomy(tree, tmp_path / "tree.csv")
    assert (tmp_path / "tree.csv").read_text() == ("node,parent,sensitive\n*,,false\ng,*,true\na,g,false\nb,*,false\n")


@pytest.mark.parametrize(
    "content",
    [
        "a;g;*\nb;g;*\nc;*\n",
        "a,g,*\nb,g,*\nc,*\n",
        "a\tg\t*\nb\tg\t*\nc\t*\n",
        "\ufeffa;g;*\r\nb;g;*\r\nc;*\r\n",
        "a;g;*\nb;g;*\nc;c;*\n",
        "a;g;*\nb;g;*\nc;*;*\n",
        "a;g;*;;\nb;g;*;\nc;*;;;\n",
        "\n a ; g ; * \n;;\nb;g;*\n\nc;*",
        "node,parent\n*,\ng,*\na,g\nb,g\nc,*\n",
        "node;parent;sensitive\n\n*;;\ng;*;no\na;g;0\n;;\nb;g;False\nc;*",
        "node,parent,sensitive,remark\n*,,,x\ng,*,,y\na,g,,\nb,g\nc,*\n",
    ],
)
def test_one_tree_in_many_dialects(tmp_path: Path, content: str) -> None:
    (tmp_path / "tree.csv").write_bytes(content.encode())
    tree = read_taxonomy(tmp_path / "tree.csv")
    assert tree == Taxonomy({"a": "g", "g": "*", "*": None, "b": "g", "c": "*"})
    assert tree.leaves == ("a", "b", "c")


def test_commas_belong_to_a_name_where_semicolons_separate(tmp_path: Path) -> None:
    (tmp_path / "month.txt").write_text("1;1,3;1,6;*\n4;4,6;1,6;*\n")
    assert read_taxonomy(tmp_path / "month.txt").ancestors("4") == ("4,6", "1,6", "*")


def test_sensitive_in_many_words(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("node,parent,sensitive\n*,,no\na,*,TRUE\nb,*,1\nc,*,yes\nd,*,False\n")
    assert read_taxonomy(tmp_path / "tree.csv").sensitive == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "t.csv: the file is empty"),
        ("\n\n", "t.csv: the file is empty"),
        (";;\n;\n", "t.csv: wanted at least one node, found none"),
        (b"a;*\n\xff;*\n", "t.csv, line 2: wanted text in UTF-8, found something else"),
        ("a;g;*\n\nb;h;*\nc;g;h;*\n", "t.csv, line 4: wanted one parent for each node, found a second one"),
        ("a;*\n\n\na;*\n", "t.csv, line 4: wanted each leaf once, found this leaf for the second time"),
        ("a;;*\n", "t.csv, line 1: wanted a leaf, its ancestors and the root, found an empty name"),
        (";a;*\n", "t.csv, line 1: wanted a leaf, its ancestors and the root, found an empty name"),
        ("a;*\nb;all\n", "t.csv: wanted one root, found 2"),
        (
            "a;g;*\ng;*\n",
            "t.csv, line 2: wanted a leaf without nodes below it, found a leaf that is also an inner node",
        ),
        ("node,parent\n", "t.csv: wanted at least one node, found none"),
        ("node,parent\n*,\n,x\n", "t.csv, line 3: wanted a node, found nothing"),
        ("node,parent\n*,\n\na,*\na,*\n", "t.csv, line 5: wanted one row for each node, found a second one"),
        (
            "node,parent,sensitive\n*,,\na,*,maybe\n",
            "t.csv, line 3: wanted sensitive as true or false, found something else",
        ),
        ("node,parent\n*,\na,b\nb,a\n", "t.csv, line 3: wanted a tree, found a cycle"),
        ("node,parent\na,b\nb,a\n", "t.csv: wanted a root, found none: the nodes form a cycle"),
        ("node,parent\na,\nb,\n", "t.csv, line 3: wanted one root, found 2, the second one here"),
        ("node,parent\n*,\na,g\n", "t.csv, line 3: wanted a parent that is a node itself, found an unknown name"),
    ],
)
def test_a_file_that_cannot_be_used(refused, content: str | bytes, sentence: str) -> None:
    assert refused("t.csv", content, read_taxonomy) == sentence


def test_a_tree_remembers_its_file(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("31;*\n")
    with pytest.raises(FileError, match=r"age.csv: wanted a leaf for every age of the data, found none for 1$"):
        read_taxonomy(tmp_path / "age.csv").require(["31", "44"], "age")


# ---- directories


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("adult_hierarchy_age.csv", "adult_hierarchy_language.csv", "salary-class.txt", "workclass.csv"):
        (tmp_path / name).write_text(f"x;{name};*\n")
    (tmp_path / "age.csv").mkdir()
    return tmp_path


def test_each_attribute_finds_its_file(folder: Path) -> None:
    found = read_hierarchies(folder, ("age", "salary-class", "workclass", "sex"))
    assert {attribute: tree.nodes[1] for attribute, tree in found.items()} == {
        "age": "adult_hierarchy_age.csv",
        "salary-class": "salary-class.txt",
        "workclass": "workclass.csv",
    }


def test_an_attribute_with_dots_and_a_gzip_file(folder: Path) -> None:
    write_hierarchy(Taxonomy({"*": None, "a": "*"}), folder / "h_geo.lat.csv.gz")
    assert read_hierarchies(folder, ("geo.lat",))["geo.lat"].leaves == ("a",)


def test_two_files_for_one_attribute_are_refused(folder: Path) -> None:
    (folder / "age.txt").write_text("x;*\n")
    with pytest.raises(FileError) as refusal:
        read_hierarchies(folder, ("age",))
    assert str(refusal.value) == f"{folder}: wanted one hierarchy for 'age', found adult_hierarchy_age.csv and age.txt"


def test_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere: wanted a directory of hierarchies"):
        read_hierarchies(tmp_path / "nowhere", ("age",))


@pytest.mark.parametrize("form", ["paths", "nodes"])
def test_a_tree_that_was_computed_from_private_data_says_so_in_its_file(form: str, tmp_path: Path) -> None:
    tree = Taxonomy(
        {"*": None, "x": "*", "a": "x", "b": "*"}, sensitive=["x"] if form == "nodes" else [], rule="quantiles:8:2"
    )
    (write_hierarchy if form == "paths" else write_taxonomy)(tree, tmp_path / "h.csv")
    assert "* (private: quantiles:8:2)" in (tmp_path / "h.csv").read_text()
    again = read_taxonomy(tmp_path / "h.csv")
    assert (again, again.rule, again.root) == (tree, "quantiles:8:2", "*")


def test_only_a_known_rule_is_a_mark(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;Food (private: mine)\nb;Food (private: mine)\n")
    tree = read_taxonomy(tmp_path / "h.csv")
    assert (tree.rule, tree.root) == ("", "Food (private: mine)")
    (tmp_path / "h.csv").write_text("a;x;a (private: prefix:1)\nb;x;a (private: prefix:1)\n")
    with pytest.raises(FileError, match="wanted a name of its own for the root"):
        read_taxonomy(tmp_path / "h.csv")


# ---- hierarchies that match no column, and headers


@pytest.mark.parametrize(
    "content",
    [
        "age;decade;all\n31;30-39;*\n44;40-49;*\n",  # another root
        "Age;decade;*\n31;30-39;*\n44;40-49;*\n",  # begins with the column
        "value,level1,level2\n31,30-39,*\n44,40-49,*\n",
    ],
)
def test_a_header_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "age.csv").write_text(content)
    with pytest.raises(FileError, match=r"age.csv, line 1: wanted .* found a header; remove this line"):
        read_hierarchies(tmp_path, ("age",))
    (tmp_path / "age.csv").write_text(content.partition("\n")[2])
    assert read_hierarchies(tmp_path, ("age",))["age"].leaves == ("31", "44")


def test_two_roots_without_a_header_are_still_two_roots(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("31;30-39;*\n44;40-49;all\n")
    with pytest.raises(FileError, match="wanted one root, found 2"):
        read_hierarchies(tmp_path, ("age",))


def test_hierarchies_that_match_no_column_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "trees"
    folder.mkdir()
    (tmp_path / "people.csv").write_text("age,job\n31,cook\n44,cook\n")
    (folder / "ages.csv").write_text("31;30-39;*\n44;40-49;*\n")
    (folder / "readme.txt").write_text("what these\nfiles are\n")
    with pytest.raises(
        FileError, match=r"wanted a hierarchy for a column, such as age.csv, found ages.csv, readme.txt"
    ):
        read(tmp_path / "people.csv", hierarchies=folder)
    (folder / "job.csv").write_text("cook;*\n")
    notes: list[str] = []
    assert read(tmp_path / "people.csv", hierarchies=folder, notes=notes).hierarchies.keys() == {"job"}  # type: ignore[attr-defined]
    assert notes == [
        f"{folder}: ages.csv matches no column; the name of a hierarchy ends in the name of its column, "
        "which are age, job"
    ]


def test_data_among_the_hierarchies_are_not_named(tmp_path: Path) -> None:
    rows = "".join(f"{age},{'cook' if age % 2 else 'nurse'}\n" for age in range(30))
    (tmp_path / "people.csv").write_text("age,job\n" + rows)
    (tmp_path / "hierarchy_job.csv").write_text("cook;*\nnurse;*\n")
    notes: list[str] = []
    read(tmp_path / "people.csv", hierarchies=tmp_path, notes=notes)
    assert notes == []
