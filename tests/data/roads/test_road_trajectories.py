"""Road trajectories from lists and frames, and back; what is no path is refused with its line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import STREETS, turns
from sfumato.data import Network, RoadTrajectories
from sfumato.data.frames import Source
from sfumato.data.queries import Query
from sfumato.data.roads.intervals import in_natural_order
from sfumato.errors import Bug, DataError, FileError, MissingKnowledge
from sfumato.privacy.strict_k import StrictKAnonymity

#        c
#   r1  / \  r2     r1 leads from a to c, r2 from b to c, r3 from a to b
#      a---b
TOWN = Network.from_frames(
    {"node": ["a", "b", "c"], "x": [0, 6, 3], "y": [0, 0, 4]},
    {"road": ["r1", "r2", "r3"], "from": ["a", "b", "a"], "to": ["c", "c", "b"]},
)
ROWS: dict[str, list[Any]] = {
    "trajectory": ["t2", "t1", "t2", "t1", "t2"],
    "person": ["u", "v", "u", "v", "u"],
    "road": ["r1", "r3", "r2", "r3", "r3"],
    "direction": ["+", "+", "-", "-", "-"],
    "time": [10, 10, 20, 10, 40],
}
FILE = Source("drives.csv", file=True, first_line=2)


@pytest.mark.parametrize("frame", [pl.DataFrame(ROWS), pd.DataFrame(ROWS), pa.table(ROWS), ROWS])
def test_frames_of_any_make(frame: Any) -> None:
    data = RoadTrajectories.from_frame(frame, network=TOWN)
    assert data.to_lists() == [["r1+", "r2-", "r3-"], ["r3+", "r3-"]]
    assert data.ids.to_list() == ["t2", "t1"]
    assert data.persons.names.gather(data.persons.codes).to_list() == ["u", "v"]
    assert data.times.tolist() == [10, 20, 40, 10, 10]
    again = RoadTrajectories.from_frame(data.to_polars(), network=TOWN)
    assert again.to_polars().equals(data.to_polars())
    assert data.to_polars().columns == ["trajectory", "person", "road", "direction", "time"]


def test_names_know_their_nodes() -> None:
    data = RoadTrajectories.from_lists([["r1+", "r2-", "r3-"]], network=TOWN)
    assert data.names == ("r1+", "r2-", "r3-")
    assert data.road.tolist() == [0, 1, 2]
    assert data.forward.tolist() == [True, False, False]
    assert [TOWN.nodes[int(node)] for node in data.tails] == ["a", "c", "b"]
    assert [TOWN.nodes[int(node)] for node in data.heads] == ["c", "b", "a"]


def test_a_road_may_be_called_like_a_direction() -> None:
    town = Network.from_frames(
        {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["+-", "-"], "from": ["a", "b"], "to": ["b", "a"]}
    )
    data = RoadTrajectories.from_lists([["+-+", "-+"]], network=town)
    assert data.to_polars().select("road", "direction").rows() == [("+-", "+"), ("-", "+")]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"direction": ["+", "+", "+", "-", "-"]}, "line 4: wanted a road that begins where the one before it ends, "
         "found a jump; split_jumps=True begins a new trajectory there"),
        ({"road": ["r1", "r9", "r2", "r9", "r3"]},
         "line 3: wanted a road of the network, found another; rows with such roads: 2"),
        ({"direction": ["+", "+", "-", "forward", "-"]}, "line 5: wanted direction as + or -, found something else"),
        ({"direction": [1, 1, -1, -1, -1]}, "line 2: wanted direction as + or -, found something else"),
        ({"time": [10, 10, 20, 9, 40]},
         "line 5: wanted times that do not fall within a trajectory, found a time before the previous one"),
        ({"time": [10, 10, -20, 10, 40]}, "line 4: wanted a time of 0 or later, found a negative or unreadable one"),
        ({"road": ["r1", "r3", None, "r3", "r3"]}, "line 4: wanted a road, found nothing (is the file cut off?)"),
        ({"person": ["u", "v", "w", "v", "u"]}, "line 4: wanted one person for each trajectory, found "
         "a second person"),
        ({"interval": ["am", "am", "pm", "am", "am"]}, "line 4: wanted one interval for each trajectory, found "
         "a second one"),
        ({"interval": ["am", "am", "am", "", "am"]}, "line 5: wanted an interval, found nothing (is the file cut "
         "off?)"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_rows_that_cannot_be(changed: dict[str, list[Any]], problem: str) -> None:
    with pytest.raises(FileError) as refused:
        RoadTrajectories.from_frame({**ROWS, **changed}, network=TOWN, source=FILE)
    assert str(refused.value) == f"drives.csv, {problem}"


def test_columns_that_are_missing() -> None:
    with pytest.raises(FileError, match="wanted the columns trajectory, direction, road, found trajectory, road"):
        RoadTrajectories.from_frame({"trajectory": ["1"], "road": ["r1"]}, network=TOWN, source=FILE)
    with pytest.raises(MissingKnowledge, match=r"needs a network, got none; give the network of the roads"):
        RoadTrajectories.from_frame(ROWS)


def test_a_jump_splits_where_asked() -> None:
    rows = {**ROWS, "direction": ["+", "+", "+", "-", "+"], "interval": ["pm", "am", "pm", "am", "pm"]}
    data = RoadTrajectories.from_frame(rows, network=TOWN, split_jumps=True)
    assert data.to_lists() == [["r1+"], ["r2+"], ["r3+"], ["r3+", "r3-"]]
    assert data.ids.to_list() == ["t2/1", "t2/2", "t2/3", "t1"]
    assert data.persons.codes.tolist() == [0, 0, 0, 1]
    assert data.times.tolist() == [10, 20, 40, 10, 10]
    assert [data.interval_names[number] for number in data.intervals] == ["pm", "pm", "pm", "am"]


def test_pieces_of_one_trajectory_are_one_persons() -> None:
    """One vehicle that drives the same road five times is no crowd of five."""
    rows = {"trajectory": ["t"] * 5 + ["u"], "road": ["r1"] * 6, "direction": ["+"] * 6}
    data = RoadTrajectories.from_frame(rows, network=TOWN, split_jumps=True)
    assert (len(data), data.unit, data.persons.codes.tolist()) == (6, "person", [0] * 5 + [1])
    assert StrictKAnonymity(k=3).check(data).measured["smallest_support"] == 2
    whole = {name: values[-1:] for name, values in rows.items()}
    assert RoadTrajectories.from_frame(whole, network=TOWN, split_jumps=True).persons is None


def test_pieces_do_not_take_the_name_of_another_trajectory() -> None:
    rows = {"trajectory": ["t", "t", "t/2"], "road": ["r1", "r1", "r2"], "direction": ["+", "+", "+"]}
    data = RoadTrajectories.from_frame(rows, network=TOWN, split_jumps=True)
    assert data.ids.to_list() == ["1", "2", "3"]


def test_lists_that_are_no_paths() -> None:
    jump = r"wanted roads that begin where the one before ends, found a jump in record 3"
    with pytest.raises(DataError, match=jump):
        RoadTrajectories.from_lists([["r1+", "r2-"], [], ["r3+", "r1+"]], network=TOWN)
    with pytest.raises(DataError, match=r"wanted roads as r1\+ or r1-"):
        RoadTrajectories.from_lists([["r1"]], network=TOWN)
    with pytest.raises(DataError, match="wanted roads of the network"):
        RoadTrajectories.from_lists([["r9+"]], network=TOWN)
    with pytest.raises(DataError, match="1 records, but 2 intervals"):
        RoadTrajectories.from_lists([["r1+"]], network=TOWN, intervals=["a", "b"])
    with pytest.raises(DataError, match="1 roads, but 2 times"):
        RoadTrajectories.from_lists([["r1+"]], network=TOWN, times=[[1, 2]])
    fine = RoadTrajectories.from_lists([["r1+"], ["r2+"]], network=TOWN, intervals=["a", "b"])
    with pytest.raises(Bug, match="natural order"):
        replace(fine, interval_names=("b", "a"))
    with pytest.raises(Bug, match="an interval has no name"):
        replace(fine, interval_names=("a",))


def test_records_may_end_where_others_do_not_begin() -> None:
    empty_between = RoadTrajectories.from_lists([[], ["r1+"], [], ["r1+"], []], network=TOWN)
    assert len(empty_between.jumps()) == 0
    assert RoadTrajectories.from_lists([], network=TOWN).to_lists() == []


def test_published_by_interval_then_by_roads() -> None:
    data = RoadTrajectories.from_lists(
        [["r3+"], ["r1+", "r2-"], [], ["r1+"], ["r1+"]],
        network=TOWN,
        intervals=["10-11", "9-10", "8-9", "10-11", "9-10"],
        times=[[1], [2, 3], [], [4], [5]],
        persons=list("uvwxy"),
    )
    seen, order = data.published()
    assert seen.to_lists() == [["r1+"], ["r1+", "r2-"], ["r1+"], ["r3+"]]
    assert order.tolist() == [4, 1, 3, 0]
    assert seen.interval_names == ("9-10", "10-11")
    assert seen.intervals.tolist() == [0, 0, 1, 1]
    assert (seen.times, seen.ids, seen.persons) == (None, None, None)
    assert seen.run_starts().tolist() == [True] * 4
    assert seen.take(np.array([0, 2])).run_starts().tolist() == [True, True], "equal roads in two intervals differ"
    assert seen.network is TOWN


def test_without_intervals_all_lie_in_one() -> None:
    seen, _ = RoadTrajectories.from_lists([["r1+"], ["r1+"]], network=TOWN).published()
    assert (seen.interval_names, seen.intervals.tolist()) == (("all",), [0, 0])
    assert seen.run_starts().tolist() == [True, False]


def test_queries_ask_for_roads_with_or_without_direction() -> None:
    data = RoadTrajectories.from_lists([["r3+", "r3-", "r1+"], ["r3-"], ["r1-"]], network=TOWN)
    asked = [("r3",), ("r3+",), ("r3", "r1"), ("r1", "r3"), ("r3-", "r3+"), ("r9",)]
    assert [data.expected_count(Query(locations=one)) for one in asked] == [2, 1, 1, 0, 0, 0]


def test_as_plain_trajectories() -> None:
    data = RoadTrajectories.from_frame(ROWS, network=TOWN)
    plain = data.as_trajectories()
    assert plain.kind == "trajectories"
    assert plain.to_lists() == data.to_lists()
    assert plain.persons is data.persons
    assert plain.times.tolist() == data.times.tolist()


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 20), max_size=5), max_size=6), st.randoms(use_true_random=False))
def test_private_order_does_not_show(rows: list[list[int]], chance: Any) -> None:
    paths = [turns(row) for row in rows]
    when = [str(len(row)) for row in rows]
    order = list(range(len(rows)))
    chance.shuffle(order)
    one = RoadTrajectories.from_lists(paths, network=STREETS, intervals=when)
    two = RoadTrajectories.from_lists(
        [paths[at] for at in order], network=STREETS, intervals=[when[at] for at in order]
    )
    assert one.published()[0].to_polars().equals(two.published()[0].to_polars())


def test_natural_order() -> None:
    assert in_natural_order(["1", "01", "a10", "a9", ""])[1] == ("", "01", "1", "a9", "a10")
