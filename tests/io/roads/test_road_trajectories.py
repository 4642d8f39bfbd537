"""Road trajectories in files: private ones beside their network, and the published directory."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import STREETS, turns
from sfumato.data import RoadTrajectories
from sfumato.errors import FileError
from sfumato.io import read, write, write_network
from sfumato.io.published import directory as published
from sfumato.io.published.certificate import Certificate

CERTIFICATE = Certificate(
    version="0", kind="roads", unit="record", method="test", parameters={}, seeded=False,
    guarantees=(), records={}, not_covered=(),
)  # fmt: skip
DRIVES = "trajectory,road,direction,time\n7,r1,+,0\n7,r2,+,30\n8,r5,-,5\n"


def publish(data: RoadTrajectories, folder: Path) -> Path:
    return published.write(data, replace(CERTIFICATE, records={"published": len(data)}), folder / "out")


@pytest.fixture
def streets(tmp_path: Path) -> Path:
    write_network(STREETS, tmp_path / "streets")
    return tmp_path / "streets"


@pytest.mark.parametrize("name", ["drives.csv", "drives.csv.gz", "drives.parquet", "drives.parquet.gz"])
def test_private_files_come_back(streets: Path, tmp_path: Path, name: str) -> None:
    data = RoadTrajectories.from_lists(
        [["r1+", "r2+"], ["r5-"]], network=STREETS, times=[[0, 1.5], [2]], persons=["ann", "bob"], ids=["007", "7"]
    )
    write(data, tmp_path / name)
    again = read(tmp_path / name, network=streets)
    assert again.kind == "roads"
    assert again.to_polars().equals(data.to_polars())
    assert again.network.to_frames()[1].equals(STREETS.to_frames()[1])


def test_other_columns_and_a_network_at_hand(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("tid;street;sense;who\n1;r1;+;ann\n1;r6;+;ann\n")
    columns = {"trajectory": "tid", "road": "street", "direction": "sense", "person": "who"}
    data = read(tmp_path / "d.csv", columns=columns, network=STREETS)
    assert data.to_lists() == [["r1+", "r6+"]]
    assert data.unit == "person"


def test_a_file_of_roads_is_told_by_its_columns(streets: Path, tmp_path: Path) -> None:
    path = tmp_path / "drives.csv"
    path.write_text(DRIVES)
    assert read(path, network=streets).kind == "roads"
    with pytest.raises(FileError) as refused:
        read(path)
    assert str(refused.value) == (
        f"{path}: road trajectories need the network of their roads; give the network of the roads"
    )
    (tmp_path / "visits.csv").write_text("trajectory,location\n1,a\n")
    with pytest.raises(FileError, match="for the network that was given"):
        read(tmp_path / "visits.csv", network=streets)
    (tmp_path / "visits.txt").write_text("a b\n")
    with pytest.raises(FileError, match=r"wanted road trajectories in a \.csv or \.parquet file, found '\.txt'"):
        read(tmp_path / "visits.txt", kind="roads", network=streets)


JUMP = (
    "drives.csv, line 3: wanted a road that begins where the one before it ends, found a jump; "
    "split_jumps=True begins a new trajectory there"
)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("trajectory,road,direction\n7,r1,+\n7,r3,+\n", JUMP),
        (DRIVES.replace("r5", "zelda"), "drives.csv, line 4: wanted a road of the network, found another; "
         "rows with such roads: 1"),
        (DRIVES.replace("30", "-30"), "drives.csv, line 3: wanted a time of 0 or later, found a negative or "
         "unreadable one"),
        ("trajectory,road,direction,time\n7,r1,+,9\n7,r2,+,8\n", "drives.csv, line 3: wanted times that do not fall "
         "within a trajectory, found a time before the previous one"),
        ("trajectory,road,direction\n7,r1,zelda\n", "drives.csv, line 2: wanted direction as + or -, found something "
         "else"),
        ("trajectory,road,direction\n", "drives.csv: wanted at least one row, found none"),
        ("trajectory,road,direction\n7,r1,+\n7,r2\n", "drives.csv, line 3: wanted a direction, found nothing (is the "
         "file cut off?)"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(refused: Callable[..., str], content: str, problem: str) -> None:
    assert refused("drives.csv", content, network=STREETS) == problem


def test_a_jump_splits_where_asked(tmp_path: Path) -> None:
    (tmp_path / "drives.csv").write_text("trajectory,road,direction\n7,r1,+\n7,r3,+\n8,r1,+\n")
    data = read(tmp_path / "drives.csv", network=STREETS, split_jumps=True)
    assert data.to_lists() == [["r1+"], ["r3+"], ["r1+"]]
    assert data.ids.to_list() == ["7/1", "7/2", "8"]


# ---- published


@settings(max_examples=50)
@given(st.lists(st.tuples(st.lists(st.integers(0, 9), max_size=4), st.sampled_from(["8-9", "9-10", "10-11"]))))
def test_what_is_published_is_read(rows: list[tuple[list[int], str]]) -> None:
    data = RoadTrajectories.from_lists(
        [turns(row) for row, _ in rows], network=STREETS, intervals=[when for _, when in rows]
    ).published()[0]
    with tempfile.TemporaryDirectory() as folder:
        found = published.read(publish(data, Path(folder)))
    assert found.problems == ()
    again = found.data
    assert (
        again.to_polars()
        .select("road", "direction", "interval")
        .equals(data.to_polars().select("road", "direction", "interval"))
    )
    assert again.offsets.tolist() == data.offsets.tolist()
    assert again.names == data.names
    assert again.interval_names == data.interval_names
    assert (again.ids, again.persons, again.times) == (None, None, None)
    seen, order = again.published()
    assert order.tolist() == list(range(len(again)))
    assert seen.to_polars().equals(data.to_polars())


def test_the_files(tmp_path: Path) -> None:
    data = RoadTrajectories.from_lists([["r2+"], ["r1+", "r6+"]], network=STREETS, persons="ab").published()[0]
    out = publish(data, tmp_path)
    assert (out / "data.csv").read_text() == (
        "trajectory,step,interval,road,direction\n1,1,all,r1,+\n1,2,all,r6,+\n2,1,all,r2,+\n"
    )
    roads = (out / "context" / "roads.csv").read_text()
    assert roads.count("\n") == 7, "the whole network, not the roads that were driven"
    assert (out / "context" / "nodes.csv").read_text().startswith("node,x,y\nn1,0.0,0.0\n")


PROBLEMS = [
    ("data.csv", "2,1,all,r2,+", "2,1,all,r9,+", "line 4: wanted a road of the network"),
    ("data.csv", "1,2,all,r6,+", "1,2,all,r4,+", "line 3: wanted a road that begins where the one before it ends"),
    ("data.csv", "1,2,all,r6,+", "1,3,all,r6,+", "line 3: wanted the steps of a trajectory from 1 upwards"),
    ("data.csv", "1,2,all,r6,+", "1,2,late,r6,+", "line 3: wanted one interval for each trajectory"),
    ("data.csv", "2,1,all,r2,+", "2,1,all,r2,*", "line 4: wanted direction as + or -"),
    ("data.csv", "interval", "when", "wanted the columns trajectory, step, interval, road, direction"),
    ("context/roads.csv", "n5", "n9", "line 7: wanted a known node in the column 'to'"),
]


@pytest.mark.parametrize(("file", "old", "new", "problem"), PROBLEMS, ids=[problem[-1] for problem in PROBLEMS])
def test_tampered_releases(tmp_path: Path, file: str, old: str, new: str, problem: str) -> None:
    data = RoadTrajectories.from_lists([["r2+"], ["r1+", "r6+"]], network=STREETS).published()[0]
    out = publish(data, tmp_path)
    (out / file).write_text((out / file).read_text().replace(old, new))
    found = published.read(out)
    assert found.data is None
    assert found.problems == (f"{file} was altered: its digest is not the one in the certificate",)
    told = json.loads((out / "certificate.json").read_text())
    told["files"][file] = hashlib.sha256((out / file).read_bytes()).hexdigest()
    (out / "certificate.json").write_text(json.dumps(told))
    found = published.read(out)
    assert found.data is None
    assert problem in found.problems[-1]


def test_nothing_published(tmp_path: Path) -> None:
    data = RoadTrajectories.from_lists([], network=STREETS).published()[0]
    again = published.read(publish(data, tmp_path)).data
    assert len(again) == 0
    assert len(again.network) == 5
