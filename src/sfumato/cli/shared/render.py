"""Output on the terminal: tables, bars, progress, sentences about verdicts and limits, and JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.escapes import escaped, escaped_json, escaped_line
from sfumato.cli.shared.flags import with_flags
from sfumato.kernels.compiling import BEFORE_COMPILING
from sfumato.params import JsonObject

if TYPE_CHECKING:
    from sfumato.privacy import PrivacyModel, Verdict

__all__ = [
    "GLOSSARY",
    "bars",
    "compilation_announced",
    "limit_lines",
    "mark_of",
    "print_json",
    "progress",
    "runs_progress",
    "say",
    "table",
    "verdict_lines",
]

GLOSSARY = "sfumato glossary explains the terms."
LIMITS_SHOWN = 3
_WORDS = {
    "k_at_m_plus_1": "smallest support with m + 1 known",
    "groups": "equivalence classes",
    "smallest_group": "smallest equivalence class",
    "violating_groups": "violating equivalence classes",
}


def print_json(value: Any) -> None:
    click.echo(escaped_json(_in_flags(value)))


def _in_flags(value: Any) -> Any:
    """A JSON value whose sentences name the options of their remedies."""
    if isinstance(value, dict):
        return {name: _in_flags(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_in_flags(inner) for inner in value]
    return with_flags(value) if isinstance(value, str) else value


def say(text: str = "") -> None:
    click.echo(escaped(text))


def mark_of(composed: JsonObject) -> str:
    """The mark before the result of a composition attack: ✗ it succeeds, ✓ it fails, - there was none."""
    return "✗" if composed["refused"] else "✓" if composed.get("attacked") else "-"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table that fits the terminal; numbers to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable

    if title:
        say(title)
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(columns):
        numbers = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        drawn.add_column(escaped_line(name), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(f"{cell:,}" if isinstance(cell, int | float) else escaped(_text(cell)) for cell in row))
    console = Console(file=sys.stdout, highlight=False, markup=False, width=None if sys.stdout.isatty() else 100)
    console.print(drawn)


def _text(cell: object) -> str:
    return with_flags(cell) if isinstance(cell, str) else str(cell)


def bars(title: str, counts: Sequence[tuple[str, int]], width: int = 40) -> None:
    """A histogram in characters."""
    say(title)
    shown = [(escaped_line(label), count) for label, count in counts]
    most = max((count for _, count in shown), default=1)
    wide = max((len(label) for label, _ in shown), default=1)
    for label, count in shown:
        length = round(width * count / most) if most else 0
        say(f"  {label:>{wide}}  {'█' * length or ('▏' if count else '')} {count:,}")


def verdict_lines(model: PrivacyModel, verdict: Verdict) -> list[str]:
    """The verdict on a guarantee: the guarantee, the measured figures, the reason and the witnesses, one per line."""
    words: dict[object, str] = {True: "holds", False: "DOES NOT HOLD"}
    word = words.get(verdict.holds, "cannot be fully checked")
    lines = [f"{'✓' if verdict.holds is True else '✗' if verdict.holds is False else '?'} {model.label} {word}"]
    figures = [f"{_in_words(key)} {_plain(value)}" for key, value in verdict.measured.items()]
    if figures:
        lines.append(f"    measured: {', '.join(figures)}")
    if verdict.reason:
        lines.append(f"    {with_flags(verdict.reason)}")
    for witness in verdict.witnesses:
        shown = ", ".join(f"{_in_words(key)} {_plain(value)}" for key, value in witness.items())
        lines.append(f"    witness: {shown}")
    return [escaped_line(line) for line in lines]


def _in_words(name: str) -> str:
    return _WORDS.get(name, name.replace("_", " "))


def limit_lines(limits: Sequence[str], folder: Path) -> list[str]:
    """The first limits of a promise, and where the certificate lists all of them.

    >>> for line in limit_lines(["times", "presence", "composition", "minimality"], Path("release")):
    ...     print(line)
    Not covered by the promise:
      - times
      - presence
      - composition
      and 1 more in release/certificate.json, field not_covered
    """
    lines = ["Not covered by the promise:", *(f"  - {limit}" for limit in limits[:LIMITS_SHOWN])]
    if len(limits) > LIMITS_SHOWN:
        others = len(limits) - LIMITS_SHOWN
        lines.append(f"  and {others} more in {folder / 'certificate.json'}, field not_covered")
    return lines


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return " -> ".join(" or ".join(map(str, part)) if isinstance(part, list) else str(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}={_plain(part)}" for key, part in value.items())
    return str(value)


@contextmanager
def compilation_announced() -> Iterator[None]:
    """Say on stderr when kernels are compiled, once and while a person is watching."""

    def announce() -> None:
        BEFORE_COMPILING.remove(announce)
        # not click.echo: a progress bar lets pass what is written to sys.stderr
        sys.stderr.write("compiling, once: the first run of a method takes some seconds longer\n")

    if sys.stderr.isatty():
        BEFORE_COMPILING.append(announce)
    try:
        yield
    finally:
        if announce in BEFORE_COMPILING:
            BEFORE_COMPILING.remove(announce)


@contextmanager
def progress(watch: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A progress bar on stderr while a person is watching."""
    if not watch or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading", total=None)

        def advance(phase: str, done: int, total: int) -> None:
            shown.update(task, description=phase, completed=done, total=total or None)

        yield advance


@contextmanager
def runs_progress(watch: bool) -> Iterator[Callable[[int, int, str], None] | None]:
    """A progress bar on stderr while a person is watching: finished runs, and the estimated time for the others."""
    if not watch or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("runs,"),
        TimeRemainingColumn(),
        TextColumn("left,"),
        TimeElapsedColumn(),
        TextColumn("so far "),
        TextColumn("{task.description}"),
    )
    # a run may take longer than the half minute from which rich estimates the speed
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=86_400) as shown:
        task = shown.add_task("", total=None)

        def tell(done: int, total: int, what: str) -> None:
            shown.update(task, completed=done, total=total, description=escaped_line(what))

        yield tell
