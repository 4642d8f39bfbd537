"""`sfumato kb load`: linked data, tables, movements and endpoints put into a knowledge base."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import DataError, ParameterError, counted

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase, LoadReport

__all__ = ["command"]


@click.command("load")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@click.option("--mapping", help="How tables are read: osm, geonames, or a .toml file.")
@click.option("--box", help="Only places in this box: west,south,east,north in degrees.")
@click.option("--period", help="Only events in this period: FROM,TO as dates or times (UTC).")
@click.option(
    "--around",
    type=click.Path(path_type=Path),
    help="Only places in the box and events in the period of this movement directory. The box is sent to --endpoint.",
)
@click.option(
    "--margin-m",
    type=click.FloatRange(min=0),
    default=1000.0,
    show_default=True,
    help="Widen the box of --around.",
)
@click.option("--endpoint", help="The http or https address of a SPARQL endpoint to load from; needs --query or --box.")
@click.option("--query", type=click.Path(path_type=Path), help="A CONSTRUCT query (.rq) to send to --endpoint.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that one request to --endpoint may take.",
)
@click.option(
    "--same-as-within",
    type=click.FloatRange(min=0),
    default=1000.0,
    show_default=True,
    metavar="METRES",
    help="Give things that owl:sameAs joins one name if they are this near.",
)
@click.option("--keep-names", is_flag=True, help="Do not give things that owl:sameAs joins one name.")
@click.option("--skip-broken", is_flag=True, help="Leave out broken lines of .nt and .nq files, and count them.")
@click.option("--no-ontology", is_flag=True, help="Do not load the ontology of movements into a new knowledge base.")
@json_option
def command(directory: Path, files: tuple[Path, ...], no_ontology: bool, as_json: bool, **options: Any) -> None:
    """Load FILES into the knowledge base DIRECTORY, which is created if it does not exist.

    FILES are triples (.nt, .nq, .ttl, .trig, .rdf, also with .gz), tables of places or events (.csv, .parquet) with
    --mapping, and directories of movements.  Everything is loaded or nothing; a file that was loaded before adds
    nothing.  A knowledge base is private.
    """
    arguments = _arguments(options)
    if not files and "endpoint" not in arguments:
        raise click.UsageError("wanted FILES or --endpoint, found neither")
    with _opened(directory, ontology=not no_ontology) as base:
        report = base.load(files, progress=_bar(as_json), **arguments)
        total = len(base)
    _show(directory, report, total, as_json)


@contextmanager
def _opened(directory: Path, *, ontology: bool) -> Iterator[KnowledgeBase]:
    """The knowledge base, opened for writing; one that is new is removed if the load fails."""
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

    if directory.exists() and any(directory.iterdir() if directory.is_dir() else [directory]):
        with KnowledgeBase.open(directory, read_only=False) as base:
            yield base
        return
    base = KnowledgeBase.create(directory, ontology=ontology)
    try:
        with base:
            yield base
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the library for the options that were given."""
    from sfumato.semantics.knowledge.endpoint import Endpoint, read_query

    arguments: dict[str, Any] = {"skip_broken": options["skip_broken"], "mapping": options["mapping"]}
    arguments["same_as_within_m"] = None if options["keep_names"] else options["same_as_within"]
    arguments |= _selection(options)
    if options["endpoint"] is not None:
        arguments["endpoint"] = Endpoint(options["endpoint"], timeout_s=options["timeout"])
        if options["query"] is not None:
            arguments["query"] = read_query(options["query"])
        elif arguments.get("box") is None and "around" not in arguments:
            raise click.UsageError("--endpoint needs --query, --box or --around, found none")
    elif options["query"] is not None:
        raise click.UsageError("--query needs --endpoint, found none")
    return arguments


def _selection(options: dict[str, Any]) -> dict[str, Any]:
    if options["around"] is not None:
        from sfumato.semantics.movement.files import read_movement

        if options["box"] is not None or options["period"] is not None:
            raise click.UsageError("wanted --around alone, found it with --box or --period")
        return {"around": read_movement(options["around"]), "margin_m": options["margin_m"]}
    return {"box": _box(options["box"]), "period": _period(options["period"])}


def _box(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        raise ParameterError(
            "--box: wanted west,south,east,north such as 12.3,41.8,12.6,42.0, found another text"
        ) from None
    return west, south, east, north


def _period(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    import polars as pl

    from sfumato.data.frames import Source
    from sfumato.data.rows.times import seconds

    parts = [part.strip() for part in text.split(",")]
    try:
        if len(parts) != 2:
            raise DataError
        begin, end = (float(seconds(pl.Series([part]), Source("--period"))[0]) for part in parts)
    except DataError:
        raise ParameterError(
            "--period: wanted FROM,TO such as 2014-07-01,2014-07-31T12:00, found another text"
        ) from None
    whole_day = len(parts[1]) == len("2014-07-31")
    return begin, end + (86_400 - 1e-6 if whole_day else 0)


def _bar(silent: bool) -> Any:
    """Progress on the terminal, only where a person reads it."""
    import sys

    if silent or not sys.stderr.isatty():
        return None
    return lambda name, share: click.echo(f"\r{name}: {share:4.0%} ", nl=False, err=True)


def _show(directory: Path, report: LoadReport, total: int, as_json: bool) -> None:
    same = report.same_as
    if as_json:
        print_json(
            {
                "directory": str(directory),
                "triples": report.triples,
                "total": total,
                "seconds": round(report.seconds, 3),
                "files": list(report.files),
                "same_as": {"links": same.links, "joined": same.joined, "far": same.far, "aliases": same.aliases},
            }
        )
        return
    for entry in report.files:
        known = ": loaded before, nothing new" if entry.get("known") else f": {counted(entry['triples'], 'triple')}"
        skipped = f", {counted(entry['skipped'], 'broken line')} left out" if entry.get("skipped") else ""
        say(f"{entry['name']}{known}{skipped}")
    if same.links:
        say(
            f"owl:sameAs: {counted(same.links, 'link')}, {same.joined:,} joined under one name, "
            f"{same.far:,} left alone because the things are too far apart"
        )
    say(f"{directory}: {counted(total, 'triple')}; a knowledge base is private")
