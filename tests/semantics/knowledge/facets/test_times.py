"""The time facet: agreement with Python's calendar, clocks, and the paper's Sunday evening."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.semantics.knowledge.facets.times import TIMES, clock_seconds, time_hierarchy, time_members

START = datetime(1970, 1, 1)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def by_minutes(begin: datetime, end: datetime) -> set[str]:
    """The times of a span, minute by minute; the last minute belongs to it only if the span is an instant."""
    names, moment = set(), begin
    while moment < end or moment == begin:
        part = (
            "night"
            if moment.hour < 6
            else "morning"
            if moment.hour < 12
            else "afternoon"
            if moment.hour < 17
            else "evening"
        )
        names |= {f"{moment:%Y-%m-%d}", f"hour-{moment:%H}", f"{DAYS[moment.weekday()]}-{part}"}
        moment += timedelta(minutes=1)
    return names


@pytest.mark.parametrize("seed", range(10))
def test_members_agree_with_a_count_by_minutes(seed: int) -> None:
    chance = random.Random(seed)
    begin = datetime(1965, 1, 1) + timedelta(minutes=chance.randrange(60 * 24 * 365 * 60))
    end = begin + timedelta(minutes=chance.choice([0, 1, 60, 300, 3000]))
    seconds = [(moment - START).total_seconds() for moment in (begin, end)]
    frame = time_members(pl.DataFrame({"stop": ["s"], "begin": seconds[:1], "end": seconds[1:]}))
    assert {node.removeprefix(TIMES) for node in frame["node"]} == by_minutes(begin, end)


def test_the_final_of_the_paper_is_on_a_sunday_evening_in_winter() -> None:
    texts = pl.Series(["2014-07-13T17:00:00-03:00", "2014-07-13T20:00:00-03:00"])
    begin, end = clock_seconds(texts)
    members = time_members(pl.DataFrame({"segment": ["final"], "begin": [begin], "end": [end]}))
    hierarchy, labels, classes = time_hierarchy(members["node"], "south")
    above = {node for member in members["node"] for node in (member, *hierarchy.ancestors(member))}
    dates = ["2014-07-13", "2014-07", "2014", "July", "Winter"]
    clock = ["Sunday", "Evening", "Sunday evening", "hour 17", "hour 18", "hour 19"]
    assert sorted(labels[node] for node in above) == sorted([*dates, *clock])
    assert classes[TIMES + "sunday-evening"] == "PartOfWeek"
    north, _, _ = time_hierarchy(members["node"], "north")
    assert TIMES + "summer" in north


@pytest.mark.parametrize("month", range(1, 13))
def test_seasons_are_three_months_each(month: int) -> None:
    node = pl.Series([f"{TIMES}2020-{month:02}-15"])
    season = {name: time_hierarchy(node, name)[0].roots for name in ("north", "south")}
    expected = {"north": ["winter", "spring", "summer", "autumn"], "south": ["summer", "autumn", "winter", "spring"]}
    for name, roots in season.items():
        assert TIMES + expected[name][month % 12 // 3] in roots


def test_clocks_agree_with_pythons_zones() -> None:
    moments = [datetime(2014, 2, 15, 23, 30, tzinfo=UTC) + timedelta(hours=7 * step) for step in range(200)]
    zone = ZoneInfo("America/Sao_Paulo")  # changes its clock on 16 February 2014
    written = [moment.astimezone(ZoneInfo("Asia/Kolkata")).isoformat() for moment in moments]
    seconds = clock_seconds(pl.Series(written), "America/Sao_Paulo")
    assert seconds.to_list() == [(m.astimezone(zone).replace(tzinfo=None) - START).total_seconds() for m in moments]
    shown = clock_seconds(pl.Series(written))
    kolkata = ZoneInfo("Asia/Kolkata")
    assert shown.to_list() == [(m.astimezone(kolkata).replace(tzinfo=None) - START).total_seconds() for m in moments]


def test_missing_times_stay_missing_and_a_text_without_offset_is_the_clock() -> None:
    seconds = clock_seconds(pl.Series(["1970-01-01T00:00:01.5", None]), "Asia/Kolkata")
    assert seconds.to_list() == [1.5, None]
    members = time_members(
        pl.DataFrame({"stop": ["s"], "begin": [None], "end": [2.0]}, schema_overrides={"begin": pl.Float64})
    )
    assert members.height == 0


def test_refusals() -> None:
    with pytest.raises(DataError, match="found 1 other texts"):
        clock_seconds(pl.Series(["yesterday"]))
    with pytest.raises(ParameterError, match="wanted a time zone"):
        clock_seconds(pl.Series(["1970-01-01T00:00:00Z"]), "Mars/Base")
    with pytest.raises(ParameterError, match="north or south"):
        time_hierarchy(pl.Series([], dtype=pl.String), "east")
