"""The time facet: dates, months, years, weekdays, parts of the day and of the week, hours and seasons.

SPARQL has no weekdays, so that "Sunday evening" has to be written into a knowledge base before a query can ask for it.
A span lies in every hour with which it shares more than an instant; a span that is an instant lies in its hour.
"""

from __future__ import annotations

import polars as pl

from sfumato.errors import DataError, ParameterError
from sfumato.semantics.knowledge.hierarchy import Hierarchy
from sfumato.semantics.ontology.names import TIMES

__all__ = ["TIMES", "clock_seconds", "time_hierarchy", "time_members"]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
PARTS = ("night", "morning", "afternoon", "evening")
_PART_BEGINS = (0, 6, 12, 17)
_SEASONS = {"north": ("winter", "spring", "summer", "autumn"), "south": ("summer", "autumn", "winter", "spring")}
_HOUR_S = 3600
_DATE_TIME = r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$"


def clock_seconds(texts: pl.Series, zone: str | None = None) -> pl.Series:
    """Times of the xsd:dateTime kind as seconds of the clock on the wall, counted from the begin of 1970 on that clock.

    zone : a time zone such as America/Sao_Paulo, whose clock is meant; without it, the clock that each text shows.
    A text without an offset shows the clock that is meant.

    >>> clock_seconds(pl.Series(["1970-01-01T01:00:00-03:00", "1970-01-01T01:00:00Z"])).to_list()
    [3600.0, 3600.0]
    >>> clock_seconds(pl.Series(["1970-01-01T04:00:00Z"]), "America/Sao_Paulo").to_list()
    [3600.0]
    """
    frame = texts.cast(pl.String).alias("text").to_frame()
    shown = (
        pl.col("text").str.extract(_DATE_TIME, 1).str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
    )
    offset = pl.col("text").str.extract(_DATE_TIME, 2)
    frame = frame.select("text", shown=shown, offset=offset)
    unreadable = frame.filter(pl.col("text").is_not_null() & pl.col("shown").is_null()).height
    if unreadable:
        raise DataError(f"times: wanted times such as 2014-07-13T17:00:00-03:00, found {unreadable:,} other texts")
    if zone is not None:
        frame = frame.with_columns(shown=_in_zone(zone))
    return frame.select((pl.col("shown").dt.epoch("us") / 1_000_000).alias(texts.name)).to_series()


def _in_zone(zone: str) -> pl.Expr:
    _require_zone(zone)
    minutes = pl.col("offset").str.slice(1, 2).cast(pl.Int64) * 60 + pl.col("offset").str.slice(4, 2).cast(pl.Int64)
    signed = pl.when(pl.col("offset").str.starts_with("-")).then(-minutes).otherwise(minutes)
    ahead = pl.when(pl.col("offset") == "Z").then(pl.lit(0, pl.Int64)).otherwise(signed)
    utc = (pl.col("shown") - pl.duration(minutes=ahead)).dt.replace_time_zone("UTC")
    local = utc.dt.convert_time_zone(zone).dt.replace_time_zone(None)
    return pl.when(pl.col("offset").is_null()).then(pl.col("shown")).otherwise(local)


def _require_zone(zone: str) -> None:
    try:
        pl.Series([0], dtype=pl.Datetime("us", "UTC")).dt.convert_time_zone(zone)
    except pl.exceptions.PolarsError:
        raise ParameterError(f"zone: wanted a time zone such as America/Sao_Paulo, found {zone!r}") from None


def time_members(spans: pl.DataFrame) -> pl.DataFrame:
    """The finest times of the facet in which spans lie: dates, parts of the week and hours of the day.

    spans : frame with begin and end in seconds of a clock, and any other columns.
    Returns the other columns and node, an IRI; distinct.

    >>> evening = pl.DataFrame({"stop": ["s"], "begin": [17 * 3600.0], "end": [18 * 3600.0]})
    >>> [node.removeprefix(TIMES) for node in time_members(evening)["node"]]
    ['1970-01-01', 'hour-17', 'thursday-evening']
    """
    others = [name for name in spans.columns if name not in ("begin", "end")]
    first = (pl.col("begin") / _HOUR_S).floor().cast(pl.Int64)
    last = ((pl.col("end") / _HOUR_S).ceil().cast(pl.Int64) - 1).clip(lower_bound=first)
    hours = spans.drop_nulls(["begin", "end"]).select(*others, hour=pl.int_ranges(first, last + 1))
    clock = pl.from_epoch(pl.col("hour") * _HOUR_S, time_unit="s")
    exploded = hours.explode("hour").with_columns(clock=clock)
    named = exploded.with_columns(
        pl.col("clock").dt.strftime("%Y-%m-%d").alias("date"),
        pl.format("{}-{}", _named(pl.col("clock").dt.weekday() - 1, WEEKDAYS), _part_of_day()).alias("week"),
        pl.col("clock").dt.strftime("hour-%H").alias("of_day"),
    )
    columns = [named.select(*others, node=pl.lit(TIMES) + pl.col(name)) for name in ("date", "week", "of_day")]
    return pl.concat(columns).unique().sort(*others, "node")


def _named(number: pl.Expr, names: tuple[str, ...]) -> pl.Expr:
    return number.cast(pl.Int64).replace_strict(dict(enumerate(names)), return_dtype=pl.String)


def _part_of_day() -> pl.Expr:
    hours = {hour: _part(hour) for hour in range(24)}
    return pl.col("clock").dt.hour().cast(pl.Int64).replace_strict(hours, return_dtype=pl.String)


def _part(hour: int) -> str:
    return PARTS[sum(hour >= begin for begin in _PART_BEGINS) - 1]


def time_hierarchy(nodes: pl.Series, hemisphere: str = "north") -> tuple[Hierarchy, dict[str, str], dict[str, str]]:
    """The hierarchy above times of `time_members`, the label of each time, and its class (a name of the ontology).

    A date is part of its month and of its weekday, a month of its year and of the month that comes again every year,
    that month of a season, and a part of the week of its weekday and of the part of the day.
    """
    if hemisphere not in _SEASONS:
        raise ParameterError(f"hemisphere: wanted north or south, found {hemisphere!r}")
    seasons = _SEASONS[hemisphere]
    pairs: list[tuple[str, str]] = []
    classes: dict[str, str] = {}
    for name in sorted({node.removeprefix(TIMES) for node in nodes}):
        _add_time(name, pairs, classes, seasons)
    hierarchy = Hierarchy.of([(TIMES + child, TIMES + parent) for child, parent in pairs], who="time facet")
    labels = {
        TIMES + name: name.replace("hour-", "hour ") if kind == "HourOfDay" else _label(name, kind)
        for name, kind in classes.items()
    }
    return hierarchy, labels, {TIMES + name: kind for name, kind in classes.items()}


def _label(name: str, kind: str) -> str:
    return name if kind in ("Year", "Month", "Date") else name.replace("-", " ").capitalize()


def _add_time(name: str, pairs: list[tuple[str, str]], classes: dict[str, str], seasons: tuple[str, ...]) -> None:
    if name.startswith("hour-"):
        part = _part(int(name[5:]))
        pairs.append((name, part))
        classes |= {name: "HourOfDay", part: "PartOfDay"}
    elif name.partition("-")[0] in WEEKDAYS:
        weekday, _, part = name.partition("-")
        pairs += [(name, weekday), (name, part)]
        classes |= {name: "PartOfWeek", weekday: "Weekday", part: "PartOfDay"}
    else:
        year, month = name[:4], name[:7]
        weekday = WEEKDAYS[pl.Series([name]).str.to_date().dt.weekday().item() - 1]
        number = int(name[5:7])
        every, season = MONTHS[number - 1], seasons[number % 12 // 3]
        pairs += [(name, month), (name, weekday), (month, year), (month, every), (every, season)]
        classes |= {
            name: "Date",
            month: "Month",
            year: "Year",
            weekday: "Weekday",
            every: "MonthOfYear",
            season: "SeasonOfYear",
        }
