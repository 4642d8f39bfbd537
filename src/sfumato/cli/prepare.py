"""`sfumato prepare limit`: data of the same form, cut before they are anonymized."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import columns_of, input_options, json_option, with_options
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import MissingKnowledge, OutputError

if TYPE_CHECKING:
    import polars as pl

    from sfumato.data.base import Ints

__all__ = ["command"]

_RECORD = {"trajectories": "trajectory", "roads": "trajectory", "transactions": "record"}


@click.group("prepare", options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Cut data before they are anonymized."""


@with_options(input_options(("items",)))
@command.command("limit")
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write; it is private.")
@click.option(
    "--records-per-person", type=int, required=True, help="How many records of a person stay, at most (1 or more)."
)
@click.option("--seed", type=click.IntRange(min=0), help="Repeat a run exactly.")
@json_option
def limit(input: Path, out: Path, records_per_person: int, seed: int | None, as_json: bool, **said: Any) -> None:
    """Keep at most so many records of each person of INPUT, drawn at random.

    The output has the columns of INPUT, persons included: it is as private as INPUT.
    """
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import write_frame
    from sfumato.io.outputs import require_outputs
    from sfumato.prepare import LimitRecords

    step = LimitRecords(records_per_person=records_per_person, seed=seed)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")
    require_outputs([("output", out)], inputs=[input])
    frame, record, persons = _rows(input, said)
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


def _rows(path: Path, said: dict[str, Any]) -> tuple[pl.DataFrame, Ints, Ints]:
    """The rows of a file as they are, the record of each row, and the person behind each record."""
    import numpy as np

    from sfumato.data import frames
    from sfumato.data.base import Persons
    from sfumato.io.datasets import kind_in_file
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import read_frame

    unknown = MissingKnowledge(
        f"{path}: limiting records needs to know who is behind each of them, this file does not say; name the column "
        "of persons (--person COLUMN)"
    )
    if suffix_of(path) in (".txt", ".dat", ".spmf"):  # lines of names
        raise unknown
    columns = columns_of(said["columns"])
    if said["person"] is not None:
        columns["person"] = said["person"]
    kind = kind_in_file(path, kind=said["kind"], columns=columns, items=said["items"])
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
    record, _, _ = frames.grouped(frame[key])
    return frame, record, frames.persons_of(frame[person], record, _RECORD[kind], source).codes


def _among(record: Ints, stays: Ints) -> pl.Series:
    """Which rows belong to a record that stays."""
    import numpy as np
    import polars as pl

    found = np.zeros(int(record.max()) + 1, dtype=bool)
    found[stays] = True
    return pl.Series(found[record])
