"""The options that choose where a command runs: on one machine, or on Apache Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import columns_of, names_of
from sfumato.errors import DataError, FileError

if TYPE_CHECKING:
    from sfumato.spark.itemsets.chunk_rows import ChunkRows
    from sfumato.spark.records import Records
    from sfumato.spark.roads.records import RoadRecords
    from sfumato.spark.table_methods import TableRows
    from sfumato.spark.tables import Rows
    from sfumato.verification import Check

__all__ = [
    "check_on_spark",
    "engine_options",
    "load_chunks_on_spark",
    "load_on_spark",
    "load_roads_on_spark",
    "load_rows_on_spark",
    "load_table_on_spark",
    "refuse_others",
    "take_engine",
]

_READ = ("places", "taxonomy", "constraints")  # the side knowledge that commands on Spark read


def engine_options() -> list[click.Option]:
    """--engine, --master and --conf."""
    return [
        click.Option(
            ["--engine"],
            type=click.Choice(["local", "spark"]),
            default="local",
            show_default=True,
            help="Where to run: on this machine, or on Apache Spark, for a directory of Parquet files.",
        ),
        click.Option(["--master"], help="The URL of the Spark cluster [default: local[*], the cores of this machine]."),
        click.Option(["--conf"], multiple=True, help="A setting of Spark, as name=value; may be given several times."),
    ]


def take_engine(options: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of `sfumato.spark.start`, or None on one machine; the options are removed."""
    engine, master, conf = options.pop("engine"), options.pop("master"), options.pop("conf")
    if engine == "local":
        if master is not None or conf:
            raise click.UsageError("--master and --conf need --engine spark")
        return None
    pairs = [text.partition("=") for text in conf]
    if any(not (name and equals) for name, equals, _ in pairs):
        raise click.UsageError("--conf: wanted name=value, found another text")
    return {"master": master or "local[*]", "conf": {name: value for name, _, value in pairs}}


def load_table_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> Rows:
    """Read a table from a directory of Parquet files on Spark."""
    from sfumato.spark.parquet import parquet_files
    from sfumato.spark.session import start
    from sfumato.spark.tables import Rows

    known, person = names_of(options.pop("quasi_identifiers", None)), options.pop("person", None)
    sensitive = names_of(options.pop("sensitive", None))
    refuse_others(options)
    parquet_files(path)  # a wrong path is said before a session is started
    return Rows.read(start(**started), path, quasi_identifiers=known, person=person, sensitive=sensitive)


def load_rows_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> TableRows:
    """Read a table with its roles and hierarchies from a directory of Parquet files on Spark."""
    from sfumato.io import read_hierarchies
    from sfumato.spark.parquet import parquet_files, read_parquet
    from sfumato.spark.session import start
    from sfumato.spark.table_methods import TableRows

    roles: dict[str, Any] = {role: names_of(options.pop(role, None)) for role in ("quasi_identifiers", "sensitive")}
    roles["person"], folder = options.pop("person", None), options.pop("hierarchies", None)
    refuse_others(options)
    parquet_files(path)  # a wrong path is said before a session is started
    frame = read_parquet(start(**started), path)
    if folder is not None:
        roles["hierarchies"] = read_hierarchies(folder, tuple(frame.columns))
    return TableRows.of_frame(frame, source=str(path), **roles)


def load_chunks_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> ChunkRows:
    """Read the files of disassociated data on Spark."""
    from sfumato.io.published.chunks import CHUNKS, CLUSTERS
    from sfumato.io.published.row_files import row_file
    from sfumato.spark.itemsets.chunk_rows import ChunkRows
    from sfumato.spark.parquet import parquet_files
    from sfumato.spark.session import start

    refuse_others(options)
    for stem in (CLUSTERS, CHUNKS):  # a wrong path is said before a session is started
        parquet_files(row_file(path, stem))
    return ChunkRows.read(start(**started), path)


def check_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> Check:
    """Check a published directory on Spark."""
    from sfumato.spark.published import verify_directory
    from sfumato.spark.session import start

    refuse_others(options)
    return verify_directory(start(**started), path)


def refuse_others(options: dict[str, Any]) -> None:
    """Refuse options that the commands on Spark do not have."""
    refused = [name for name, value in options.items() if value and name not in ("threads", "kind")]
    if refused:
        raise click.UsageError(f"--{refused[0].replace('_', '-')} is not there with --engine spark; leave it out")


def load_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any], kind: str) -> Records:
    """Read a directory of Parquet files on Spark; refuses options that Spark does not have."""
    from sfumato.io import read_constraints, read_hierarchies, read_places, read_taxonomy
    from sfumato.spark.parquet import parquet_files
    from sfumato.spark.records import Records
    from sfumato.spark.session import start

    columns = columns_of(options.pop("columns", None))
    person = options.pop("person", None)
    if person is not None:
        columns["person"] = person
    readers: dict[str, Any] = {"places": read_places, "taxonomy": read_taxonomy, "constraints": read_constraints}
    given = {name: options.pop(name, None) for name in _READ}
    hierarchies = options.pop("hierarchies", None) if kind == "transactions" else None
    sensitive = names_of(options.pop("sensitive", None))
    refuse_others(options)
    parquet_files(path)  # a wrong path is said before a session is started
    knowledge = {name: readers[name](file) for name, file in given.items() if file is not None}
    if hierarchies is not None:
        knowledge.setdefault("taxonomy", read_hierarchies(hierarchies, ("item",)).get("item"))
    if sensitive and kind == "trajectories":
        if "places" not in knowledge:
            raise FileError(path, "sensitive locations were named, but there are no places", remedy="give-places-file")
        knowledge["places"] = knowledge["places"].with_sensitive(sensitive)
    records = Records.read(start(**started), path, kind=kind, columns=columns, **knowledge)
    return _with_sensitive_items(records, path, sensitive)


def _with_sensitive_items(records: Records, path: Path, names: tuple[str, ...]) -> Records:
    """The records with these items as the sensitive ones, if any."""
    from sfumato.data import Transactions

    if not (names and isinstance(records.side, Transactions)):
        return records
    try:
        return records.with_frame(records.frame, records.side.with_sensitive(names))
    except DataError as error:
        raise FileError(path, str(error)) from None


def load_roads_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> RoadRecords:
    """Read road trajectories with their network from a directory of Parquet files on Spark."""
    from sfumato.io.roads.network import read_network
    from sfumato.spark.parquet import parquet_files
    from sfumato.spark.roads.records import RoadRecords
    from sfumato.spark.session import start

    columns, person = columns_of(options.pop("columns", None)), options.pop("person", None)
    file = options.pop("network", None)
    if person is not None:
        columns["person"] = person
    refuse_others(options)
    parquet_files(path)  # a wrong path is said before a session is started
    if file is None:
        raise FileError(path, "road trajectories need the network of their roads", remedy="give-network")
    network = read_network(file)
    return RoadRecords.read(start(**started), path, columns=columns, network=network)
