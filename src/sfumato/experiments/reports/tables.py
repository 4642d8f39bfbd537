"""The tables of the report: medians with their spread, seconds by phase, counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.experiments.definition.experiment import pretty

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison

__all__ = ["figure_tables"]

_SPREAD = ("median", "min", "max")


def figure_tables(comparison: Comparison) -> str:
    """Every figure of every configuration and setting; phases and counts are folded up."""
    experiment = comparison.experiment
    many = len(experiment.seeds)
    caption = f"Medians over {many} repetitions, with minimum and maximum." if many > 1 else "Figures of a single run."
    phases = _table(
        ("configuration", "phase", "seconds (median over all runs)"),
        [[row["configuration"], row["phase"], pretty(row["seconds"])] for row in comparison.phases()],
        texts=2,
    )
    varying = [] if experiment.vary is None else [experiment.vary.label]
    counts = _table(("configuration", *varying, "count", *_SPREAD), _counts(comparison), texts=2 + len(varying))
    return (
        f"<h2>Figures</h2><p>{caption}</p>{_alone(comparison) if experiment.evaluates else _side_by_side(comparison)}"
        f"<details><summary>Seconds by phase</summary>{phases}</details>"
        f"<details><summary>Counts</summary>{counts}</details>"
    )


def _alone(comparison: Comparison) -> str:
    """One configuration: one row per figure."""
    about = {figure.name: (figure.title, figure.better) for figure in comparison.experiment.figures}
    about["seconds"] = ("time of the method", "lower")
    rows = [
        [row["figure"], *(_with_unit(row[name], row["unit"]) for name in _SPREAD), *about[row["figure"]]]
        for row in comparison.summary.iter_rows(named=True)
        if row["figure"] in about
    ]
    notes = {reason: number for number, reason in enumerate(dict.fromkeys(_reasons(comparison)), start=1)}
    return _table(("figure", *_SPREAD, "meaning", "better"), rows, texts=1) + _footnotes(notes)


def _reasons(comparison: Comparison) -> Iterator[str]:
    return (reason for _, _, reason in _empty_cells(comparison))


def _with_unit(value: float, unit: str) -> str:
    return f"{pretty(value)} {unit}".strip()


def _side_by_side(comparison: Comparison) -> str:
    """Several configurations or settings: one row each, with one column per figure."""
    names = [*(figure.name for figure in comparison.experiment.figures), "seconds"]
    cells: dict[tuple[str, Any], dict[str, str]] = {}
    units = {}
    for row in comparison.summary.iter_rows(named=True):
        units[row["figure"]] = row["unit"]
        cells.setdefault((row["configuration"], row["setting"]), {})[row["figure"]] = _cell(row)
    notes: dict[str, int] = {}
    for place, figure, reason in _empty_cells(comparison):
        number = notes.setdefault(reason, len(notes) + 1)
        if figure not in cells.setdefault(place, {}):
            hint = escape(reason, quote=True)
            cells[place][figure] = f"<span title='{hint}'>none<sup>{number}</sup></span>"
    vary = comparison.experiment.vary
    heads = [f"{name} ({units[name]})" if units.get(name) else name for name in names]
    body = [
        [
            escape(name),
            *([] if vary is None else [escape(str(setting))]),
            *(figures.get(heading, "") for heading in names),
        ]
        for (name, setting), figures in cells.items()
    ]
    head = ["configuration", *([] if vary is None else [vary.label]), *heads]
    return _table(head, body, texts=len(head) - len(names), markup=True) + _footnotes(notes)


def _empty_cells(comparison: Comparison) -> Iterator[tuple[tuple[str, Any], str, str]]:
    """The figures without a value in any repetition: configuration and setting, figure, why it is empty."""
    names = {figure.name for figure in comparison.experiment.figures}
    for row in comparison.results.filter(pl.col("value").is_null()).iter_rows(named=True):
        if row["figure"] in names and row["reason"]:
            yield (row["configuration"], row["setting"]), row["figure"], row["reason"]


def _footnotes(notes: Mapping[str, int]) -> str:
    lines = (f"<li value='{number}'>{escape(reason)}</li>" for reason, number in notes.items())
    return f"<ol class='reasons'>{''.join(lines)}</ol>" if notes else ""


def _cell(row: Mapping[str, Any]) -> str:
    low, middle, high = (pretty(row[name]) for name in ("min", "median", "max"))
    return middle if low == high else f"{middle}<br><small>{low} to {high}</small>"


def _counts(comparison: Comparison) -> list[list[str]]:
    rows = []
    for row in comparison.summary.iter_rows(named=True):
        if row["figure"].startswith("counts.") or row["figure"] in ("holds", "feasible"):
            place = [] if comparison.experiment.vary is None else [str(row["setting"])]
            what = row["figure"].removeprefix("counts.").replace("_", " ")
            rows.append([row["configuration"], *place, what, *(pretty(row[name]) for name in _SPREAD)])
    return rows


def _table(head: Iterable[str], body: Iterable[Sequence[str]], *, texts: int, markup: bool = False) -> str:
    """A table whose first columns are texts; cells are escaped unless `markup` is true."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rows = []
    for row in body:
        cells = (
            f"<td{'' if column < texts else ' class=n'}>{cell if markup else escape(cell)}</td>"
            for column, cell in enumerate(row)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class='wide'><table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
