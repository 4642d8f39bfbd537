"""`sfumato prepare limit`: fewer records of each person, before the data are anonymized."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import columns_of, input_options, json_option, show_notes, with_options
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import MissingKnowledge, OutputError

if TYPE_CHECKING:
    import polars as pl

    from sfumato.data.base import Ints

__all__ = ["limit"]

_RECORD = {"trajectories": "trajectory", "roads": "trajectory", "transactions": "record"}


@with_options(input_options(("items",)))
@click.command("limit")
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write; it is private.")
@click.option(
    "--records-per-person", type=int, required=True, help="The largest number of records of a person (1 or more)."
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed repeats a run exactly.")
@json_option
def limit(input: Path, out: Path, records_per_person: int, seed: int | None, as_json: bool, **options: Any) -> None:
    """Keep a limited number of records of each person in INPUT, drawn at random.

    The output has the columns of INPUT, including the persons.  It is as private as INPUT.
    """
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import write_frame
    from sfumato.io.outputs import require_outputs
    from sfumato.prepare import LimitRecords

    step = LimitRecords(records_per_person=records_per_person, seed=seed)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")
    require_outputs([("output", out)], inputs=[input])
    frame, record, persons = _rows(input, options)
    stays = step.kept_records(persons)
    write_frame(frame.filter(_among(record, stays)), out)
    counts = step.counts(persons)
    if as_json:
        print_json({"out": str(out), "records": len(stays), **counts, "parameters": step.to_json()})
        return
    most = f"{records_per_person:,} record{'s' if records_per_person > 1 else ''}"
    say(
        f"{counts['persons_cut']:,} of {int(persons.max()) + 1:,} persons had more than {most}: "
        f"{counts['records_cut']:,} of {len(persons):,} records left out, {len(stays):,} in {out}"
    )


def _rows(path: Path, options: dict[str, Any]) -> tuple[pl.DataFrame, Ints, Ints]:
    """The rows of a file, the record of each row, and the person of each record."""
    import numpy as np

    from sfumato.data import frames
    from sfumato.data.base import Persons
    from sfumato.data.rows.records import grouped, persons_of
    from sfumato.io.datasets import columns_in_file, kind_in_file
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import read_frame

    unknown = MissingKnowledge(
        f"{path}: wanted a person for each record, found no column of persons; name it (--person COLUMN)"
    )
    if suffix_of(path) in (".txt", ".dat", ".spmf"):  # lines of names
        raise unknown
    columns = columns_of(options["columns"])
    if options["person"] is not None:
        columns["person"] = options["person"]
    kind = kind_in_file(path, kind=options["kind"], columns=columns, items=options["items"])
    was_named = "person" in columns
    columns = columns_in_file(path, kind, columns)
    if not was_named and "person" in columns:
        guess = f"{path}: the column {columns['person']!r} is read as the person by its name"
        show_notes([f"{guess}; if that is wrong, name another (--person COLUMN)"])
    frame, source = read_frame(path)
    key = columns.get(_RECORD[kind], _RECORD[kind]) if kind in _RECORD else None
    person = columns.get("person", None if key is None else "person")
    for column in filter(None, (key, columns.get("person"))):
        if column not in frame.columns:
            raise source.error(f"wanted a column {column!r}, found {', '.join(frame.columns)}")
    if person is None or person not in frame.columns:
        raise unknown
    if len(frame) == 0:
        raise source.error("wanted at least one row, found none")
    frames.refuse_missing(frame[person], "person", source)
    if key is None:
        return frame, np.arange(len(frame)), Persons.of(frame[person]).codes
    frames.refuse_missing(frame[key], key, source)
    record, _, _ = grouped(frame[key])
    return frame, record, persons_of(frame[person], record, _RECORD[kind], source).codes


def _among(record: Ints, stays: Ints) -> pl.Series:
    """Which rows belong to a record that stays."""
    import numpy as np
    import polars as pl

    kept = np.zeros(int(record.max()) + 1, dtype=bool)
    kept[stays] = True
    return pl.Series(kept[record])
