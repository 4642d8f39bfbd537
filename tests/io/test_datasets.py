"""Reading and writing datasets: which kind, which format, and every way a file can be wrong."""

from __future__ import annotations

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Mixed, Persons, Places, Table, Taxonomy, Trajectories, Transactions
from sfumato.errors import DataError, FileError
from sfumato.generate import Checkins
from sfumato.io import read, write, write_hierarchy
from sfumato.io.datasets import private_frame

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
WORD = TEXT.filter(lambda word: word.split() == [word])
FRAMES = st.sampled_from(["v.csv", "v.csv.gz", "v.parquet", "v.parquet.gz"])
LINES = st.sampled_from(["v.txt", "v.txt.gz", "v.dat", "v.dat.gz", "v.spmf", "v.spmf.gz"])
brief = settings(max_examples=50, deadline=None)


def through(data: Any, name: str, **options: Any) -> Any:
    """The dataset, written and read again."""
    with tempfile.TemporaryDirectory() as folder:
        write(data, Path(folder) / name)
        return read(Path(folder) / name, **options)


def people(data: Any) -> list[Any] | None:
    return None if data.persons is None else data.persons.names.gather(data.persons.codes).cast(pl.String).to_list()


# ---- written and read again


@st.composite
def trajectories(draw: st.DrawFn, names: st.SearchStrategy[str], *, empty: bool) -> Trajectories:
    records = draw(
        st.lists(st.lists(names, min_size=0 if empty else 1, max_size=4), min_size=1, max_size=6).filter(any)
    )
    who = draw(st.none() | st.lists(TEXT, min_size=len(records), max_size=len(records)))
    where = None
    if draw(st.booleans()):
        spots = {name for record in records for name in record}
        where = {name: (draw(st.floats(-99, 99)), draw(st.floats(-99, 99))) for name in spots}
    ids = draw(st.lists(TEXT, min_size=len(records), max_size=len(records), unique=True))
    data = Trajectories.from_lists(records, persons=who, ids=ids, places=where)
    if draw(st.booleans()):
        steps = [np.sort(draw(st.lists(st.floats(0, 1e9), min_size=len(r), max_size=len(r)))) for r in records]
        data = replace(data, times=np.concatenate(steps))
    return data


@brief
@given(trajectories(TEXT, empty=False), FRAMES)
def test_trajectories_survive_a_frame(data: Trajectories, name: str) -> None:
    again = through(data, name)
    assert isinstance(again, Trajectories)
    assert again.to_lists() == data.to_lists()
    assert again.names == data.names
    assert again.ids.to_list() == data.ids.to_list()  # type: ignore[union-attr]
    assert people(again) == people(data)
    assert (again.times is None) == (data.times is None)
    if data.times is not None:
        assert again.times.tolist() == data.times.tolist()
    assert (again.places is None) == (data.places is None)
    if data.places is not None:
        assert again.places.frame.equals(data.places.frame)


@brief
@given(trajectories(WORD, empty=True), LINES)
def test_trajectories_survive_lines(data: Trajectories, name: str) -> None:
    assert through(data, name, kind="trajectories").to_lists() == data.to_lists()


@brief
@given(st.lists(st.sets(TEXT, min_size=1, max_size=4), min_size=1, max_size=6), FRAMES, st.booleans())
def test_transactions_survive_a_frame(sets: list[set[str]], name: str, known: bool) -> None:
    data = Transactions.from_lists(
        [list(one) for one in sets], persons=[f"p{number % 2}" for number in range(len(sets))] if known else None
    )
    again = through(data, name)
    assert isinstance(again, Transactions)
    assert again.to_lists() == data.to_lists()
    assert people(again) == people(data)


@brief
@given(st.lists(st.sets(WORD, max_size=4), min_size=1, max_size=6).filter(any), st.sampled_from(["v.txt", "v.dat.gz"]))
def test_transactions_survive_lines(sets: list[set[str]], name: str) -> None:
    data = Transactions.from_lists([list(one) for one in sets])
    assert through(data, name, kind="transactions").to_lists() == data.to_lists()


ROW = st.tuples(
    st.none() | st.integers(-(10**15), 10**15), st.none() | st.floats(-1e9, 1e9), st.sampled_from(["02139", "x"])
)


@brief
@given(st.lists(ROW, min_size=1, max_size=6), FRAMES, st.booleans())
def test_tables_survive(rows: list[tuple[Any, ...]], name: str, known: bool) -> None:
    frame = pl.DataFrame(rows, schema={"n": pl.Int64, "f": pl.Float64, "zip code": pl.String}, orient="row")
    data = Table(frame, persons=Persons.of([f"0{number % 2}" for number in range(len(rows))]) if known else None)
    again = through(data, name, kind="table", columns={"person": "person"} if known else None)
    assert people(again) == people(data)
    assert again.frame.rows() == [tuple(None if cell is None else cell for cell in row) for row in frame.rows()]


@brief
@given(st.lists(st.tuples(st.integers(0, 9), st.sets(WORD, max_size=3)), min_size=1, max_size=6), FRAMES, st.booleans())
def test_mixed_records_survive(rows: list[tuple[int, set[str]]], name: str, known: bool) -> None:
    data = Mixed(
        Table({"age": [age for age, _ in rows]}, persons=Persons.of(range(len(rows))) if known else None),
        Transactions.from_lists([list(items) for _, items in rows]),
        "codes",
    )
    again = through(data, name, items="codes", columns={"person": "person"} if known else None)
    assert isinstance(again, Mixed)
    assert again.to_polars().rows() == data.to_polars().rows()
    assert people(again) == people(data)


def test_a_tidy_file_has_no_place_for_empty_records() -> None:
    assert through(Trajectories.from_lists([["a"], [], ["b"]]), "v.csv").to_lists() == [["a"], ["b"]]


def test_geographic_places_come_back_to_the_last_digit() -> None:
    places = Places.from_frame({"location": ["a", "b"], "lat": [41.9, 0.1], "lon": [-73.94526722258809, 2.35]})
    again = through(replace(Trajectories.from_lists([["a", "b", "a"]]), places=places), "v.csv")
    assert again.places.frame.equals(places.frame)


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (Table({"a": [1]}), "v.txt", "table cannot be written to a file that ends in '.txt'"),
        (
            Transactions.from_lists([["a"]]),
            "v.spmf.gz",
            "transactions cannot be written to a file that ends in '.spmf'",
        ),
        (Trajectories.from_lists([["a"]]), "v", "trajectories cannot be written to a file that ends in 'nothing'"),
        (Trajectories.from_lists([["a"]]), "v.xls", "trajectories cannot be written to a file that ends in '.xls'"),
    ],
)
def test_a_format_that_does_not_fit_is_refused(tmp_path: Path, data: Any, name: str, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        write(data, tmp_path / name)
    assert str(refusal.value) == f"{tmp_path / name}: {sentence}"
    assert list(tmp_path.iterdir()) == []


# ---- which kind


@pytest.mark.parametrize(
    ("name", "content", "options", "kind"),
    [
        ("v.csv", "trajectory,location\n1,a\n", {}, Trajectories),
        ("v.csv", "tid,poi\n1,a\n", {"columns": {"trajectory": "tid", "location": "poi"}}, Trajectories),
        ("v.csv", "trajectory,poi\n1,a\n", {"columns": {"location": "poi"}}, Trajectories),
        ("v.csv", "record,item\n1,a\n", {}, Transactions),
        ("v.csv", "record,product\n1,a\n", {"columns": {"item": "product"}}, Transactions),
        ("v.csv", "record,item\n1,a\n", {"kind": "table"}, Table),
        ("v.csv", "record,item\n1,a\n", {"items": "item"}, Mixed),
        ("v.csv", "age,items\n1,a b\n", {"kind": "mixed"}, Mixed),
        ("v.csv", "age,items\n1,a b\n", {}, Table),
        ("v.tsv", "record\titem\n1\ta\n", {}, Transactions),
        ("v.txt", "a b\n", {}, Trajectories),
        ("v.txt", "a b\n", {"kind": "transactions"}, Transactions),
        ("v.dat", "a b\n", {}, Transactions),
        ("v.dat", "a b\n", {"kind": "trajectories"}, Trajectories),
        ("v.spmf", "1 -1 -2\n", {}, Trajectories),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_the_file_or_the_caller_says_the_kind(
    tmp_path: Path, name: str, content: str, options: dict[str, Any], kind: type, zipped: bool
) -> None:
    path = tmp_path / (name + ".gz" * zipped)
    path.write_bytes(gzip.compress(content.encode()) if zipped else content.encode())
    assert type(read(path, **options)) is kind
    assert type(read(str(path), **options)) is kind


# ---- what is read


def load(tmp_path: Path, content: str, name: str = "v.csv", **options: Any) -> Any:
    (tmp_path / name).write_text(content)
    return read(tmp_path / name, **options)


def test_names_that_look_like_numbers_stay_texts(tmp_path: Path) -> None:
    data = load(tmp_path, "trajectory,person,location\n01,007,007\n1,7,7\n01,007,1e3\n")
    assert data.to_lists() == [["007", "1e3"], ["7"]]
    assert data.ids.to_list() == ["01", "1"]
    assert people(data) == ["007", "7"]
    assert load(tmp_path, "record,item\n01,10\n1,9\n").to_lists() == [["10"], ["9"]]
    data = load(tmp_path, "zip,codes,who\n02139,007,01\n10001,7,1\n", items="codes", columns={"person": "who"})
    assert data.items.to_lists() == [["007"], ["7"]]
    assert data.table["zip"].to_list() == ["02139", "10001"]
    assert people(data) == ["01", "1"]


def test_visits_sort_by_time_with_ties_in_file_order(tmp_path: Path) -> None:
    rows = ["2,c,10", "1,b,5", "2,a,9.5", "1,a,5", "2,b,10"]
    data = load(tmp_path, "trajectory,location,time\n" + "\n".join(rows))
    assert data.to_lists() == [["a", "c", "b"], ["b", "a"]]
    assert data.times.tolist() == [9.5, 10, 10, 5, 5]
    texts = [row.replace(",9.5", ",2026-01-01T09:30").replace(",10", ",2026-01-01T10:00:00") for row in rows]
    texts = [row.replace(",5", ",2026-01-01") for row in texts]
    assert (
        load(tmp_path, "trajectory;location;time\n" + "\n".join(texts).replace(",", ";")).to_lists() == data.to_lists()
    )


def test_other_columns_do_no_harm(tmp_path: Path) -> None:
    content = 'tid,user,lat,lon,day,poi,remark\n1,u,40.5,-73.5,Mo,x,"a, b"\n1,u,41.5,-72.5,Mo,x,\n2,v,0,0,Tu,y,\n'
    roles = {"trajectory": "tid", "location": "poi", "person": "user"}
    data = load(tmp_path, content, columns=roles)
    assert data.to_lists() == [["x", "x"], ["y"]]
    assert data.places.coordinates(["x"]).tolist() == [[-73.0, 41.0]]
    pl.read_csv(tmp_path / "v.csv").write_parquet(tmp_path / "v.parquet")
    again = read(tmp_path / "v.parquet", columns=roles)
    assert again.to_lists() == data.to_lists()
    assert again.places.frame.equals(data.places.frame)


def test_parquet_types_are_understood(tmp_path: Path) -> None:
    frame = pl.DataFrame({"trajectory": [2, 1, 2], "location": [7, 8, 9], "time": [3, 2, 1]})
    frame = frame.with_columns(pl.from_epoch("time"), pl.col("location").cast(pl.String).cast(pl.Categorical))
    frame.write_parquet(tmp_path / "v.parquet")
    data = read(tmp_path / "v.parquet")
    assert data.to_lists() == [["9", "7"], ["8"]]
    assert data.times.tolist() == [1, 3, 2]


def test_side_knowledge_is_attached(tmp_path: Path) -> None:
    places, tree = Places.planar({"a": (0, 0)}), Taxonomy({"*": None, "a": "*"})
    for name, content in (("v.csv", "trajectory,location\n1,a\n"), ("v.txt", "a\n"), ("v.spmf", "a -1 -2\n")):
        data = load(tmp_path, content, name, places=places, taxonomy=tree)
        assert data.places is places
        assert data.taxonomy is tree
    for name, content in (("v.csv", "record,item\n1,a\n"), ("v.dat", "a\n")):
        assert load(tmp_path, content, name, taxonomy=tree).taxonomy is tree
        assert load(tmp_path, content, name, hierarchies={"item": tree}).taxonomy is tree
    slots = load(tmp_path, "trajectory,location\n1,a@14\n", places=places)
    assert slots.places.coordinates(slots.names).tolist() == [[0, 0]]


def test_hierarchies_of_a_directory_are_attached(tmp_path: Path) -> None:
    folder = tmp_path / "h"
    folder.mkdir()
    write_hierarchy(Taxonomy({"*": None, "31": "*", "44": "*"}), folder / "h_age.csv")
    write_hierarchy(Taxonomy({"*": None, "x": "*"}), folder / "h_codes.csv")
    write_hierarchy(Taxonomy({"*": None, "y": "*"}), folder / "h_item.csv")
    table = load(tmp_path, "age,sex\n31,f\n44,m\n,m\n", hierarchies=folder, sensitive=("sex",))
    assert list(table.hierarchies) == ["age"]
    assert (table.quasi_identifiers, table.sensitive) == (("age",), ("sex",))
    mixed = load(tmp_path, "age,codes\n31,x\n", items="codes", hierarchies=str(folder), quasi_identifiers=("age",))
    assert list(mixed.table.hierarchies) == ["age"]
    assert mixed.items.taxonomy.leaves == ("x",)
    assert load(tmp_path, "y\n", "v.dat", hierarchies=folder).taxonomy.leaves == ("y",)
    assert load(tmp_path, "a\n", "v.txt", hierarchies=folder).taxonomy is None


# ---- bad input

TIDY = "trajectory,person,location,time\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "v.csv: the file is empty"),
        (TIDY, "v.csv: wanted at least one row, found none"),
        (TIDY + "1,zelda,a,1\n1,zelda,b", "v.csv, line 3: wanted a time, found nothing (is the file cut off?)"),
        (
            TIDY + "1,zelda,a,1\n1,zelda\n1,zelda,b,2\n",
            "v.csv, line 3: wanted a location, found nothing (is the file cut off?)",
        ),
        (TIDY + "1,zelda,a,1\n1,zelda,,2\n", "v.csv, line 3: wanted a location, found nothing (is the file cut off?)"),
        (TIDY + "1,zelda,a,1\n1,,a,2\n", "v.csv, line 3: wanted a person, found nothing (is the file cut off?)"),
        (TIDY + "1,zelda,a,1\n1,zelda,a,\n", "v.csv, line 3: wanted a time, found nothing (is the file cut off?)"),
        (
            TIDY + "1,zelda,a,1\n1,zelda,a,-1\n",
            "v.csv, line 3: wanted a time of 0 or later, found a negative or unreadable one",
        ),
        (
            TIDY + "1,zelda,a,1\n1,zelda,a,nan\n",
            "v.csv, line 3: wanted a time of 0 or later, found a negative or unreadable one",
        ),
        (
            TIDY + "1,zelda,a,1\n1,zelda,a,noon\n",
            "v.csv, line 3: wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text",
        ),
        (
            TIDY + "1,zelda,a,1\n" * 10_001 + "1,zelda,a,noon\n",
            "v.csv, line 10003: wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text",
        ),
        (
            TIDY + "1,zelda,a,2\n1,yves,a,1\n",
            "v.csv, line 3: wanted one person for each trajectory, found a second person",
        ),
        (
            TIDY + "2,zelda,a,1\n1,zelda,a,1\n2,yves,a,1\n",
            "v.csv, line 4: wanted one person for each trajectory, found a second person",
        ),
        (
            TIDY + "1,zelda,a,1,x\n",
            "v.csv, line 2: wanted as many fields as the header has, found a line with too many fields",
        ),
        (TIDY + '1,zelda,"a,1\n', "v.csv, line 2: wanted quotation marks in pairs, found one without its partner"),
        ((TIDY + "1,zelda,").encode() + b"\xe9,1\n", "v.csv, line 2: wanted text in UTF-8, found something else"),
        (
            "trajectory,location,lat,lon\n1,zelda,1,1\n1,b,1,east\n",
            "v.csv, line 3: wanted lon as a number between -180 and 180, found something else",
        ),
        ("trajectory,location,lat\n1,zelda,1\n", "v.csv: wanted both lat and lon, found only one of them"),
    ],
)
def test_a_csv_file_that_cannot_be_used(refused, content: str | bytes, sentence: str) -> None:
    assert refused("v.csv", content) == sentence
    raw = content.encode() if isinstance(content, str) else content
    assert refused("v.csv.gz", gzip.compress(raw)) == sentence.replace("v.csv", "v.csv.gz")


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (
            "id,spot\n1,a\n",
            {"kind": "trajectories"},
            "v.csv: wanted the columns trajectory, location, found id, spot; "
            "say which column is which, such as trajectory=id,location=spot",
        ),
        (
            "tid,poi\n1,a\n",
            {"kind": "transactions"},
            "v.csv: wanted the columns record, item, found tid, poi; "
            "say which column is which, such as record=tid,item=poi",
        ),
        (
            "tid,poi\n1,a\n",
            {"columns": {"location": "pois"}},
            "v.csv: wanted a column 'pois' for location, found none; did you mean 'poi'?",
        ),
        (
            "tid,poi\n1,a\n",
            {"columns": {"place": "poi"}, "kind": "trajectories"},
            "v.csv: wanted a known column role, found 'place'; "
            "known are lat, location, lon, person, time, trajectory, x, y",
        ),
        (
            "tid,poi\n1,a\n",
            {"items": "pois"},
            "v.csv: wanted a column 'pois' of items, found none; did you mean 'poi'?",
        ),
        ("id,job\n1,a\n", {"sensitive": ("pay",)}, "v.csv: wanted a column 'pay', found none; known are id, job"),
        (
            "tid,poi\n1,a\n,b\n",
            {"columns": {"person": "tid"}},
            "v.csv, line 3: wanted a person, found nothing (is the file cut off?)",
        ),
        ("tid,poi\n", {}, "v.csv: wanted at least one row, found none"),
        ("tid,poi\n", {"items": "poi"}, "v.csv: wanted at least one row, found none"),
        ("age,sex\n31,f\n44\n", {}, "v.csv, line 3: wanted a sex, found nothing (is the file cut off?)"),
        ("record,item\n1,zelda\n2,\n", {}, "v.csv, line 3: wanted an item, found nothing (is the file cut off?)"),
    ],
)
def test_columns_that_do_not_fit(refused, content: str, options: dict[str, Any], sentence: str) -> None:
    assert refused("v.csv", content, **options) == sentence


def test_rows_of_a_parquet_file_are_named(refused, tmp_path: Path) -> None:
    def content(**columns: list[Any]) -> bytes:
        pl.DataFrame(columns).write_parquet(tmp_path / "made.parquet")
        return (tmp_path / "made.parquet").read_bytes()

    assert refused("v.parquet", content(trajectory=[1, 2], location=["zelda", None])) == (
        "v.parquet, row 2: wanted a location, found nothing (is the file cut off?)"
    )
    assert refused("v.parquet", content(trajectory=[1.0, float("nan")], location=["zelda", "b"])) == (
        "v.parquet, row 2: wanted a trajectory, found nothing (is the file cut off?)"
    )
    assert refused("v.parquet", content(trajectory=[1, 1], location=["zelda", "b"], time=[1, -1])) == (
        "v.parquet, row 2: wanted a time of 0 or later, found a negative or unreadable one"
    )
    assert refused("v.parquet", content(tid=[1]), kind="trajectories") == (
        "v.parquet: wanted the columns tid, location, found tid"
    )


def test_endings_and_kinds_that_do_not_fit(refused) -> None:
    wanted = "wanted a file that ends in .csv, .tsv, .parquet, .xlsx, .txt, .dat or .spmf, found"
    assert refused("v.xls", "zelda") == f"v.xls: {wanted} '.xls'"
    assert refused("v", "zelda") == f"v: {wanted} no ending"
    assert refused("v.gz", "zelda") == f"v.gz: {wanted} no ending"
    assert (
        refused("v.txt", "zelda", kind="table")
        == "v.txt: wanted trajectories or transactions in a .txt file, found kind 'table'"
    )
    assert (
        refused("v.spmf", "zelda", kind="transactions")
        == "v.spmf: wanted trajectories in a .spmf file, found kind 'transactions'"
    )
    assert refused("v.txt", "zelda", columns={"location": "poi"}) == (
        "v.txt: wanted a file with columns for 'location', found lines of names; use a .csv"
    )


def test_a_directory_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"\.spmf, found a directory without a certificate$"):
        read(tmp_path)


def test_a_kind_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"^wanted a known kind of data, found 'trajectory'; did you mean 'trajectories'\?$"
    ):
        read(tmp_path / "v.csv", kind="trajectory")


@pytest.mark.parametrize("name", ["v.csv", "v.parquet", "v.txt", "v.spmf", "v.csv.gz"])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError) as refusal:
        read(tmp_path / name)
    assert str(refusal.value) == f"{tmp_path / name}: no such file"


def test_side_knowledge_that_does_not_know_everything(tmp_path: Path) -> None:
    tree = Taxonomy({"*": None, "a": "*"})
    sentences = {
        "wanted a place for every location, found none for 1 of 2": (
            "a b\n",
            "v.txt",
            {"places": Places.planar({"a": (0, 0)})},
        ),
        "wanted a leaf for every location of the data, found none for 1": ("a b\n", "v.txt", {"taxonomy": tree}),
        "wanted a leaf for every item of the data, found none for 1": ("a b\n", "v.dat", {"taxonomy": tree}),
        "the hierarchy of 'age' lacks 1 value that occurs in the data, first seen here": (
            "age\n31\n",
            "v.csv",
            {"hierarchies": {"age": tree}},
        ),
        "wanted a leaf for every item of the data, found none for 2": (
            "age,items\n31,c d\n",
            "v.csv",
            {"items": "items", "taxonomy": tree},
        ),
    }
    for sentence, (content, name, options) in sentences.items():
        with pytest.raises(DataError) as refusal:
            load(tmp_path, content, name, **options)
        assert str(refusal.value).partition(": ")[2] == sentence


def test_a_value_outside_its_hierarchy_is_named_by_column_and_line(tmp_path: Path) -> None:
    trees = {"town": Taxonomy({"*": None, "Rome": "*"}), "age": Taxonomy({"*": None, "30": "*"})}
    with pytest.raises(DataError) as refusal:
        load(tmp_path, "age,town\n30,Rome\n,\n30,Oslo\n30,Bari\n", hierarchies=trees)
    sentence = "line 4: the hierarchy of 'town' lacks 2 values that occur in the data, first seen here"
    assert str(refusal.value).partition(", ")[2] == sentence
    assert len(load(tmp_path, "age,town\n30.0,Rome\n,\n", hierarchies=trees)) == 2  # nothing is at home anywhere


@pytest.mark.parametrize("ending", ["csv", "parquet", "csv.gz"])
@pytest.mark.parametrize(
    "data",
    [
        Checkins(trajectories=50, locations=9, persons=8).make(seed=1),
        Trajectories.from_lists([["a", "b"], [], ["c"], []]),
        replace(Trajectories.from_lists([["a", "b"]] * 5), times=np.arange(10)),
        Trajectories.from_lists([]),
        Transactions.from_lists(["ab", "c"]),
    ],
)
def test_records_that_are_written_in_batches_are_the_whole_frame(
    data: Trajectories | Transactions, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.io.datasets._BATCH", 7)
    path, frame = tmp_path / f"data.{ending}", private_frame(data)
    write(data, path)
    read_back = pl.read_parquet(path) if ending == "parquet" else pl.read_csv(path, schema_overrides=frame.schema)
    assert read_back.equals(frame)
    if ending == "csv":
        assert path.read_text() == frame.write_csv()
