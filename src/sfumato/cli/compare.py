"""`sfumato compare EXPERIMENT.toml --out DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, runs_progress, say, table

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison

__all__ = ["command"]

_MARK = {"holds": "✓", "holds in part": "~", "does not hold": "✗", "cannot be said": "?"}


@click.command("compare")
@click.argument("experiment", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The private directory for the results.")
@click.option("--jobs", type=click.IntRange(min=1), help="How many runs at a time [default: one for each core].")
@json_option
def command(experiment: Path, out: Path, jobs: int | None, as_json: bool) -> int:
    """Run the configurations of a TOML file, over a varying parameter and several seeds, and compare them.

    Writes results.csv, summary.csv, charts and report.html.  All of it is private: measures are computed from the
    original data.  A run that was interrupted goes on where it stopped.
    """
    from sfumato.experiments.comparison import compare

    with runs_progress(not as_json) as tell:
        try:
            found = compare(experiment, out, jobs=jobs, tell=tell)
        except KeyboardInterrupt:
            if not (out / "cells").is_dir():
                raise
            kept = len(list((out / "cells").glob("*.json")))
            sentence = f"interrupted; {kept} finished runs are kept in {out}, the same command goes on"
            click.echo(f"sfumato: {escaped_line(sentence)}", err=True)
            return 130
    if as_json:
        print_json(found.to_json())
    else:
        _say(found)
    return 1 if found.broken else 0


def _say(found: Comparison) -> None:
    experiment = found.experiment
    vary, names = experiment.vary, [*(figure.name for figure in experiment.figures), "seconds"]
    by_place: dict[tuple[str, Any], dict[str, float]] = {}
    for row in found.summary.iter_rows(named=True):
        by_place.setdefault((row["configuration"], row["setting"]), {})[row["figure"]] = row["median"]
    head = ("configuration", *([] if vary is None else [vary.label]), *names)
    rows = [
        (name, *([] if vary is None else [setting]), *(_rounded(figures.get(one)) for one in names))
        for (name, setting), figures in by_place.items()
    ]
    table(f"{experiment.title}: medians over {len(experiment.seeds)} repetitions", head, rows)
    for chart, findings in zip(experiment.charts, found.findings, strict=True):
        for finding in findings:
            say(f"{_MARK[finding.verdict]} {chart.title}: {finding}")
    for sentence in found.broken:
        say(f"✗ {sentence}")
    for sentence in found.unmeasured:
        say(f"no figure: {sentence}")
    for sentence in found.infeasible:
        say(f"not run: {sentence}")
    say(f"{found.ran:,} of {found.runs:,} runs made now ({found.seconds:.1f} s), the others before.")
    if found.no_charts:
        say(f"No charts: {found.no_charts}; then run the same command.")
    say(f"{found.out / 'report.html'}, results.csv and summary.csv are private: they hold figures about the original.")


def _rounded(value: float | None) -> float | str:
    return "" if value is None else float(f"{value:.4g}")
