"""`sfumato audit` of tables, mixed records and chunks: their options, and what is printed."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.options import load, names_of
from sfumato.cli.shared.render import bars, say, table

if TYPE_CHECKING:
    from sfumato.api.data_audit import DataAudit
    from sfumato.data import Dataset, Table

__all__ = [
    "load_file",
    "load_population",
    "refuse_persons_of_chunks",
    "refuse_table_options",
    "refuse_visit_options",
    "show_chunks",
    "show_table_risks",
    "with_named_roles",
]

_OPTIONS = ("threshold", "inference", "largest_set", "population_size", "population")
_VISITS = ("unordered", "collude", "known", "budget")


def refuse_table_options(what: str, allowed: Collection[str] = ()) -> None:
    """Refuse options that were typed and apply to tables only."""
    _refuse([name for name in _OPTIONS if name not in allowed], f"is for tables and mixed records, not for {what}")


def refuse_visit_options(kind: str) -> None:
    """Refuse options that were typed and do not apply to a table, or to mixed records."""
    if kind == "mixed":
        _refuse(_VISITS[:2], "is for trajectories, not for mixed records")
    else:
        _refuse(_VISITS, "is for data with visits or items, not for tables")


def _refuse(names: Iterable[str], why: str) -> None:
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} {why}")


def load_file(input: Path, options: dict[str, Any]) -> Dataset:
    """The data of a file; of a table, the quasi-identifiers must be named, or be `all`."""
    from sfumato.api.table_roles import ALL, require_quasi_identifiers

    given = names_of(options.get("quasi_identifiers"))
    if given == (ALL,):
        options["quasi_identifiers"] = None
    data: Dataset = load(input, options)
    if not given:
        require_quasi_identifiers(data, input, also=_suggestion(data))
    return data


def _suggestion(data: Dataset) -> str:
    """What to type if a table holds visits."""
    from sfumato.data import Table
    from sfumato.io.inputs.column_roles import suggested_columns

    columns = suggested_columns(data.frame, "trajectories") if isinstance(data, Table) else ""
    return f" (if it is not a table, name its columns, e.g. --columns {shlex.quote(columns)})" if columns else ""


def with_named_roles(data: Dataset, options: dict[str, Any]) -> Dataset:
    """A published table whose roles are those that were typed, where some were."""
    from sfumato.api.table_roles import named_columns, with_roles

    named = named_columns(names_of(options.get("quasi_identifiers")))
    sensitive = names_of(options.get("sensitive"))
    is_table = data.kind in ("table", "mixed")
    return with_roles(data, named, sensitive) if is_table and (named or sensitive) else data


def load_population(population: Path, input: Path, person: str | None) -> Table:
    """The table of the population, whose values are compared with those of the input."""
    from sfumato.api.table_roles import population_table

    if input.is_dir():
        raise click.UsageError(
            f"--population needs the original table, because {input} holds published labels instead of values; "
            "audit the original, or give --population-size"
        )
    return population_table(population, person)


def refuse_persons_of_chunks(per_person: Path | None) -> None:
    """Persons have no anonymity set in chunks."""
    from sfumato.errors import OutputError

    if per_person is not None:
        raise OutputError(f"{per_person}: chunks have no figures for single persons; leave --per-person out")


def show_table_risks(result: DataAudit, input: Path) -> None:
    """Print the figures of a table."""
    from sfumato.experiments.reports.table_risk_page import table_sections

    risks = result.table
    assert risks is not None
    say(result.summary)
    say()
    first, *others = table_sections(risks)
    table(f"{input}: {first.title}", first.head, first.rows)
    bars(
        f"{risks.who} by the size of their equivalence class",
        list(risks.histogram.select("class_size", "units").rows()),
    )
    say()
    for section in others:
        table(section.title, section.head, section.rows)
    for sentence in result.sentences:
        say(f"- {sentence}")


def show_chunks(result: DataAudit) -> None:
    """Print the figures of disassociated data."""
    from sfumato.experiments.reports.table_risk_page import chunk_sections

    assert result.chunks is not None
    for section in chunk_sections(result.chunks):
        table(section.title, section.head, section.rows)
    for sentence in result.sentences:
        say(f"- {with_flags(sentence)}")
