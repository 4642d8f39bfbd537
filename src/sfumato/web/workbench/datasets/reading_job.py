"""The work of reading an uploaded file (unpack, read, guess roles, describe) and of saving edits.  Without Django."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.errors import DataError, FileError, SfumatoError
from sfumato.io.files import is_zipped, suffix_of
from sfumato.io.inputs.file_rows import FileRows, rows_in_file
from sfumato.io.inputs.role_guesses import RoleGuess, guess_roles
from sfumato.io.inputs.text_encodings import write_utf8
from sfumato.web.workbench.datasets.grid import Grid
from sfumato.web.workbench.datasets.operations import ROW
from sfumato.web.workbench.datasets.readings import after

__all__ = ["profile_of", "read_upload", "reading_of", "save_edits", "write_private"]

MOST_COLUMNS = 2_000
_BLOCK = 1 << 22
Progress = Callable[[str, int, int], None]


def read_upload(
    *,
    file: str,
    name: str,
    options: Mapping[str, Any],
    roles: Mapping[str, str],
    unpacked: int,
    progress: Progress,
    **others: Any,  # noqa: ARG001  for what records the result
) -> dict[str, Any]:
    """Read a file of the project and write its rows beside it as Parquet.

    options : kind, columns, items, missing, dates, sheet, as `sfumato.read` takes them, and the encoding of a text;
    absent ones are guessed.
    roles : of the columns of a table; absent ones are guessed.  unpacked : the largest size of an unpacked file.
    """
    path = plain = Path(file)
    options = dict(options)
    encoding = options.pop("encoding", "")
    notes: list[str] = []
    try:
        plain = _plain(path, name, unpacked, progress)
        if encoding:
            plain = _recoded(plain, path, encoding)
        progress("reading", 1, 3)
        _refuse_wide(_columns_in(plain))
        _refuse_nul(plain)
        rows = _rows(plain, options, notes)
        _refuse_wide(rows.frame.width)
        guesses = _guesses(rows, roles)
        reading = reading_of(rows, {column: guess.role for column, guess in guesses.items()}, options)
        progress("describing", 2, 3)
        profile = profile_of(rows.frame, reading, notes)
    except SfumatoError as error:
        if plain != path:
            plain.unlink(missing_ok=True)
        sentence = str(error).replace(str(plain), name).replace(str(path), name).replace("the frame", name)
        raise DataError(sentence) from None
    output = path.with_name(f"{path.name.partition('.')[0]}.rows")
    write_private(rows.frame, output)
    if plain != path:
        plain.unlink()
    progress("describing", 3, 3)
    return {
        "output": output.as_posix(),
        "reading": reading,
        "rows": len(rows.frame),
        "profile": profile,
        "notes": [note.replace(str(plain), name) for note in notes],
        "guesses": {column: [guess.role, guess.reason] for column, guess in guesses.items()},
        "names": rows.frame.columns,
        "lines": suffix_of(path) in (".txt", ".dat", ".spmf"),
    }


def _refuse_wide(columns: int) -> None:
    """Refuse more columns than a page can list."""
    if columns > MOST_COLUMNS:
        raise DataError(f"wanted at most {MOST_COLUMNS:,} columns, found {columns:,} or so")


def _refuse_nul(path: Path) -> None:
    """Refuse a file of texts with a NUL character, which is another format or damaged; databases do not keep it."""
    if suffix_of(path) not in (".csv", ".tsv", ".txt", ".dat", ".spmf"):
        return
    lines = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            if (place := block.find(b"\0")) >= 0:
                line = lines + block.count(b"\n", 0, place) + 1
                raise FileError(path, "wanted text, found a NUL character (is it another format?)", line=line)
            lines += block.count(b"\n")


def _columns_in(path: Path) -> int:
    """The columns of a CSV file by the separators in its first line; 1 for other files."""
    if suffix_of(path) not in (".csv", ".tsv"):
        return 1
    with path.open("rb") as file:
        head = file.readline(_BLOCK)
    return 1 + max(head.count(sign) for sign in (b",", b";", b"\t"))


def _plain(path: Path, name: str, unpacked: int, progress: Progress) -> Path:
    """The file itself or, of a gzip file, its content in a file beside it, which may not be too large."""
    if not is_zipped(path):
        return path
    plain = path.with_name(f"{path.name.partition('.')[0]}-plain{suffix_of(path)}")
    size = 0
    try:
        with gzip.open(path) as source, open(plain, "wb", opener=_private) as target:
            while block := source.read(_BLOCK):
                size += len(block)
                if size > unpacked:
                    raise DataError(f"{name}: wanted at most {unpacked >> 20:,} MB when unpacked, found more")
                target.write(block)
                progress("unpacking", 0, 0)
    except (EOFError, OSError):
        plain.unlink(missing_ok=True)
        raise DataError(f"{name}: the gzip file ends early or is damaged") from None
    except DataError:
        plain.unlink(missing_ok=True)
        raise
    return plain


def _recoded(plain: Path, path: Path, encoding: str) -> Path:
    """The text in UTF-8, in a file beside the one that was uploaded."""
    target = path.with_name(f"{path.name.partition('.')[0]}-text{suffix_of(path)}")
    try:
        write_utf8(plain, target, encoding)
    finally:
        if plain != path:
            plain.unlink()
    return target


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _rows(path: Path, options: dict[str, Any], notes: list[str]) -> FileRows:
    """The rows; a table with a column of items is mixed data unless a kind was chosen."""
    rows = rows_in_file(path, **options, notes=notes)
    if options.get("kind") is None and rows.kind == "table":
        items = next((name for name, guess in guess_roles(rows.frame).items() if guess.role == "items"), None)
        if items is not None:
            notes.clear()
            rows = rows_in_file(path, **{**options, "kind": "mixed", "items": items}, notes=notes)
    return rows


def _guesses(rows: FileRows, roles: Mapping[str, str]) -> dict[str, RoleGuess]:
    if rows.kind not in ("table", "mixed"):
        return {}
    guesses = guess_roles(rows.frame)
    if not roles:
        return guesses
    return {
        column: guess if roles.get(column, guess.role) == guess.role else RoleGuess(roles[column], "chosen by you")
        for column, guess in guesses.items()
    }


def reading_of(rows: FileRows, roles: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """How `sfumato.read` reads the frame: kind, columns of roles, items, quasi-identifiers, sensitive columns."""
    columns = dict(rows.columns)
    reading: dict[str, Any] = {"kind": rows.kind}
    if rows.kind in ("table", "mixed"):
        person = next((column for column, role in roles.items() if role == "person"), None)
        columns = {} if person is None else {"person": person}
        chosen = {role: [column for column, own in roles.items() if own == role] for role in set(roles.values())}
        items = options.get("items") or next(iter(chosen.get("items", ())), "items")
        if rows.kind == "mixed":
            reading["items"] = items
        reading["quasi_identifiers"] = [name for name in chosen.get("quasi-identifier", ()) if name != items]
        reading["sensitive"] = [name for name in chosen.get("sensitive", ()) if name != items]
        if "week" in str(options.get("dates", "")):
            reading["dates"] = "week"
    if columns:
        reading["columns"] = columns
    return reading


def profile_of(
    frame: pl.DataFrame, reading: Mapping[str, Any], notes: list[str] | None = None, data: Any = None
) -> dict[str, Any]:
    """Figures about the data, without a value of them; reading them also checks that they can be read.

    Road trajectories are described by their rows alone while their network is not known.  data : the dataset, where
    it is there already.
    """
    from sfumato.api.reading import read
    from sfumato.experiments.description import describe

    columns = [
        {"column": column.name, "type": str(column.dtype.base_type()), "missing": column.null_count()}
        for column in frame.iter_columns()
    ]
    if data is None and reading["kind"] == "roads":
        name = reading.get("columns", {}).get("trajectory", "trajectory")
        figures: dict[str, Any] = {"kind": "roads", "rows": len(frame)}
        if name in frame.columns:
            figures["records"] = frame[name].n_unique()
        return {"figures": figures, "columns": columns}
    if data is None:
        options: dict[str, Any] = {"notes": [] if notes is None else notes}
        options |= {name: tuple(value) if isinstance(value, list) else value for name, value in reading.items()}
        data = read(frame, **options)
    described = describe(data)
    histograms = {name: dict(bars) for name, bars in described.histograms.items()}
    return {"figures": dict(described.figures), "columns": columns, "histograms": histograms}


def write_private(frame: pl.DataFrame, path: Path) -> None:
    """Write a Parquet file that only the server can read, completely or not at all."""
    partial = path.with_name(f"{path.name}.part")
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    frame.write_parquet(partial, row_group_size=50_000)
    os.replace(partial, path)


def save_edits(
    *,
    file: str,
    draft: str,
    reading: Mapping[str, Any],
    output: str,
    progress: Progress,
    **others: Any,  # noqa: ARG001  for what records the result
) -> dict[str, Any]:
    """Write the rows of a version after the operations of a draft; data that could not be read are refused."""
    content = json.loads(Path(draft).read_text(encoding="utf-8"))
    operations = content["operations"][: content["position"]]
    progress("applying", 0, 2)
    frame = Grid(Path(file), operations).all_rows().drop(ROW).collect()
    changed = after(reading, operations)
    progress("describing", 1, 2)
    try:
        profile = profile_of(frame, changed)
    except SfumatoError as error:
        raise DataError(str(error).replace("the frame", "the edited data")) from None
    write_private(frame, Path(output))
    progress("describing", 2, 2)
    return {"rows": len(frame), "reading": changed, "profile": profile}
