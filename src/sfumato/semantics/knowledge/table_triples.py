"""Tables of places and events as N-Triples, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.rows.times import seconds
from sfumato.errors import FileError, listed
from sfumato.io.files import read_bytes
from sfumato.io.frames import read_frame
from sfumato.semantics.knowledge.selection import Selection
from sfumato.semantics.knowledge.table_mapping import BUILT_IN, COLUMN, OPTIONAL_COLUMNS, Property, TableMapping
from sfumato.semantics.vocabulary import BQ, GEO, OWL, RDF, RDFS, XSD

__all__ = ["read_table", "table_lines"]

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNSAFE = {mark: f"%{ord(mark):02X}" for mark in [*'<>"{}|\\^`', *map(chr, range(33))]}
_WHOLE_IRI = r"^[A-Za-z][A-Za-z0-9+.-]*:\S"
_CHUNK = 200_000


def read_table(path: Path, mapping: TableMapping) -> tuple[pl.DataFrame, Source, TableMapping]:
    """The columns of a table that the mapping names, as texts, and the mapping without columns that may be missing."""
    if mapping.columns:
        frame, source = _headless(path, mapping)
    else:
        frame, source = read_frame(path)
    name = next((name for name, built_in in BUILT_IN.items() if built_in is mapping), "")
    absent = [column for column in mapping.required if column not in frame.columns]
    required = [column for column in absent if column not in OPTIONAL_COLUMNS.get(name, ())]
    if required:
        raise FileError(path, f"wanted the columns {listed(mapping.required)}, found no column {listed(required)}")
    return frame, source, _without(mapping, absent)


def _headless(path: Path, mapping: TableMapping) -> tuple[pl.DataFrame, Source]:
    try:
        frame = pl.read_csv(
            read_bytes(path),
            has_header=False,
            separator=mapping.separator,
            quote_char=None,
            infer_schema=False,
            new_columns=list(mapping.columns),
        )
    except pl.exceptions.PolarsError:  # its messages quote records
        raise FileError(path, f"wanted {len(mapping.columns)} columns in every row, found another number") from None
    if frame.width != len(mapping.columns):
        raise FileError(path, f"wanted {len(mapping.columns)} columns in every row, found {frame.width}")
    return frame, Source(str(path), file=True, first_line=1)


def _without(mapping: TableMapping, absent: list[str]) -> TableMapping:
    """The mapping without the entries that need an absent column."""

    def complete(template: str) -> bool:
        return not any(name in absent for name in COLUMN.findall(template))

    return replace(
        mapping,
        classes=tuple(filter(complete, mapping.classes)),
        same_as=tuple(filter(complete, mapping.same_as)),
        labels=tuple(label for label in mapping.labels if label.column not in absent),
        properties=tuple(e for e in mapping.properties if e.column not in absent and complete(e.template)),
        split={column: mark for column, mark in mapping.split.items() if column not in absent},
    )


def table_lines(
    frame: pl.DataFrame, source: Source, mapping: TableMapping, selection: Selection | None = None
) -> Iterator[pl.Series]:
    """The statements of a table, one a line.

    selection : rows with coordinates outside its box, or with times outside its period, are left out.
    """
    _refuse_unequal_lists(frame, source, mapping)
    _refuse_relative_names(frame, source, mapping)
    values = _coordinates(frame, source, mapping)
    times = _times(frame, source, mapping)
    frame = _texts(frame).with_columns(*values, *times)
    if selection is not None:
        frame = frame.filter(pl.Series(selection.rows(frame, mapping.wkt)))
    for start in range(0, frame.height, _CHUNK):
        part = frame.slice(start, _CHUNK)
        yield from _statements(part, mapping)


def _refuse_unequal_lists(frame: pl.DataFrame, source: Source, mapping: TableMapping) -> None:
    """Refuse rows whose lists do not belong together one by one."""
    for template in (*mapping.classes, *mapping.same_as, *(entry.template for entry in mapping.properties)):
        columns = [column for column in dict.fromkeys(COLUMN.findall(template)) if column in mapping.split]
        counts = [
            frame[column].cast(pl.String).str.count_matches(mapping.split[column], literal=True) for column in columns
        ]
        for other in counts[1:]:
            if (wrong := (other != counts[0]).fill_null(False)).any():
                pair = f"as many values in {columns[0]!r} as in {other.name!r}"
                raise source.error(f"wanted {pair}, found another number", row=wrong.arg_max())


def _refuse_relative_names(frame: pl.DataFrame, source: Source, mapping: TableMapping) -> None:
    """Refuse values that are not whole IRIs in the columns at the start of templates."""
    templates = (mapping.id, *mapping.classes, mapping.place, *mapping.same_as)
    for template in (*templates, *(entry.template for entry in mapping.properties)):
        match = COLUMN.match(template)
        if match is None:
            continue
        values = frame[match[1]].cast(pl.String).fill_null("").str.strip_chars()
        parts = values.str.split(mapping.split[match[1]]) if match[1] in mapping.split else values.reshape((-1, 1))
        sound = parts.cast(pl.List(pl.String)).list.eval(pl.element().str.contains(_WHOLE_IRI) | (pl.element() == ""))
        wrong = ~sound.list.all()
        if wrong.any():
            raise source.error(f"wanted a whole IRI in {match[1]!r}, found another text", row=wrong.arg_max())


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Every column as text; an empty cell is a missing value."""
    texts = frame.select(pl.all().cast(pl.String).str.strip_chars())
    return texts.with_columns(pl.when(pl.all().str.len_bytes() > 0).then(pl.all()))


def _coordinates(frame: pl.DataFrame, source: Source, mapping: TableMapping) -> list[pl.Series]:
    """`:x` and `:y` as numbers, checked; none where the table has no coordinates."""
    columns = []
    for name, column, limit in ((":x", mapping.longitude, 180.0), (":y", mapping.latitude, 90.0)):
        if column:
            text = frame[column].cast(pl.String).str.strip_chars()
            number = text.cast(pl.Float64, strict=False)
            present = text.is_not_null() & (text.str.len_bytes() > 0)
            wrong = present & (number.is_null() | (number.abs() > limit) | ~number.is_finite()).fill_null(True)
            if wrong.any():
                what = "longitude from -180 to 180" if name == ":x" else "latitude from -90 to 90"
                raise source.error(f"wanted a {what}, found another value", row=wrong.arg_max())
            columns.append(number.alias(name))
    return columns


def _times(frame: pl.DataFrame, source: Source, mapping: TableMapping) -> list[pl.Series]:
    """`:begin` and `:end` as seconds since 1970, checked."""
    columns = []
    for name, column in ((":begin", mapping.begin), (":end", mapping.end)):
        if column:
            times = frame[column]
            if times.null_count():
                raise source.error("wanted a time in every row, found an empty cell", row=times.is_null().arg_max())
            columns.append(seconds(times, source).alias(name))
    if len(columns) == 2 and (wrong := columns[1] < columns[0]).any():
        raise source.error("wanted an end that is not before the begin, found an earlier one", row=wrong.arg_max())
    return columns


def _statements(frame: pl.DataFrame, mapping: TableMapping) -> Iterator[pl.Series]:
    subject = _iri(mapping.id)
    frame = frame.with_columns(subject.alias(":id")).filter(pl.col(":id").is_not_null())
    typed = [*mapping.classes[:1], *([BQ + "Event"] if mapping.begin and mapping.end else [])]
    for template in typed:
        yield _lines(_split(frame, mapping, COLUMN.findall(template)), RDF + "type", _iri(template))
    for child, parent in zip(mapping.classes, mapping.classes[1:], strict=False):
        columns = [*COLUMN.findall(child), *COLUMN.findall(parent)]
        rows = _split(frame, mapping, columns).with_columns(_iri(child).alias(":id"))
        yield _lines(rows, RDFS + "subClassOf", _iri(parent)).unique()
    for label in mapping.labels:
        part = _split(frame, mapping, [label.column])
        yield _lines(part, RDFS + "label", _literal(label.column, language=label.language))
    yield from _geometry(frame, mapping)
    yield from _event(frame, mapping)
    for template in mapping.same_as:
        yield _lines(_split(frame, mapping, COLUMN.findall(template)), OWL + "sameAs", _iri(template))
    for entry in mapping.properties:
        yield _property(frame, mapping, entry)


def _geometry(frame: pl.DataFrame, mapping: TableMapping) -> Iterator[pl.Series]:
    if mapping.wkt:
        text = _escaped(pl.col(mapping.wkt))
    elif mapping.longitude and mapping.latitude:
        text = pl.format("POINT({} {})", pl.col(":x"), pl.col(":y"))
    else:
        return
    literal = pl.format('"{}"^^<{}>', text, pl.lit(GEO + "wktLiteral"))
    frame = frame.with_columns(literal.alias(":wkt")).filter(pl.col(":wkt").is_not_null())
    node = pl.concat_str(pl.col(":id").str.strip_suffix(">"), pl.lit("/geometry>"))
    yield _lines(frame, GEO + "hasGeometry", node)
    yield _lines(frame.with_columns(node.alias(":id")), GEO + "asWKT", pl.col(":wkt"))


def _event(frame: pl.DataFrame, mapping: TableMapping) -> Iterator[pl.Series]:
    for name in ("begin", "end"):
        if getattr(mapping, name):
            yield _lines(frame, BQ + name, _instant(pl.col(f":{name}")))
    if mapping.place:
        yield _lines(frame, BQ + "occursIn", _iri(mapping.place))


def _instant(column: pl.Expr) -> pl.Expr:
    moment = (column * 1_000_000).round().cast(pl.Int64).cast(pl.Datetime("us"))
    return pl.format('"{}Z"^^<{}>', moment.dt.strftime("%Y-%m-%dT%H:%M:%S%.f"), pl.lit(XSD + "dateTime"))


def _property(frame: pl.DataFrame, mapping: TableMapping, entry: Property) -> pl.Series:
    if entry.template:
        return _lines(_split(frame, mapping, COLUMN.findall(entry.template)), entry.iri, _iri(entry.template))
    part = _split(frame, mapping, [entry.column])
    return _lines(part, entry.iri, _literal(entry.column, entry.language, entry.datatype))


def _split(frame: pl.DataFrame, mapping: TableMapping, columns: list[str]) -> pl.DataFrame:
    """The frame with one row for each value of columns that hold several; values of a row belong together in order."""
    several = [column for column in dict.fromkeys(columns) if column in mapping.split]
    if not several:
        return frame
    lists = frame.with_columns(pl.col(column).str.split(mapping.split[column]) for column in several)
    return lists.explode(several).with_columns(
        pl.when(pl.col(column).str.len_bytes() > 0).then(pl.col(column)) for column in several
    )


def _lines(frame: pl.DataFrame, predicate: str, value: pl.Expr) -> pl.Series:
    line = pl.concat_str(pl.col(":id"), pl.lit(f" <{predicate}> "), value, pl.lit(" ."))
    return frame.select(line.alias("line")).to_series().drop_nulls()


def _iri(template: str) -> pl.Expr:
    """The IRI of a template, in angle brackets; null where a column of it is empty."""
    parts: list[pl.Expr] = [pl.lit("<")]
    end = 0
    for match in COLUMN.finditer(template):
        parts += [pl.lit(template[end : match.start()]), _safe(pl.col(match[1]))]
        end = match.end()
    return pl.concat_str(*parts, pl.lit(template[end:] + ">"))


def _safe(column: pl.Expr) -> pl.Expr:
    """A value inside an IRI; marks that an IRI cannot hold are written as percent codes."""
    return column.str.replace_many(list(_UNSAFE), list(_UNSAFE.values()))


def _escaped(column: pl.Expr) -> pl.Expr:
    return column.str.replace_many(list(_ESCAPES), list(_ESCAPES.values()))


def _literal(column: str, language: str = "", datatype: str = "") -> pl.Expr:
    ending = f'"@{language}' if language else f'"^^<{datatype}>' if datatype else '"'
    return pl.concat_str(pl.lit('"'), _escaped(pl.col(column)), pl.lit(ending))
