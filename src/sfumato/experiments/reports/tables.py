"""The tables of the report: medians with their spread, seconds by phase, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.experiments.definition.experiment import pretty

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison

__all__ = ["figure_tables"]

_SPREAD = ("median", "min", "max")


def figure_tables(found: Comparison) -> str:
    """Every figure of every configuration and setting; the ones that say least are folded up."""
    experiment = found.experiment
    many = len(experiment.seeds)
    said = f"Medians over {many} repetitions, with the smallest and the largest." if many > 1 else "Of a single run."
    phases = _table(
        ("configuration", "phase", "seconds (median over all runs)"),
        [[row["configuration"], row["phase"], pretty(row["seconds"])] for row in found.phases()],
        texts=2,
    )
    varying = [] if experiment.vary is None else [experiment.vary.label]
    counts = _table(("configuration", *varying, "count", *_SPREAD), _counts(found), texts=2 + len(varying))
    return (
        f"<h2>Figures</h2><p>{said}</p>{_alone(found) if experiment.evaluates else _side_by_side(found)}"
        f"<details><summary>Seconds by phase</summary>{phases}</details>"
        f"<details><summary>Counts</summary>{counts}</details>"
    )


def _alone(found: Comparison) -> str:
    """One configuration: a row a figure."""
    told = {figure.name: (figure.title, figure.better) for figure in found.experiment.figures}
    told["seconds"] = ("the method's own time", "lower")
    rows = [
        [row["figure"], *(_with_unit(row[name], row["unit"]) for name in _SPREAD), *told[row["figure"]]]
        for row in found.summary.iter_rows(named=True)
        if row["figure"] in told
    ]
    return _table(("figure", *_SPREAD, "what it is", "better"), rows, texts=1)


def _with_unit(value: float, unit: str) -> str:
    return f"{pretty(value)} {unit}".strip()


def _side_by_side(found: Comparison) -> str:
    """Several configurations or settings: a row each, and a column a figure."""
    names = [*(figure.name for figure in found.experiment.figures), "seconds"]
    cells: dict[tuple[str, Any], dict[str, str]] = {}
    units = {}
    for row in found.summary.iter_rows(named=True):
        units[row["figure"]] = row["unit"]
        cells.setdefault((row["configuration"], row["setting"]), {})[row["figure"]] = _cell(row)
    vary = found.experiment.vary
    heads = [f"{name} ({units[name]})" if units.get(name) else name for name in names]
    body = [
        [escape(name), *([] if vary is None else [escape(str(setting))]), *(figures.get(one, "") for one in names)]
        for (name, setting), figures in cells.items()
    ]
    head = ["configuration", *([] if vary is None else [vary.label]), *heads]
    return _table(head, body, texts=len(head) - len(names), markup=True)


def _cell(row: Mapping[str, Any]) -> str:
    low, middle, high = (pretty(row[name]) for name in ("min", "median", "max"))
    return middle if low == high else f"{middle}<br><small>{low} to {high}</small>"


def _counts(found: Comparison) -> list[list[str]]:
    rows = []
    for row in found.summary.iter_rows(named=True):
        if row["figure"].startswith("counts.") or row["figure"] in ("holds", "feasible"):
            place = [] if found.experiment.vary is None else [str(row["setting"])]
            what = row["figure"].removeprefix("counts.").replace("_", " ")
            rows.append([row["configuration"], *place, what, *(pretty(row[name]) for name in _SPREAD)])
    return rows


def _table(head: Iterable[str], body: Iterable[Sequence[str]], *, texts: int, markup: bool = False) -> str:
    """A table whose first columns are texts; its cells are plain unless they are said to be markup."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rows = []
    for row in body:
        cells = (
            f"<td{'' if at < texts else ' class=n'}>{cell if markup else escape(cell)}</td>"
            for at, cell in enumerate(row)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class='wide'><table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
