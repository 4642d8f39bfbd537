"""Terms of N-Triples as polars expressions, and values back from the terms that a store writes."""

from __future__ import annotations

import polars as pl

from sfumato.semantics.vocabulary import GEO, XSD

__all__ = [
    "in_range",
    "integer",
    "iri",
    "number",
    "plain",
    "point",
    "real",
    "text",
    "time",
    "times_of",
    "unescaped",
    "values_of",
    "wkt",
]

_EARLIEST, _LATEST = -62_135_596_800, 253_402_300_800  # the years 1 to 9999
_DIGITS = 15  # of a second
_ESCAPES, _ESCAPED = ["\\\\", '\\"', "\\n", "\\r", "\\t", "\\b", "\\f"], ["\\", '"', "\n", "\r", "\t", "\b", "\f"]


def iri(column: pl.Expr) -> pl.Expr:
    return "<" + column + ">"


def text(column: pl.Expr, language: pl.Expr | None = None) -> pl.Expr:
    """A literal, with its language where there is one."""
    quoted = '"' + column.str.replace_many(["\\", '"', "\n", "\r"], ["\\\\", '\\"', "\\n", "\\r"]) + '"'
    return quoted if language is None else pl.concat_str(quoted, pl.coalesce("@" + language, pl.lit("")))


def integer(column: pl.Expr) -> pl.Expr:
    return '"' + column.cast(pl.String) + f'"^^<{XSD}integer>'


def number(column: pl.Expr) -> pl.Expr:
    """A whole number as xsd:integer, another one as xsd:double."""
    whole = (column == column.round(0)) & (column.abs() < 2**53)
    digits = pl.when(whole).then(column).cast(pl.Int64)
    return pl.when(whole).then(integer(digits)).otherwise(real(column))


def real(column: pl.Expr) -> pl.Expr:
    return '"' + column.cast(pl.String) + f'"^^<{XSD}double>'


def wkt(column: pl.Expr) -> pl.Expr:
    return text(column) + f"^^<{GEO}wktLiteral>"


def point(x: pl.Expr, y: pl.Expr) -> pl.Expr:
    """A point in well-known text, with every digit that its numbers need."""
    return pl.concat_str(pl.lit("POINT("), x.cast(pl.String), pl.lit(" "), y.cast(pl.String), pl.lit(")"))


def time(column: pl.Expr) -> pl.Expr:
    """Seconds since 1970 as xsd:dateTime in UTC, to 15 digits of a second."""
    whole = column.floor()
    digits = ((column - whole) * 10.0**_DIGITS).round(0).cast(pl.Int64)
    carried = digits == 10**_DIGITS
    whole = (whole + carried.cast(pl.Float64)).cast(pl.Int64)
    fraction = digits.cast(pl.String).str.zfill(_DIGITS).str.strip_chars_end("0")
    fraction = pl.when((digits == 0) | carried).then(pl.lit("")).otherwise("." + fraction)
    seconds: pl.Expr = pl.from_epoch(whole, time_unit="s")
    moment = seconds.dt.strftime("%Y-%m-%dT%H:%M:%S")
    return pl.concat_str(pl.lit('"'), moment, fraction, pl.lit(f'Z"^^<{XSD}dateTime>'))


def in_range(times: pl.Series) -> bool:
    """Whether all times have a year of four digits, which xsd:dateTime needs."""
    return bool(((times >= _EARLIEST) & (times < _LATEST)).all())


def plain(terms: pl.Series) -> pl.Series:
    """What is between the quotation marks of plain literals without escapes, such as STR() of a time."""
    return terms.str.slice(1, terms.str.len_chars() - 2)


def unescaped(texts: pl.Series) -> pl.Series:
    """Texts with their escapes replaced."""
    return texts.str.replace_many(_ESCAPES, _ESCAPED)


def values_of(terms: pl.Series) -> pl.DataFrame:
    """Terms as a store writes them (SPARQL TSV): value, sort (iri, literal, blank), language and datatype.

    The datatype of a number without quotation marks is "number".
    """
    frame = terms.alias("term").to_frame()
    term = pl.col("term")
    quoted = term.str.starts_with('"')
    tail = term.str.extract(r'"([^"]*)$')
    body = term.str.head(term.str.len_chars() - tail.str.len_chars() - 1).str.slice(1)
    sort = (
        pl.when(term.str.starts_with("<"))
        .then(pl.lit("iri"))
        .when(term.str.starts_with("_:"))
        .then(pl.lit("blank"))
        .otherwise(pl.lit("literal"))
    )
    return frame.select(
        pl.when(quoted)
        .then(body.str.replace_many(_ESCAPES, _ESCAPED))
        .when(sort == "iri")
        .then(term.str.slice(1, term.str.len_chars() - 2))
        .otherwise(term)
        .alias("value"),
        sort.alias("sort"),
        pl.when(quoted).then(tail.str.extract("^@(.+)$")).alias("language"),
        pl.when(quoted).then(tail.str.extract(r"^\^\^<(.*)>$")).otherwise(pl.lit("number")).alias("datatype"),
    )


def times_of(texts: pl.Series) -> pl.Series:
    """xsd:dateTime as seconds since 1970, UTC; a time without a zone is UTC, and null is what is not a time."""
    moment = texts.str.slice(0, 19).str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False).dt.epoch("s")
    rest = texts.str.slice(19)
    zone = rest.str.extract(r"(Z|[+-]\d\d:\d\d)$").fill_null("")
    digits = rest.str.strip_suffix("Z") if zone.eq("Z").all() else _without(rest, zone)
    fraction = digits.str.replace("^$", ".0")
    seconds = ("0" + fraction).cast(pl.Float64, strict=False)
    sound = fraction.str.contains(r"^\.\d+$")
    offset = _offsets(zone)
    return pl.select(pl.when(sound).then((moment - offset).cast(pl.Float64) + seconds)).to_series()


def _without(rest: pl.Series, zone: pl.Series) -> pl.Series:
    return pl.select(rest.str.slice(pl.lit(0), rest.str.len_chars() - zone.str.len_chars())).to_series()


def _offsets(zone: pl.Series) -> pl.Series:
    """Seconds east of Greenwich of each zone."""
    seconds = {"Z": 0, "": 0}
    for text in zone.unique().to_list():
        if text not in seconds:
            seconds[text] = (1 if text[0] == "+" else -1) * 60 * (60 * int(text[1:3]) + int(text[4:6]))
    return zone.replace_strict(seconds, return_dtype=pl.Int64)
