"""The published directory: what is written is read, and what was altered is told."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Dataset, Mixed, Persons, Places, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.labels.flat_members import nested_label
from sfumato.errors import Bug, FileError, OutputError
from sfumato.io.published import directory as published
from sfumato.io.published.certificate import Certificate

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
WORD = TEXT.filter(lambda word: word.split() == [word])
brief = settings(max_examples=50, deadline=None)

ROLES = "wanted one of the roles quasi-identifier, sensitive, other, items"


def certificate(data: Dataset, **changed: Any) -> Certificate:
    whole = Certificate(
        version="0",
        kind=data.kind,
        unit="record",
        method="test",
        parameters={"k": 2},
        seeded=False,
        guarantees=(),
        records={"published": len(data)},
        not_covered=(),
    )
    return replace(whole, **changed)


def through(data: Any) -> Any:
    """The dataset, published and read again without a complaint."""
    with tempfile.TemporaryDirectory() as folder:
        out = published.write(data, certificate(data), Path(folder) / "out")
        found = published.read(out)
    assert found.problems == ()
    assert replace(found.certificate, files=None) == certificate(data)
    assert type(found.data) is type(data)
    return found.data


# ---- all four shapes survive


@brief
@given(st.lists(st.lists(TEXT, min_size=1, max_size=4), max_size=6), st.data())
@pytest.mark.parametrize("shape", [Trajectories, Transactions])
def test_trajectories_and_transactions_survive(shape: Any, rows: list[list[str]], draw: st.DataObject) -> None:
    data = shape.from_lists(rows).published()[0]
    groups = st.lists(TEXT, min_size=1, max_size=3).map(tuple)
    labels = st.dictionaries(st.sampled_from(data.names), groups) if data.names else st.just({})
    members = draw.draw(labels.filter(lambda drawn: nested_label(drawn) is None))
    data = replace(data, members=dict(sorted(members.items())))
    again = through(data)
    assert again.to_lists() == data.to_lists()
    assert again.names == data.names
    assert again.members == {label: tuple(sorted(group)) for label, group in data.members.items()}
    assert (again.ids, again.persons) == (None, None)
    assert again.published()[0].to_lists() == again.to_lists()


CELLS = st.fixed_dictionaries({"age": st.none() | st.integers(0, 99), "job": st.none() | TEXT | st.just("")})


@brief
@given(st.lists(CELLS, max_size=6), st.booleans())
def test_tables_survive_as_texts(rows: list[dict[str, Any]], grouped: bool) -> None:
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "job": pl.String, "note": pl.String})
    members = {"job": {"g1": ("cook", "smith")}} if grouped else {}
    data = Table(frame, quasi_identifiers=("age",), sensitive=("job",), members=members).published()[0]
    again = through(data)
    assert again.frame.equals(data.frame.cast(pl.String))
    assert (again.quasi_identifiers, again.sensitive) == (("age",), ("job",))
    assert again.role("note") == "other"
    assert again.members == data.members


@brief
@given(st.lists(st.none() | TEXT, max_size=6))
def test_a_table_of_one_column_keeps_its_missing_values(cells: list[str | None]) -> None:
    data = Table(pl.DataFrame({"job": pl.Series(cells, dtype=pl.String)})).published()[0]
    assert through(data).frame.equals(data.frame)


@brief
@given(st.lists(st.tuples(st.integers(0, 3), st.sets(WORD, max_size=3)), max_size=6), st.booleans())
def test_mixed_records_survive(rows: list[tuple[int, set[str]]], grouped: bool) -> None:
    table = Table(pl.DataFrame({"age": [age for age, _ in rows]}, schema={"age": pl.String}, strict=False))
    if grouped:
        table = replace(table, members={"age": {"[0:3]": ("0", "3")}})
    items = Transactions.from_lists([list(items) for _, items in rows])
    data = Mixed(table, items, "codes").published()[0]
    data = replace(data, items=replace(data.items, members=dict.fromkeys(data.items.names[:1], ("x", "y"))))
    again = through(data)
    assert again.to_polars().equals(data.to_polars())
    assert again.column == "codes"
    assert again.table.members == data.table.members
    assert again.items.members == data.items.members


# ---- what is in the directory


@pytest.fixture
def walks() -> Trajectories:
    rows = [["g1", "007"], ["007"], ["g1", "g1"]]
    return replace(Trajectories.from_lists(rows).published()[0], members={"g1": ("a", "b")})


@pytest.fixture
def out(walks: Trajectories, tmp_path: Path) -> Path:
    return published.write(walks, certificate(walks), tmp_path / "out")


def test_the_files_and_their_digests(out: Path) -> None:
    assert sorted(file.relative_to(out).as_posix() for file in out.rglob("*")) == [
        "certificate.json",
        "data.csv",
        "members.csv",
    ]
    assert (out / "data.csv").read_text() == "trajectory,step,location\n1,1,007\n2,1,g1\n2,2,007\n3,1,g1\n3,2,g1\n"
    assert (out / "members.csv").read_text() == "attribute,label,member\nlocation,g1,a\nlocation,g1,b\n"
    digests = json.loads((out / "certificate.json").read_text())["files"]
    assert digests == {
        name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in ("data.csv", "members.csv")
    }


def test_the_files_of_a_table(tmp_path: Path) -> None:
    table = Table(
        {"age": ["[19:22]", "[23:29]"], "pay": [1, 2], "x": [3, 4]}, quasi_identifiers=("age",), sensitive=("pay",)
    )
    out = published.write(table, certificate(table), tmp_path / "out")
    assert (out / "data.csv").read_text() == "age,pay,x\n[19:22],1,3\n[23:29],2,4\n"
    assert (out / "context" / "roles.csv").read_text() == "column,role\nage,quasi-identifier\npay,sensitive\nx,other\n"
    assert not (out / "members.csv").exists()


def test_the_files_of_transactions(tmp_path: Path) -> None:
    data = Transactions.from_lists([["milk", "beer"], ["beer"]]).published()[0]
    out = published.write(data, certificate(data), tmp_path / "out")
    assert (out / "data.csv").read_text() == "record,item\n1,beer\n2,beer\n2,milk\n"


@pytest.mark.parametrize(
    "data",
    [
        Trajectories.from_lists([["a"]]),
        replace(Trajectories.from_lists([["a"]]).published()[0], persons=Persons.of(["zelda"])),
        replace(Trajectories.from_lists([["a"]]).published()[0], times=np.zeros(1)),
        Table({"age": [1]}, persons=Persons.of(["zelda"])),
        Mixed.from_frame({"age": [1], "items": ["a"], "who": ["zelda"]}, columns={"person": "who"}),
    ],
    ids=["ids", "persons", "times", "table", "mixed"],
)
def test_private_knowledge_is_never_written(data: Any, tmp_path: Path) -> None:
    with pytest.raises(Bug, match=r"^a dataset with ids, persons, times or workplaces was about to be"):
        published.write(data, certificate(data), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(out: Path, walks: Trajectories) -> None:
    before = (out / "certificate.json").read_text()
    with pytest.raises(OutputError, match="out: exists already"):
        published.write(walks, certificate(walks), out)
    assert (out / "certificate.json").read_text() == before


# ---- what was altered


def altered(out: Path, name: str, change: Callable[[str], str], *, recompute: bool = False) -> published.Published:
    """Change a file by hand, and perhaps its digest with it."""
    (out / name).write_text(change((out / name).read_text()))
    if recompute:
        told = json.loads((out / "certificate.json").read_text())
        told["files"][name] = hashlib.sha256((out / name).read_bytes()).hexdigest()
        (out / "certificate.json").write_text(json.dumps(told))
    return published.read(out)


def test_an_altered_file_is_told_and_not_parsed(out: Path) -> None:
    found = altered(out, "data.csv", lambda text: text.replace("1,1,007", "1,1,g1"))
    assert found.problems == ("data.csv was altered: its digest is not the one in the certificate",)
    assert found.data is None
    found = altered(out, "data.csv", lambda text: text, recompute=True)
    assert found.problems == ()
    assert found.data.to_lists() == [["g1"], ["g1", "007"], ["g1", "g1"]]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("data.csv", "", "data.csv: the file is empty"),
        (
            "data.csv",
            "trajectory,location\n1,a\n",
            "data.csv: wanted the columns trajectory, step, location, found trajectory, location",
        ),
        (
            "data.csv",
            "trajectory,step,location\n1,1,\n",
            "data.csv, line 2: wanted a location, found nothing (is the file cut off?)",
        ),
        (
            "data.csv",
            "trajectory,step,location\n1,-1,a\n",
            "data.csv, line 2: wanted a time of 0 or later, found a negative or unreadable one",
        ),
        ("data.csv", "trajectory,step,location\n1,1,a\n", "members.csv: wanted labels that data.csv uses, found 'g1'"),
        (
            "members.csv",
            "label,member\ng1,a\n",
            "members.csv: wanted the columns attribute, label, member, found label, member",
        ),
        (
            "members.csv",
            "attribute,label,member\nlocation,,a\n",
            "members.csv, line 2: wanted an attribute, a label and a member, found nothing",
        ),
        (
            "members.csv",
            "attribute,label,member\nlocation,g9,a\n",
            "members.csv: wanted labels that data.csv uses, found 'g9'",
        ),
    ],
)
def test_files_that_cannot_be_used_are_problems(out: Path, name: str, content: str, problem: str) -> None:
    found = altered(out, name, lambda _: content, recompute=True)
    assert found.data is None
    assert found.problems == (f"{out}/{problem}",)


def test_a_missing_file(out: Path) -> None:
    (out / "members.csv").unlink()
    assert published.read(out).problems == ("members.csv is missing",)
    (out / "data.csv").unlink()
    found = published.read(out)
    assert found.problems == ("data.csv is missing", "members.csv is missing")
    assert found.data is None


def test_an_added_file(out: Path) -> None:
    (out / "context").mkdir()
    (out / "context" / "roles.csv").write_text("column,role\n")
    (out / "ids.csv").write_text("1,zelda\n")
    assert published.read(out).problems == (
        "context/roles.csv is not listed in the certificate",
        "ids.csv is not listed in the certificate",
    )


def test_a_certificate_cannot_vouch_for_a_file_elsewhere(out: Path) -> None:
    secret = out.parent / "secret.csv"
    secret.write_text("x")
    told = json.loads((out / "certificate.json").read_text())
    told["files"]["../secret.csv"] = hashlib.sha256(b"x").hexdigest()
    (out / "certificate.json").write_text(json.dumps(told))
    with pytest.raises(FileError, match=r"in 'files', found '\.\./secret\.csv'$"):
        published.read(out)


def test_another_number_of_records(walks: Trajectories, tmp_path: Path) -> None:
    other = published.write(walks, certificate(walks, records={"published": 4}), tmp_path / "other")
    assert published.read(other).problems == ("the certificate states 4 records, data.csv holds 3",)
    silent = published.write(walks, certificate(walks, records={}), tmp_path / "silent")
    assert published.read(silent).problems == ()


@pytest.mark.parametrize("kind", ["graph", None, ["table"]])
def test_another_kind_of_data(walks: Trajectories, tmp_path: Path, kind: Any) -> None:
    out = published.write(walks, certificate(walks, kind=kind), tmp_path / "out")
    wanted = "wanted one of trajectories, roads, transactions, chunks, table, mixed in 'kind', found something else"
    with pytest.raises(FileError, match=f"{wanted}$"):
        published.read(out)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "context/roles.csv",
            "column,kind\n",
            "context/roles.csv: wanted the columns column, role, found column, kind",
        ),
        (
            "context/roles.csv",
            "column,role\nage,\n",
            "context/roles.csv, line 2: {ROLES}, found another",
        ),
        (
            "context/roles.csv",
            "column,role\nage,other\ncodes,goods\n",
            "context/roles.csv, line 3: {ROLES}, found another",
        ),
        (
            "context/roles.csv",
            "column,role\ncodes,items\n",
            "context/roles.csv: wanted the columns of data.csv (age, codes) in their order, found others",
        ),
        (
            "data.csv",
            "sex,codes\n1,a\n",
            "context/roles.csv: wanted the columns of data.csv (sex, codes) in their order, found others",
        ),
        (
            "data.csv",
            "age\n1\n",
            "context/roles.csv: wanted the columns of data.csv (age) in their order, found others",
        ),
        (
            "context/roles.csv",
            "column,role\nage,other\ncodes,other\n",
            "context/roles.csv: wanted one column of items in mixed data and none in a table, found another number",
        ),
    ],
)
def test_tables_that_cannot_be_used_are_problems(tmp_path: Path, name: str, content: str, problem: str) -> None:
    data = Mixed.from_frame({"age": [1], "codes": ["a"]}, items="codes").published()[0]
    out = published.write(data, certificate(data), tmp_path / "out")
    found = altered(out, name, lambda _: content, recompute=True)
    assert found.data is None
    assert found.problems == (f"{out}/{problem.format(ROLES=ROLES)}",)


# ---- no directory, no certificate


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\xff{}", "wanted text in UTF-8, found something else"),
        (b'{\n"kind": trajectories}', "wanted JSON, found something else"),
        (b"[]", "wanted an object with the fields of a certificate, found something else"),
        (
            b'{"kind": "table"}',
            "found no sfumato, unit, method, parameters, seeded, guarantees, records, not_covered, files",
        ),
    ],
)
def test_an_unreadable_certificate(out: Path, content: bytes, sentence: str) -> None:
    (out / "certificate.json").write_bytes(content)
    with pytest.raises(FileError) as refusal:
        published.read(out)
    assert str(refusal.value).startswith(f"{out}/certificate.json")
    assert str(refusal.value).endswith(sentence)


@pytest.mark.parametrize(
    ("field", "shape"), [("guarantees", "a list"), ("records", "an object"), ("files", "an object")]
)
def test_a_certificate_of_another_shape(out: Path, field: str, shape: str) -> None:
    told = json.loads((out / "certificate.json").read_text())
    (out / "certificate.json").write_text(json.dumps(told | {field: "none"}))
    with pytest.raises(FileError, match=rf"wanted {shape} in '{field}', found something else$"):
        published.read(out)


def test_no_certificate_and_no_directory(out: Path) -> None:
    (out / "certificate.json").unlink()
    with pytest.raises(FileError) as refusal:
        published.read(out)
    assert str(refusal.value) == f"{out}: wanted a published directory, found one without certificate.json"
    for nothing in (out / "nowhere", out / "data.csv"):
        with pytest.raises(FileError) as refusal:
            published.read(nothing)
        assert str(refusal.value) == f"{nothing}: wanted a published directory, found none"


def test_the_context_holds_the_whole_of_what_the_verifier_needs_and_nothing_else(tmp_path: Path) -> None:
    frame = {"location": ["a", "b", "c"], "owner": ["A", None, "C"], "sensitive": [False, True, False], "category": "x"}
    places = Places.from_frame(pl.DataFrame(frame))
    tree = Taxonomy({"all": None, "a": "all", "b": "all", "c, d": "all"}, sensitive=["b"])
    walks = Trajectories.from_lists([["a"]], places=places, taxonomy=tree).published()[0]
    told = certificate(walks)
    published.write(walks, told, tmp_path / "plain")
    assert not (tmp_path / "plain" / "context").exists()
    published.write(walks, told, tmp_path / "out", context={"owner", "taxonomy"})
    text = (tmp_path / "out" / "context" / "places.csv").read_text()
    assert text == "location,owner\na,A\nb,\nc,C\n"  # places nobody visited too, no further facts
    back = published.read(tmp_path / "out")
    assert back.problems == ()
    assert back.data.owners == {"a": "A"}
    assert back.data.taxonomy == tree
