"""Details of positions: tags in every form, ends, texts, geometries, and a file that gives them all back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Positions, read_positions
from sfumato.errors import Bug, DataError, FileError
from sfumato.io.positions import write_positions

PHOTO: dict[str, list[Any]] = {"person": ["ann", "ann"], "time": [60, 0], "lon": [-43.2, -43.1], "lat": [-22.9, -22.8]}


def photos(**details: Any) -> Positions:
    return Positions.from_frame({**PHOTO, **details})


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        (["sea, sun", "view"], [["view"], ["sea", "sun"]]),
        ([["sea", " sun ", "sea"], []], [[], ["sea", "sun"]]),
        (['"sea, sun",beach', None], [[], ["sea, sun", "beach"]]),
        (["sea;sun", "view"], [["view"], ["sea", "sun"]]),
        (["sea|sun", ""], [[], ["sea", "sun"]]),
        (["sea;x,sun", "view"], [["view"], ["sea;x", "sun"]]),  # with a comma, a semicolon is part of a tag
        ([2014, 2015], [["2015"], ["2014"]]),
    ],
)
def test_tags_of_every_form(tags: list[Any], wanted: list[list[str]]) -> None:
    assert photos(tags=tags).details["tags"].to_list() == wanted


def test_pandas_lists_and_other_names() -> None:
    frame = pd.DataFrame({**PHOTO, "keys": [["a"], ["b", "c"]]})
    assert Positions.from_frame(frame, columns={"tags": "keys"}).details["tags"].to_list() == [["b", "c"], ["a"]]


def test_plain_positions_have_no_details() -> None:
    plain = photos()
    assert plain.details is None
    assert plain.ends is plain.times
    assert plain.to_polars().columns == ["trajectory", "person", "time", "lon", "lat"]


def test_ends_are_the_time_where_they_are_missing() -> None:
    assert photos(end=[90, None]).ends.tolist() == [0.0, 90.0]
    assert photos(end=[None, None]).ends.tolist() == [0.0, 60.0]
    iso = {**PHOTO, "time": ["2031-01-01T10:00Z", "2031-01-01T09:00Z"], "end": ["", "2031-01-01T09:30Z"]}
    visits = Positions.from_frame(iso)
    assert (visits.ends - visits.times).tolist() == [1800.0, 0.0]
    with pytest.raises(DataError, match=r"row 1: wanted an end that is not before the time, found an earlier one$"):
        photos(end=[59, 0])
    with pytest.raises(DataError, match=r"row 1: wanted time and end in one format, found two$"):
        photos(end=[None, "2031-01-01"])


def test_geometries_may_stand_in_place_of_coordinates() -> None:
    bare = {"person": ["ann", "ann"], "time": [0, 1], "wkt": ["POINT (9 45)", "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"]}
    shapes = Positions.from_frame(bare)
    assert shapes.where.tolist() == [[9.0, 45.0], [1.0, 1.0]]
    assert shapes.geographic
    with pytest.raises(
        DataError, match=r"row 2: wanted a geometry as WKT, such as POINT \(9.19 45.46\), found another"
    ):
        Positions.from_frame({**bare, "wkt": ["POINT (9 45)", "here"]})
    with pytest.raises(DataError, match=r"row 2: wanted lat and lon, or a geometry, found neither$"):
        Positions.from_frame({**bare, "wkt": ["POINT (9 45)", None]})
    for outside in ("POINT (9000 45)", "POINT EMPTY"):
        with pytest.raises(DataError, match=r"row 1: wanted a geometry in longitude and latitude, found one that is"):
            Positions.from_frame({**bare, "wkt": [outside, "POINT (9 45)"]})


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(*map(st.sampled_from, (["a", "b"], [0, 1], [0.0, 1.0], [None, "x", "y"], ["p", None]))), min_size=1
    )
)
def test_one_row_per_position_and_tag(rows: list[tuple[Any, ...]]) -> None:
    frame = pl.DataFrame(
        rows,
        schema={"person": pl.String, "time": pl.Int64, "x": pl.Float64, "tag": pl.String, "text": pl.String},
        orient="row",
    ).with_columns(y=0.0)
    twin: dict[tuple[Any, ...], list[str]] = {}
    for person, time, x, tag, text in rows:
        tags = twin.setdefault((person, float(time), x, text), [])
        if tag is not None and tag not in tags:
            tags.append(tag)
    order = list(dict.fromkeys(row[0] for row in rows))
    wanted = sorted(twin.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
    merged = Positions.from_frame(frame).to_polars().select("person", "time", "x", "text", "tags").rows()
    assert merged == [(*key, tags) for key, tags in wanted]


@pytest.mark.parametrize("name", ["posts.csv", "posts.parquet", "posts.csv.gz"])
def test_files_give_every_detail_back(tmp_path: Path, name: str) -> None:
    posts = photos(
        end=[61.5, None],
        tags=[["a,b", "c|d", 'e"f', "g h"], []],
        text=['He said: "rain,\nrain"', None],
        place=["Corcovado", None],
        wkt=[None, "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"],
    )
    write_positions(posts, tmp_path / name)
    again = read_positions(tmp_path / name)
    assert again.to_polars().equals(posts.to_polars())
    assert (tmp_path / name).stat().st_mode & 0o077 == 0


@settings(max_examples=30)
@given(st.lists(st.lists(st.text(' ab,;|"\n', min_size=1)), min_size=1, max_size=4))
def test_tags_survive_a_text(tags: list[list[str]]) -> None:
    from sfumato.data.rows.posts import joined_tags

    def posts(column: Any) -> pl.Series:
        size = len(tags)
        frame = {"person": ["a"] * size, "time": range(size), "x": [0] * size, "y": [0] * size, "tags": column}
        return Positions.from_frame(pl.DataFrame(frame, strict=False)).details["tags"]

    lists = posts(pl.Series(tags, dtype=pl.List(pl.String)))
    assert posts(joined_tags(lists)).to_list() == lists.to_list()


def test_a_separator_that_was_guessed_is_noted(tmp_path: Path) -> None:
    (tmp_path / "posts.csv").write_text("person,time,lat,lon,hashtags\nann,0,1,2,sea;sun\n")
    notes: list[str] = []
    posts = read_positions(tmp_path / "posts.csv", notes=notes)
    assert posts.details["tags"].to_list() == [["sea", "sun"]]
    assert any("tags are read as separated by ';', since none holds a comma" in note for note in notes)


def test_details_follow_their_positions() -> None:
    from sfumato.prepare import DropImpossibleSpeeds, SplitByDay

    posts = Positions.from_frame(
        {
            "person": ["a"] * 3,
            "time": [0, 86_400, 90_000],
            "x": [0, 9e9, 5],
            "y": [0] * 3,
            "text": ["one", "far", "two"],
        }
    )
    kept = DropImpossibleSpeeds().apply(posts).data
    assert kept.details["text"].to_list() == ["one", "two"]
    assert SplitByDay().apply(kept).data.details["text"].to_list() == ["one", "two"]


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(Bug):
        Positions(
            offsets=[0, 1],
            times=[0],
            where=np.zeros((1, 2)),
            geographic=False,
            details=pl.DataFrame({"mood": ["good"]}),
        )
    (tmp_path / "posts.csv").write_text("person,time,lat,lon,end\nann,5,1,2,4\n")
    with pytest.raises(FileError, match=r"posts.csv, line 2: wanted an end that is not before the time"):
        read_positions(tmp_path / "posts.csv")
