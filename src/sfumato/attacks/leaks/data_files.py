"""Leaks of the data files: what order, numbers, columns, labels and form reveal besides the data."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from sfumato.attacks.leaks.leak import Leak
from sfumato.attacks.leaks.wordings import is_current
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Chunks, Dataset
from sfumato.data.base import Ints
from sfumato.errors import FileError
from sfumato.io.frames import csv_text
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.chunks import CHUNKS, CLUSTERS, chunk_rows
from sfumato.io.published.directory import Published
from sfumato.io.published.row_files import digest_of_content, is_part, read_rows

__all__ = ["data_leaks", "in_order", "rows_rise", "text_of_file"]

_HEAD = {
    "trajectories": ("trajectory", "step", "location"),
    "transactions": ("record", "item"),
    "roads": ("trajectory", "step", "interval", "road", "direction"),
}


def data_leaks(published: Published, original: Dataset | None, exact: Collection[str] = ()) -> Iterator[Leak]:
    """Everything that the data files should not say.

    exact : the files that have the bytes which the library writes of the data that were read from them.  The form, the
    numbers and the order of records in such a file need no look; the order of a table's rows does.
    """
    kind = published.certificate.kind
    if kind == "chunks":
        yield from _chunks(published, exact)
        return
    parts = [part for part in published.files.contents if is_part(part)]
    name = "data" if parts else f"data.{published.format}"
    if not (kind in _HEAD and set(parts or [name]) <= set(exact)):
        text = _text_of_parts(published) if parts else text_of_file(published, name)
        if text is None:
            return
        frame = _as_text(text)
        if frame is None:
            yield Leak("form", name, "rows of different length")
            return
        if kind in _HEAD:
            yield from _tidy(frame, _HEAD[kind], name)
        else:
            yield from _rows(frame, published, original, name)
        if csv_text(frame) != text:
            yield Leak("form", name, "blanks, quotation marks or line ends that the library never writes")
    yield from _members(published, original)


def in_order(frame: pl.DataFrame) -> bool:
    """Whether rows rise from column to column, each as texts or as numbers, nothing before everything.

    >>> in_order(pl.DataFrame({"a": ["9", "10", "10"], "b": [None, "x", "y"]}))
    True
    >>> in_order(pl.DataFrame({"a": ["b", "a"]}))
    False
    """
    tied = np.ones(max(0, len(frame) - 1), dtype=bool)
    for column in frame.columns:
        cells = frame[column].cast(pl.String)
        ways = [_ranks(cells)]
        whole, numbers = (cells.cast(dtype, strict=False) for dtype in (pl.Int128, pl.Float64))
        if whole.null_count() == cells.null_count():  # a float takes neighbours beyond 2^53 for one
            ways.append(_ranks(whole))
        elif numbers.null_count() == cells.null_count():
            ways.append(_ranks(numbers))
        steps = [np.diff(way) for way in ways]
        rising = [step for step in steps if not np.any(step[tied] < 0)]
        if not rising:
            return False
        tied = tied & (rising[0] == 0)
    return True


def _ranks(column: pl.Series) -> Any:
    return column.rank("dense").fill_null(0).to_numpy().astype(np.int64)


def text_of_file(published: Published, name: str) -> str | None:
    """A file of the directory as far as it is text, a Parquet file as CSV, or None where none can be read."""
    if name not in published.files.contents:
        return None
    if name.endswith(".parquet"):
        try:
            return csv_text(read_rows(published.folder / name)[0])
        except FileError:
            return None
    return published.files.contents[name].decode("utf-8-sig", "replace")


def _text_of_parts(published: Published) -> str | None:
    """The parts of the data as one text, or None where they cannot be read."""
    try:
        return csv_text(read_rows(published.folder / "data")[0])
    except FileError:
        return None


def _as_text(text: str | None) -> pl.DataFrame | None:
    if text is None:
        return None
    try:
        frame = pl.read_csv(io.StringIO(text), infer_schema=False)
        frame.columns = next(csv.reader(_lines(text)))  # polars leaves doubled quotation marks in
    except (pl.exceptions.PolarsError, csv.Error, ValueError, StopIteration):
        return None
    return frame


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, one after the other, without a copy of all."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _tidy(frame: pl.DataFrame, head: tuple[str, ...], name: str) -> Iterator[Leak]:
    """Files with one row a visit or item."""
    for column in frame.columns:
        if column not in head:
            yield Leak("columns", name, f"a column {column!r} that the format does not have")
    if any(column not in frame.columns for column in head) or len(frame) == 0:
        return
    record = frame[head[0]].cast(pl.Int64, strict=False)
    if record.null_count():
        yield Leak("numbers", name, "records that are not numbered")
        return
    number = record.to_numpy()
    if number[0] != 1 or np.any(np.diff(number) < 0) or np.any(np.diff(number) > 1):
        yield Leak("numbers", name, "records that are not numbered 1, 2, ... in the order of the file")
    new = np.concatenate(([True], np.diff(number) != 0))
    starts = np.flatnonzero(new)
    if "step" in head:
        step = frame["step"].cast(pl.Int64, strict=False).fill_null(-1).to_numpy()
        wanted = np.arange(len(frame)) - np.repeat(starts, np.diff(np.append(starts, len(frame)))) + 1
        if not np.array_equal(step, wanted):
            yield Leak("numbers", name, "steps that are not numbered 1, 2, ... in each record")
    if head == _HEAD["roads"]:
        return
    labels = frame[head[-1]].fill_null("")
    codes = labels.cast(pl.Enum(labels.unique().sort())).to_physical().to_numpy().astype(np.int64)
    if head[0] == "record" and np.any((np.diff(codes) <= 0) & ~new[1:]):
        yield Leak("order", name, "items of a record that are not sorted")
    if not rows_rise(codes, np.append(starts, len(frame))):
        yield Leak("order", name, "records that are not sorted by their content")


def rows_rise(codes: Ints, offsets: Ints) -> bool:
    """Whether no row of codes comes before the row before it, code by code, a row before its continuations.

    >>> rows_rise(np.array([1, 2, 1, 2, 3, 2]), np.array([0, 2, 5, 6]))
    True
    """
    lengths, position = np.diff(offsets), 0
    tied = np.arange(len(lengths) - 1)
    while len(tied):
        tied = tied[lengths[tied] > position]  # where it has ended, it is the beginning of the next row
        if np.any(lengths[tied + 1] <= position):
            return False
        step = codes[offsets[tied + 1] + position] - codes[offsets[tied] + position]
        if np.any(step < 0):
            return False
        tied, position = tied[step == 0], position + 1
    return True


def _rows(frame: pl.DataFrame, published: Published, original: Any, name: str) -> Iterator[Leak]:
    """Files with one row a record."""
    known = _as_text(text_of_file(published, "context/roles.csv"))
    table = getattr(original, "table", original)
    original = original if hasattr(table, "frame") else None  # the certificate may speak of another kind
    extra = set()
    if original is not None:
        allowed = {*table.frame.columns, getattr(original, "column", "")}
        extra = {column for column in frame.columns if column not in allowed}
    if known is not None and "column" in known.columns:
        extra |= set(frame.columns) - set(known["column"].to_list())
    for column in sorted(extra):
        yield Leak("columns", name, f"a column {column!r} that the original does not have")
    for column in frame.columns:
        if column not in extra and original is not None and column in table.frame.columns:
            if numbers_rows(table.frame[column]) and _is_numeric(frame[column]):
                yield Leak("columns", name, f"a column {column!r} that numbers the rows of the original")
            if table.frame[column].dtype.is_numeric() and not one_spelling(frame[column]):
                yield Leak("form", name, f"numbers of the column {column!r} in more than one spelling")
    if not in_order(frame):
        yield Leak("order", name, "rows that are not sorted by their content")


def numbers_rows(cells: pl.Series) -> bool:
    """Whether a column of the original counts its rows up one by one; one that merely rises may hold anything.

    >>> numbers_rows(pl.Series(range(5, 30))), numbers_rows(pl.Series(range(1000, 1175, 7)))
    (True, False)
    """
    if not cells.dtype.is_integer() or len(cells) < 20 or cells.null_count():
        return False
    return bool((cells.diff().drop_nulls() == 1).all())


def one_spelling(cells: pl.Series) -> bool:
    """Whether numbers written as texts are written as a column of numbers is, each value in one way.

    >>> one_spelling(pl.Series(["1", "20"])), one_spelling(pl.Series(["1", "1.0"])), one_spelling(pl.Series(["01"]))
    (True, False, False)
    """
    texts = cells.drop_nulls().unique()
    texts = texts.filter(texts != "-0.0")  # another number than 0.0 to a computer
    if texts.str.contains(r"^-?[0-9]+$").all():
        return bool(texts.str.contains(r"^(0|-?[1-9][0-9]*)$").all())
    numbers = texts.cast(pl.Float64, strict=False)
    if numbers.drop_nulls().n_unique() < len(numbers.drop_nulls()):
        return False
    if numbers.null_count() or len(texts) == 0:  # labels among them
        return True
    return any(_written(texts, way) for way in (pl.Int64, pl.Float64, pl.Float32))


def _written(texts: pl.Series, dtype: Any) -> bool:
    """Whether these are how a file has numbers of this type, or how a label has them, without a last .0."""
    numbers = texts.cast(dtype, strict=False)
    if numbers.null_count():
        return False
    rewritten = pl.Series(numbers.to_frame().write_csv(include_header=False).splitlines(), dtype=pl.String)
    return bool((rewritten == texts).all()) or bool((rewritten.str.replace(r"\.0$", "") == texts).all())


def _is_numeric(cells: pl.Series) -> bool:
    return cells.cast(pl.Float64, strict=False).null_count() == 0


def _chunks(published: Published, exact: Collection[str]) -> Iterator[Leak]:
    heads = {CHUNKS: ["cluster", "chunk", "kind", "subrecord", "item"], CLUSTERS: ["cluster", "size", "parent"]}
    names = {f"{stem}.{published.format}": head for stem, head in heads.items()}
    if set(names) <= set(exact):
        return
    for name, head in names.items():
        frame = _as_text(text_of_file(published, name))
        for column in [] if frame is None else frame.columns:
            if column not in head:
                yield Leak("columns", name, f"a column {column!r} that the format does not have")
    data = published.data
    if not isinstance(data, Chunks):
        return
    ordered, plain = (chunk_rows(form) for form in (data.published()[0], data))
    for stem, name in zip(heads, names, strict=True):
        digest = digest_of_content(text_of_file(published, name) or "", name)
        if digest_of_content(plain[stem], ".csv") != digest:
            yield Leak("form", name, "numbers, an order or blanks that the library never writes")
        elif digest_of_content(ordered[stem], ".csv") != digest:
            yield Leak("order", name, "clusters, chunks or subrecords that are not sorted by their content")


def _members(published: Published, original: Dataset | None) -> Iterator[Leak]:
    certificate, name = published.certificate, f"members.{published.format}"
    text = text_of_file(published, name)
    if text is None:
        return
    frame = _as_text(text)
    if frame is None:
        yield Leak("form", name, "rows of different length")
        return
    for column in frame.columns:
        if column not in ("attribute", "label", "member"):
            yield Leak("columns", name, f"a column {column!r} that the format does not have")
    if any(column not in frame.columns for column in ("attribute", "label", "member")):
        return
    if csv_text(frame) != text:
        yield Leak("form", name, "blanks, quotation marks or line ends that the library never writes")
    groups = frame.drop_nulls().group_by("attribute", "label", maintain_order=True).agg("member")
    for attribute in groups["attribute"].unique(maintain_order=True).to_list():
        here = groups.filter(pl.col("attribute") == attribute)
        labels = here["label"].to_list()
        if labels != sorted(labels):
            yield Leak("order", name, "labels that are not sorted")
        groups_here = zip(labels, here["member"].to_list(), strict=True)
        in_order = is_current(certificate)  # older versions have the members of a node in the order of its tree
        if not all(
            members == sorted(set(members)) if in_order else _one_by_one(label, members, original, attribute)
            for label, members in groups_here
        ):
            yield Leak("order", name, "members that are not sorted, or that occur twice")
        generated = [(label, tuple(members)) for label, members in zip(labels, here["member"].to_list(), strict=True)]
        generated = [(label, members) for label, members in generated if re.fullmatch(r"g+\d+", label)]
        generated.sort(key=lambda entry: int(entry[0].lstrip("g")))
        firsts = [min(members) for _, members in generated]
        in_line = [label for label, _ in generated] == [
            f"{generated[0][0].rstrip('0123456789')}{number}" for number in range(1, len(generated) + 1)
        ]
        mixed = certificate.kind == "mixed"  # labels of a mix may be nodes that are called so
        wrong = firsts != sorted(firsts) if in_line or not is_current(certificate) else not mixed
        if wrong and not _by_nodes(certificate):
            yield Leak("labels", name, "generated labels that are not numbered in the order of their members")


def _by_nodes(certificate: Certificate) -> bool:
    return certificate.method in METHODS and method_class(certificate.method).labels_are_nodes


def _one_by_one(label: str, members: list[str], original: Dataset | None, attribute: str) -> bool:
    """Whether each member comes once, by name or as a taxonomy has it; one that is not available cannot be asked."""
    if members == sorted(set(members)):
        return True
    tree = getattr(original, "hierarchies", {}).get(attribute) or getattr(original, "taxonomy", None)
    if tree is None or label not in tree:
        return len(set(members)) == len(members) and re.fullmatch(r"g+\d+", label) is None
    rank = {leaf: index for index, leaf in enumerate(tree.leaves_below(tree.root))}
    places = [rank[member] for member in members if member in rank]
    return all(a < b for a, b in pairwise(places)) and len(set(members)) == len(members)
