"""The edge: frames of any make, missing values, times, groups."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point

from sfumato.data import frames
from sfumato.data.frames import Source, tidy, to_polars
from sfumato.data.rows.records import grouped, persons_of
from sfumato.data.rows.times import seconds
from sfumato.errors import DataError, FileError, MissingExtra

COLUMNS: dict[str, list[Any]] = {"name": ["b", "a", None], "number": [1, 2, 3]}
ROWS = [("b", 1), ("a", 2), (None, 3)]


def refused(call: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(DataError) as refusal:
        call(*args, **options)
    assert refusal.value.__cause__ is None
    return str(refusal.value)


# ---- from and to frames of every make


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).lazy(),
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, index=[7, 7, 0]),
        pd.DataFrame(COLUMNS).astype({"name": "category"}),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pa.table(COLUMNS),
        pa.record_batch(COLUMNS),
        COLUMNS,
    ],
    ids=["polars", "lazy", "pandas", "pandas index", "categories", "nullable", "arrow", "arrow batch", "mapping"],
)
def test_every_frame_comes_in(frame: Any) -> None:
    assert to_polars(frame).cast({"name": pl.String, "number": pl.Int64}).rows() == ROWS


def test_a_polars_frame_is_taken_as_it_is() -> None:
    frame = pl.DataFrame(COLUMNS)
    assert to_polars(frame) is frame


@pytest.mark.parametrize(
    ("crs", "pair"), [("EPSG:4326", ("lon", "lat")), ("EPSG:2100", ("x", "y")), (None, ("x", "y"))]
)
def test_points_become_coordinates(crs: str | None, pair: tuple[str, str]) -> None:
    points = geopandas.GeoDataFrame(
        {"location": ["a", "b"], "where": [Point(1, 2), Point(3, 4)]}, geometry="where", crs=crs, index=[5, 5]
    )
    frame = to_polars(points)
    assert frame.columns == ["location", *pair]
    assert frame.rows() == [("a", 1.0, 2.0), ("b", 3.0, 4.0)]


@pytest.mark.parametrize("other", [LineString([(0, 0), (1, 1)]), None], ids=["a line", "missing"])
def test_a_geometry_that_is_no_point_is_refused(other: Any) -> None:
    shapes = geopandas.GeoDataFrame({"location": ["a", "b"]}, geometry=[Point(0, 0), other])
    assert (
        refused(to_polars, shapes) == "geopandas: wanted a point in every row, found another geometry or a missing one"
    )


def test_something_else_is_refused() -> None:
    assert refused(to_polars, [1, 2]) == ("wanted a frame (polars, pandas, geopandas, Arrow or a mapping), found list")


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"person": ["zelda", 1]}), {"person": ["zelda", "yves"], "age": [1]}],
    ids=["mixed types", "unequal lengths"],
)
def test_columns_that_do_not_fit_are_refused_without_quoting_them(frame: Any) -> None:
    with pytest.raises(DataError) as refusal:
        to_polars(frame)
    assert str(refusal.value).startswith("the frame: wanted columns of equal length with one type each, found")
    assert refusal.value.__suppress_context__


def test_a_mapping_of_mixed_values_becomes_texts() -> None:
    assert to_polars({"location": ["a", 7]})["location"].to_list() == ["a", "7"]


def test_frames_go_out() -> None:
    frame = pl.DataFrame(COLUMNS)
    assert pl.from_pandas(frames.to_pandas(frame)).rows() == ROWS
    assert pl.DataFrame(frames.to_arrow(frame)).rows() == ROWS
    planar = frames.to_geopandas(frame, np.array([[0, 1], [2, 3], [4, 5]]), geographic=False)
    assert planar.crs is None
    assert [(point.x, point.y) for point in planar.geometry] == [(0, 1), (2, 3), (4, 5)]
    globe = frames.to_geopandas(frame, np.zeros((3, 2)), geographic=True)
    assert globe.crs == "EPSG:4326"


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pandas", lambda: frames.to_pandas(pl.DataFrame(COLUMNS))),
        ("pyarrow", lambda: frames.to_arrow(pl.DataFrame(COLUMNS))),
        ("geopandas", lambda: frames.to_geopandas(pl.DataFrame(COLUMNS), np.zeros((3, 2)), geographic=True)),
        ("pyarrow", lambda: to_polars(pd.DataFrame(COLUMNS))),
    ],
)
def test_a_package_that_is_not_installed(package: str, call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: Any, **__: Any) -> Any:
        raise ModuleNotFoundError

    monkeypatch.setattr(pl.DataFrame, "to_pandas", absent)
    monkeypatch.setattr(pl.DataFrame, "to_arrow", absent)
    monkeypatch.setattr(pl, "from_pandas", absent)
    if package == "geopandas":
        monkeypatch.setitem(__import__("sys").modules, "geopandas", None)
    with pytest.raises(MissingExtra) as refusal:
        call()
    assert (
        str(refusal.value)
        == f"{package} is not installed: pip install 'sfumato[frames]', or in a checkout pip install '.[frames]'"
    )


# ---- tidy: which column is which, and nothing missing


def chosen(frame: Any, source: Source | None = None, **columns: str) -> pl.DataFrame:
    return tidy(
        frame,
        required=("trajectory", "location"),
        optional=("person", "time"),
        columns=columns,
        source=source or Source("visits"),
    )


def test_columns_get_their_standard_names_and_others_are_dropped() -> None:
    frame = chosen({"tid": [1], "poi": [7], "user": ["u"], "weather": ["fine"]}, trajectory="tid", location="poi")
    assert frame.rows(named=True) == [{"trajectory": 1, "location": "7"}]
    frame = chosen({"tid": [1], "location": ["a"], "person": ["u"]}, trajectory="tid", person="location")
    assert frame.rows(named=True) == [{"trajectory": 1, "location": "a", "person": "a"}]


@pytest.mark.parametrize(
    ("frame", "columns", "sentence"),
    [
        (
            {"trajectory": [1], "poi": ["a"]},
            {},
            "visits: wanted the columns trajectory, location, found trajectory, poi; "
            "say which column is which, such as location=poi",
        ),
        ({}, {}, "visits: wanted the columns trajectory, location, found none"),
        (
            {"tid": [1]},
            {"trajectory": "tid"},
            "visits: wanted the columns tid, location, found tid",
        ),
        (
            {"tid": [1]},
            {"trajectory": "tids"},
            "visits: wanted a column 'tids' for trajectory, found none; did you mean 'tid'?",
        ),
        (
            {"tid": [1]},
            {"place": "tid"},
            "visits: wanted a known column role, found 'place'; known are location, person, time, trajectory",
        ),
        ({"trajectory": [], "location": []}, {}, "visits: wanted at least one row, found none"),
    ],
)
def test_columns_that_are_not_there(frame: Any, columns: dict[str, str], sentence: str) -> None:
    assert refused(chosen, frame, **columns) == sentence


@pytest.mark.parametrize("role", ["trajectory", "location", "person", "time"])
@pytest.mark.parametrize(
    "values", [[7.0, float("nan")], [7, None], ["zelda", ""], ["zelda", None]], ids=["nan", "null", "empty", "no text"]
)
def test_a_missing_value_is_refused_with_its_row(role: str, values: list[Any]) -> None:
    whole = {"trajectory": [1, 1], "location": ["a", "b"], "person": ["u", "u"], "time": [1, 2]}
    frame = pl.DataFrame(whole | {role: values})
    assert refused(chosen, frame) == f"visits, row 2: wanted a {role}, found nothing (is the file cut off?)"


def test_a_missing_value_in_a_file_is_refused_with_its_line() -> None:
    frame = pl.DataFrame({"trajectory": [1, 2], "location": ["a", None]})
    with pytest.raises(FileError, match=r"^v.csv, line 3: wanted a location"):
        chosen(frame, source=Source("v.csv", file=True, first_line=2))
    with pytest.raises(FileError, match=r"^v.parquet, row 2: wanted a location"):
        chosen(frame, source=Source("v.parquet", file=True))


def test_pandas_missing_values_are_missing() -> None:
    frame = pd.DataFrame({"trajectory": [1.0, np.nan], "location": ["a", "b"]})
    assert "row 2: wanted a trajectory" in refused(chosen, frame)
    frame = pd.DataFrame({"trajectory": [1, 2], "location": ["a", None]})
    assert "row 2: wanted a location" in refused(chosen, frame)


# ---- times


def stamps(*values: Any, dtype: Any = None) -> list[float]:
    return seconds(pl.Series("time", values, dtype=dtype), Source("visits")).to_list()


def test_numbers_are_seconds_already() -> None:
    assert stamps(0, 3) == [0.0, 3.0]
    assert stamps(0.5, 1e9) == [0.5, 1e9]
    assert stamps("0.5", "12") == [0.5, 12.0]


@pytest.mark.parametrize(
    "text",
    [
        "1970-01-02T00:00:01",
        "1970-01-02 00:00:01",
        "1970-01-02T00:00:01.000",
        "1970-01-02T00:00:01Z",
        "1970-01-02 00:00:01+00",
        "1970-01-02T02:00:01+02:00",
        "1970-01-01T21:30:01-0230",
    ],
)
def test_iso_texts_count_from_1970_utc(text: str) -> None:
    assert stamps(text) == [86401.0]


def test_shorter_iso_texts_and_several_forms_in_one_file() -> None:
    assert stamps("1970-01-02") == [86400.0]
    assert stamps("1970-01-02T00:01", "1970-01-02 00:01") == [86460.0] * 2
    assert stamps("1970-01-02T01:01+01:00", "1970-01-02 01:01+0100") == [86460.0] * 2
    assert stamps("1970-01-02", "1970-01-02T00:00:01.25", "1970-01-02 00:00:02") == [86400.0, 86401.25, 86402.0]


def test_dates_and_datetimes() -> None:
    noon = dt.datetime(1970, 1, 2, 12)
    assert stamps(dt.date(1970, 1, 2)) == [86400.0]
    assert stamps(noon) == [129600.0]
    for unit in ("ms", "us", "ns"):
        assert stamps(noon, dtype=pl.Datetime(unit)) == [129600.0]  # type: ignore[arg-type]
    athens = pl.Series([noon]).dt.replace_time_zone("Europe/Athens")
    assert seconds(athens, Source()).to_list() == [129600.0 - 7200]


@given(st.lists(st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2200, 1, 1)), min_size=1))
def test_a_moment_is_the_same_in_every_form(moments: list[dt.datetime]) -> None:
    expected = [moment.replace(tzinfo=dt.UTC).timestamp() for moment in moments]
    assert stamps(*moments) == pytest.approx(expected, abs=1e-5)
    for between in ("T", " "):
        assert stamps(*(moment.isoformat(between) for moment in moments)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "values",
    [(3, -4), (3.0, float("nan")), (3.0, float("inf")), ("3", "-4"), ("3", "nan"), ("3", "inf")],
)
def test_a_negative_or_unreadable_number_is_refused(values: tuple[Any, ...]) -> None:
    assert refused(stamps, *values) == (
        "visits, row 2: wanted a time of 0 or later, found a negative or unreadable one"
    )


@pytest.mark.parametrize("text", ["noon", "03/04/2026", "2026-13-01", "2026-01-01T25:00:00", "2026-01-01 x"])
def test_another_text_is_refused_and_not_quoted(text: str) -> None:
    sentence = refused(stamps, "2026-01-01", text)
    assert sentence == (
        "visits, row 2: wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text"
    )


@pytest.mark.parametrize(
    ("value", "found"), [(dt.time(12), "Time"), (dt.timedelta(1), "Duration(time_unit='us')"), (True, "Boolean")]
)
def test_another_type_is_refused(value: Any, found: str) -> None:
    assert refused(stamps, value) == f"visits: wanted times as numbers, dates or ISO texts, found {found}"


# ---- groups


@given(st.lists(st.tuples(st.sampled_from("uvwx"), st.integers(0, 3)), min_size=1))
def test_rows_of_a_key_come_together_sorted_and_stable(rows: list[tuple[str, int]]) -> None:
    keys = [key for key, _ in rows]
    distinct = list(dict.fromkeys(keys))
    times = np.array([float(time) for _, time in rows])
    for sort_by, inside in ((times, lambda row: rows[row][1]), (None, lambda _: 0)):
        record, order, offsets = grouped(pl.Series(keys), sort_by=sort_by)
        assert [distinct[number] for number in record] == keys
        expected = [sorted((row for row, key in enumerate(keys) if key == mine), key=inside) for mine in distinct]
        found = [order[start:end].tolist() for start, end in pairwise(offsets)]
        assert found == expected


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.String, pl.Categorical])
def test_keys_of_any_type(dtype: Any) -> None:
    key = pl.Series([7, 3, 7]).cast(pl.String).cast(dtype)
    record, order, offsets = grouped(key)
    assert (record.tolist(), order.tolist(), offsets.tolist()) == ([0, 1, 0], [0, 2, 1], [0, 2, 3])


@given(st.lists(st.tuples(st.sampled_from("tuv"), st.sampled_from("xyz")), min_size=1, max_size=8))
def test_the_first_row_of_a_second_person_is_found(rows: list[tuple[str, str]]) -> None:
    owner: dict[str, str] = {}
    wrong = [number for number, (key, person) in enumerate(rows) if owner.setdefault(key, person) != person]
    record, _, _ = grouped(pl.Series([key for key, _ in rows]))
    person = pl.Series([person for _, person in rows])
    if wrong:
        assert refused(persons_of, person, record, "trajectory", Source("visits")) == (
            f"visits, row {wrong[0] + 1}: wanted one person for each trajectory, found a second person"
        )
    else:
        found = persons_of(person, record, "trajectory", Source("visits"))
        assert found.names.gather(found.codes).to_list() == list(owner.values())


def test_a_record_of_two_persons_is_refused_at_its_line() -> None:
    person = pl.Series(["u", "v", "zelda", "v"])
    record, _, _ = grouped(pl.Series([1, 2, 1, 2]))
    source = Source("v.csv", file=True, first_line=2)
    with pytest.raises(FileError) as refusal:
        persons_of(person, record, "trajectory", source)
    assert str(refusal.value) == "v.csv, line 4: wanted one person for each trajectory, found a second person"


def test_the_source_names_what_it_knows() -> None:
    assert str(Source().error("wanted x", row=4)) == "the frame, row 5: wanted x"
    assert str(Source("f", file=True).error("wanted x")) == "f: wanted x"
    assert type(Source("f", file=True).error("wanted x")) is FileError
    assert type(Source("f").error("wanted x")) is DataError
