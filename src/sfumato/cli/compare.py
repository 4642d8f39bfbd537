"""`sfumato compare EXPERIMENT.toml --out DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.flags import FIELDS, with_flags
from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, runs_progress, say, table
from sfumato.errors import CallerError, DataError, counted

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison

__all__ = ["command"]

_MARK = {"holds": "✓", "holds in part": "~", "does not hold": "✗", "cannot be judged": "?"}


@click.command("compare")
@click.argument("experiment", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The private directory for the results.")
@click.option("--jobs", type=click.IntRange(min=1), help="The number of parallel runs [default: one per core].")
@click.option(
    "--keep-releases",
    is_flag=True,
    help="Keep the release of every run as a published directory under OUT/releases; publish at most one of them.",
)
@click.option("--formats", default="png,svg,pdf", show_default=True, help="Formats of the charts; also jpg and bmp.")
@json_option
def command(experiment: Path, out: Path, jobs: int | None, keep_releases: bool, formats: str, as_json: bool) -> int:
    """Run and compare the configurations of a TOML file.

    Each configuration runs with several seeds and, optionally, several values of one parameter.  Writes
    results.csv, summary.csv, charts and report.html.  They are private, because measures are computed from the
    original.  If the command is interrupted, the same command continues where it stopped.
    """
    from sfumato.experiments.comparison import compare

    with runs_progress(not as_json) as tell:
        try:
            comparison = compare(
                experiment,
                out,
                jobs=jobs,
                keep_releases=keep_releases,
                tell=tell,
                formats=[ending.strip() for ending in formats.split(",") if ending.strip()],
            )
        except CallerError as error:
            if error.remedy not in FIELDS:
                raise
            raise DataError(with_flags(error, in_definition=True)) from None
        except KeyboardInterrupt:
            if not (out / "cells").is_dir():
                raise
            kept = len(list((out / "cells").glob("*.json")))
            sentence = f"interrupted; {kept} finished runs are kept in {out}, and the same command continues from there"
            click.echo(f"sfumato: {escaped_line(sentence)}", err=True)
            return 130
    if as_json:
        print_json(comparison.to_json())
    else:
        _say(comparison)
    return 1 if comparison.broken else 0


def _say(comparison: Comparison) -> None:
    from sfumato.experiments.result_store import RELEASES

    experiment = comparison.experiment
    vary, names = experiment.vary, [*(figure.name for figure in experiment.figures), "seconds"]
    by_place: dict[tuple[str, Any], dict[str, float]] = {}
    for row in comparison.summary.iter_rows(named=True):
        by_place.setdefault((row["configuration"], row["setting"]), {})[row["figure"]] = row["median"]
    head = ("configuration", *([] if vary is None else [vary.label]), *names)
    rows = [
        (name, *([] if vary is None else [setting]), *(_rounded(figures.get(heading)) for heading in names))
        for (name, setting), figures in by_place.items()
    ]
    table(f"{experiment.title}: medians over {counted(len(experiment.seeds), 'repetition')}", head, rows)
    for chart, findings in zip(experiment.charts, comparison.findings, strict=True):
        for finding in findings:
            say(f"{_MARK[finding.verdict]} {chart.title}: {finding}")
    for sentence in comparison.broken:
        say(f"✗ {sentence}")
    for sentence in comparison.heavy_losses:
        say(f"near-total loss: {sentence}")
    for sentence in comparison.unmeasured:
        say(f"no figure: {with_flags(sentence)}")
    for sentence in comparison.unfit:
        say(f"empty cell: {with_flags(sentence)}")
    for sentence in comparison.infeasible:
        say(f"not run: {sentence}")
    if comparison.measured_with:
        say(comparison.measured_with + ".")
    runs = f"{comparison.ran:,} of {comparison.runs:,} runs were made now"
    say(f"{runs} ({comparison.seconds:.1f} s), the others earlier.")
    if comparison.no_charts:
        say(f"No charts: {comparison.no_charts}; then run the same command again.")
    if comparison.releases:
        many = counted(len(comparison.releases), "release")
        say(f"{many} kept in {comparison.out / RELEASES}. Publish at most one: together they may identify persons.")
    report = comparison.out / "report.html"
    say(f"{report}, results.csv and summary.csv are private: they hold figures about the original.")


def _rounded(value: float | None) -> float | str:
    return "" if value is None else float(f"{value:.4g}")
