"""`sfumato describe`: what is in a file."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.engine_options import engine_options, take_engine
from sfumato.cli.on_spark.kinds import load_any_on_spark
from sfumato.cli.shared.options import input_options, json_option, load, show_notes, side_paths, with_options
from sfumato.cli.shared.render import bars, print_json, say, table

if TYPE_CHECKING:
    from sfumato.spark.records import Records
    from sfumato.spark.tables import Rows

__all__ = ["command"]


@with_options([*input_options(), *engine_options()])
@click.command("describe")
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Also write a .html page with pictures; it is private.")
@json_option
def command(input: Path, out: Path | None, as_json: bool, **options: Any) -> None:
    """Show the kind, sizes and histograms of INPUT, and how it was read.

    INPUT is a file or a published directory.  The figures and the page are as private as INPUT.
    """
    from sfumato.experiments.description import describe
    from sfumato.experiments.reports.description_page import require_description_file, write_description
    from sfumato.io.outputs import require_output

    spark = take_engine(options)
    if spark is not None:
        _show_on_spark(load_any_on_spark(spark, input, options | {"out": out}), input, as_json)
        return
    if out is not None:
        require_description_file(out)
        require_output(out, "description", inputs=[input, *side_paths(options)])
    notes: list[str] = []
    description = describe(input, reader=lambda path: load(path, options, notes=notes, complete=False), notes=notes)
    if out is not None:
        write_description(description, out, title=input.name)
    if as_json:
        print_json(description.to_json())
        return
    show_notes(description.notes)
    figures = [(_words(name), _shown(value)) for name, value in description.figures.items()]
    table(str(input), ("figure", "value"), figures)
    for name, histogram in description.histograms.items():
        bars(_words(name), list(histogram.items()))
        say()
    if description.columns is not None:
        head = ("column", "type", "role", "distinct", "missing")
        rows = [
            (summary.column, summary.type, summary.role, summary.distinct, summary.missing)
            for summary in description.columns
        ]
        table("columns", head, rows)
    if description.hierarchies:
        head = ("column", "hierarchy", "leaves", "levels", "values without a leaf")
        trees = [tuple("" if cell is None else cell for cell in astuple(tree)) for tree in description.hierarchies]
        table("hierarchies", head, trees)
    if out is not None:
        say(f"{out} is private: it holds figures about the data.")


def _show_on_spark(data: Records | Rows, input: Path, as_json: bool) -> None:
    from sfumato.spark.describing import describe

    figures = describe(data)
    if as_json:
        print_json(figures)
        return
    columns = figures.pop("columns", [])
    table(str(input), ("figure", "value"), [(_words(name), _shown(value)) for name, value in figures.items()])
    if columns:
        table("columns", tuple(columns[0]), [tuple(column.values()) for column in columns])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Any) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else str(value)
