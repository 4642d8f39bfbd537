"""Answers to descriptions of movement: a SPARQL query for each category, and joins for relatives and companions."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.knowledge.answers import Answer
from sfumato.semantics.knowledge.geometry import shapely, without_crs
from sfumato.semantics.movement.triples.terms import times_of
from sfumato.semantics.queries.companions import Members, pairs_of
from sfumato.semantics.queries.compiling import compile_pattern
from sfumato.semantics.queries.pattern_category import MAIN, Companion, PatternCategory
from sfumato.semantics.queries.relatives_join import CategoryRows
from sfumato.semantics.queries.segment_category import SegmentCategory

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["answer_question"]


def answer_question(
    base: KnowledgeBase, question: PatternCategory | SegmentCategory, *, timeout_s: float | None = None
) -> Answer:
    """The answer of a knowledge base to a description, as its SPARQL query would give it.

    Relatives are joined level by level, and companions found by time and place with indices, because one query for all
    would compare every pair of segments.
    timeout_s : how long each query may take.
    """
    pattern = question if isinstance(question, PatternCategory) else PatternCategory(segment=question)
    if not pattern.companions and not pattern.segment.relatives:
        return base.answer(compile_pattern(pattern, tables=True), timeout_s=timeout_s)
    members = CategoryRows(lambda query: _terms(base, query, timeout_s))
    frame = members.rows(pattern.segment, _facts(pattern))
    main = pattern.segment.name or MAIN
    columns = [main, *(name for name in pattern.segment.columns() if name != main)]
    for companion in pattern.companions:
        frame = _joined(members, frame, main, companion)
        columns += companion.columns()
    if pattern.answer != "segment":
        frame, columns = frame.rename({f"{main}_{pattern.answer}": pattern.answer}), [pattern.answer]
    return Answer("rows", _tsv(_ordered(frame.select(columns))))


def _ordered(frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct rows in the order of their terms; terms are compared once, however many rows have them."""
    numbered = []
    for column in frame.iter_columns():
        terms = column.unique().to_frame()
        terms = terms.select(pl.all().sort_by(pl.all().str.strip_chars("<>")))
        numbered.append(column.cast(pl.Enum(terms.to_series())))
    rows = pl.DataFrame(numbered).unique().sort(frame.columns)
    return rows.with_columns(pl.all().cast(pl.String))


def _facts(pattern: PatternCategory) -> tuple[str, ...]:
    """The facts about the segments that the companions need."""
    needs_shape = any(companion.at_most_m is not None for companion in pattern.companions)
    facts = ("begin", "end", *(("wkt",) if needs_shape else ())) if pattern.companions else ()
    facts = (*facts, "person") if pattern.companions or pattern.answer == "person" else facts
    return (*facts, "object") if pattern.answer == "object" else facts


def _terms(base: KnowledgeBase, query: str, timeout_s: float | None) -> pl.DataFrame:
    """The answer to a query as the terms that the store writes."""
    answer = base.answer(query, timeout_s=timeout_s)
    header, _, lines = answer.content.partition(b"\n")
    names = [name.removeprefix("?") for name in header.decode().strip().split("\t")]
    if not lines.strip():
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    return pl.read_csv(lines, separator="\t", has_header=False, quote_char=None, infer_schema=False, new_columns=names)


def _joined(members: CategoryRows, frame: pl.DataFrame, main: str, companion: Companion) -> pl.DataFrame:
    """The segments with a companion: a row for each pair if the companion gives columns, otherwise each once."""
    facts = ("begin", "end", *(("wkt",) if companion.at_most_m is not None else ()), "person")
    others = members.rows(companion.segment, facts)
    other = companion.segment.name or MAIN
    numbers = _person_numbers(frame[f"{main}_person"], others[f"{other}_person"])
    first = _as_members(frame, main, companion, numbers[0])
    second = _as_members(others, other, companion, numbers[1])
    left, right = pairs_of(first, second, companion)
    different = (frame[main].gather(left) != others[other].gather(right)).to_numpy()
    left, right = left[different], right[different]
    if not companion.columns():
        return frame.select(pl.all().gather(np.unique(left)))
    pairs = [frame[left], others[right].select(companion.segment.columns())]
    if companion.shared is not None:
        shared = np.minimum(first.end[left], second.end[right]) - np.maximum(first.begin[left], second.begin[right])
        pairs.append(pl.DataFrame({companion.shared: _durations(shared)}))
    joined: pl.DataFrame = pl.concat(pairs, how="horizontal")
    return joined


def _person_numbers(first: pl.Series, second: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of persons in the order that STR() gives them."""
    texts = [column.str.strip_chars("<>") for column in (first, second)]
    order = pl.Enum(pl.concat([text.rename("person") for text in texts]).unique().sort())
    numbers = [text.cast(order).to_physical().cast(pl.Int64).to_numpy() for text in texts]
    return numbers[0], numbers[1]


def _as_members(frame: pl.DataFrame, name: str, companion: Companion, person: np.ndarray) -> Members:
    """Numbers and geometries of the terms."""
    times = [times_of(frame[f"{name}_{edge}"].str.extract(r'^"([^"]*)"')).to_numpy() for edge in ("begin", "end")]
    shape = None
    if companion.at_most_m is not None:
        texts = frame[f"{name}_wkt"].str.extract(r'^"([^"]*)"').to_list()
        library = shapely()
        shape = library.from_wkt(np.array([without_crs(text) for text in texts], dtype=object), on_invalid="ignore")
        if (broken := int((library.is_missing(shape) | library.is_empty(shape)).sum())) > 0:
            raise DataError(f"wanted a geometry in WKT, found {broken:,} that are not WKT or are empty")
    return Members(times[0], times[1], person, shape)


def _durations(seconds: np.ndarray) -> pl.Series:
    """Durations as the store writes them: days, hours, minutes and seconds that are not 0."""
    texts = []
    different, rows = np.unique(np.round(seconds, 6), return_inverse=True)
    for value in different.tolist():
        whole = round(value, 6)
        days, rest = divmod(whole, 86_400)
        hours, rest = divmod(rest, 3_600)
        minutes, rest = divmod(rest, 60)
        clock = [(hours, "H"), (minutes, "M"), (rest, "S")]
        time = "".join(f"{number:.6f}".rstrip("0").rstrip(".") + unit for number, unit in clock if number)
        day = f"{int(days)}D" if days else ""
        texts.append(f"P{day}{'T' + time if time else ''}" if day or time else "PT0S")
    datatype = "http://www.w3.org/2001/XMLSchema#dayTimeDuration"
    return pl.Series([f'"{text}"^^<{datatype}>' for text in texts], dtype=pl.String).gather(rows)


def _tsv(frame: pl.DataFrame) -> bytes:
    """Terms as SPARQL TSV."""
    header = "\t".join(f"?{name}" for name in frame.columns)
    lines = io.BytesIO()
    frame.write_csv(lines, include_header=False, separator="\t", quote_style="never")
    return f"{header}\n".encode() + lines.getvalue()
