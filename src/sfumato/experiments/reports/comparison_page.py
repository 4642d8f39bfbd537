"""One self-contained page about a comparison: claims, charts, figures, and the settings of the runs."""

from __future__ import annotations

import base64
import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import sfumato
from sfumato.catalogue import SECTIONS
from sfumato.experiments.definition.experiment import Chart
from sfumato.experiments.reports import charts
from sfumato.experiments.reports.page import PAGE
from sfumato.experiments.reports.report_section import ReportSection
from sfumato.experiments.reports.tables import figure_tables
from sfumato.io.atomic_writes import write_text
from sfumato.params import JsonObject

if TYPE_CHECKING:
    from sfumato.experiments.claims import Finding
    from sfumato.experiments.comparison import Comparison

__all__ = ["Charts", "Claims", "Figures", "Picture", "Runs", "write_report"]

_CLASS = {"holds": "yes", "holds in part": "part", "does not hold": "no", "cannot be judged": "open"}


class Picture(NamedTuple):
    """A chart: its specification, and a still image of it."""

    spec: JsonObject
    svg: bytes


@dataclass(frozen=True, kw_only=True)
class Claims(ReportSection):
    """The claims at a glance."""

    name: ClassVar[str] = "claims"

    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:  # noqa: ARG002
        return _claims(comparison)


@dataclass(frozen=True, kw_only=True)
class Charts(ReportSection):
    """Every chart with its claims."""

    name: ClassVar[str] = "charts"

    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:
        return _charts(comparison, charts)


@dataclass(frozen=True, kw_only=True)
class Figures(ReportSection):
    """Tables of the figures."""

    name: ClassVar[str] = "figures"

    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:  # noqa: ARG002
        return figure_tables(comparison)


@dataclass(frozen=True, kw_only=True)
class Runs(ReportSection):
    """How the experiment was run."""

    name: ClassVar[str] = "runs"

    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:  # noqa: ARG002
        return _runs(comparison)


def write_report(comparison: Comparison, drawn: Mapping[str, Picture]) -> None:
    """Write report.html; drawn : the charts by name, empty if they cannot be drawn."""
    parts = {
        "TITLE": escape(comparison.experiment.title),
        "ABOUT": f"<p class='about'>{escape(comparison.experiment.about)}</p>" if comparison.experiment.about else "",
        "ALARM": _alarm(comparison),
        "SECTIONS": "\n".join(SECTIONS.load(name)().html(comparison, drawn) for name in _order(comparison)),
        "LIBRARY": charts.javascript() if drawn else "",
        "SPECS": _json({name: chart.spec for name, chart in drawn.items()}),
    }
    page = re.sub(r"@@([A-Z]+)@@", lambda mark: parts[mark[1]], PAGE)
    write_text(page, comparison.out / "report.html")


def _order(comparison: Comparison) -> list[str]:
    """The names of the sections: an evaluation shows its figures first, and the runs come last."""
    names = [name for name in SECTIONS if name != Runs.name]
    if comparison.experiment.evaluates:
        names = [Figures.name, *(name for name in names if name != Figures.name)]
    return [*names, Runs.name]


def _json(value: Any) -> str:
    """JSON that cannot end the script that it stands in."""
    return json.dumps(value).replace("<", "\\u003c")


def _alarm(comparison: Comparison) -> str:
    parts = []
    if comparison.broken:
        parts.append(_listed("Promises that do not hold", comparison.broken, "alarm"))
    if comparison.heavy_losses:
        parts.append(_listed("Near-total loss", comparison.heavy_losses, "alarm"))
    if comparison.unmeasured:
        parts.append(_listed("Measures that failed", comparison.unmeasured, "note"))
    if comparison.infeasible:
        parts.append(_listed("Infeasible runs", comparison.infeasible, "note"))
    if comparison.no_charts:
        parts.append(
            f"<div class='note'>No charts: {escape(comparison.no_charts)}; then run the same command again.</div>"
        )
    return "".join(parts)


def _listed(title: str, sentences: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<div class='{kind}'><b>{escape(title)}</b><ul>{items}</ul></div>"


def _claims(comparison: Comparison) -> str:
    """A table of the claims and their verdicts."""
    rows = [
        f"<tr><td>{_badge(finding)}</td><td><a href='#chart-{number}'>{escape(chart.title)}</a></td>"
        f"<td>{escape(expects.claim or chart.claim)}</td></tr>"
        for number, (chart, findings) in enumerate(
            zip(comparison.experiment.charts, comparison.findings, strict=True), start=1
        )
        for expects, finding in zip(chart.expects, findings, strict=True)
    ]
    if not rows:
        return ""
    return f"<h2>Claims</h2><table class='claims'><tbody>{''.join(rows)}</tbody></table>"


def _badge(finding: Finding) -> str:
    return f"<span class='badge {_CLASS[finding.verdict]}'>{finding.verdict}</span>"


def _charts(comparison: Comparison, drawn: Mapping[str, Picture]) -> str:
    names = list(drawn)
    parts = []
    for number, (chart, findings) in enumerate(
        zip(comparison.experiment.charts, comparison.findings, strict=True), start=1
    ):
        picture = _picture(names[number - 1], drawn) if names else f"<h3>{escape(chart.title)}</h3>"
        parts.append(f"<section id='chart-{number}'>{picture}{_judged(chart, findings)}</section>")
    parts += [f"<section>{_picture(name, drawn)}</section>" for name in names[len(comparison.experiment.charts) :]]
    note = "<p>Histograms show the first repetition.</p>" if comparison.experiment.evaluates and names else ""
    return f"<h2>Charts</h2>{note}{''.join(parts)}" if parts else ""


def _picture(name: str, drawn: Mapping[str, Picture]) -> str:
    """A still picture, which the script replaces by the interactive chart."""
    still = base64.b64encode(drawn[name].svg).decode("ascii")
    return f"<div class='chart' data-chart='{name}'><img alt='' src='data:image/svg+xml;base64,{still}'></div>"


def _judged(chart: Chart, findings: Sequence[Finding]) -> str:
    """The claims about a chart, each with its verdict."""
    claims = [expects.claim or ("" if i else chart.claim) for i, expects in enumerate(chart.expects)] or [chart.claim]
    parts = []
    for i, claim in enumerate(claims):
        if claim:
            parts.append(f"<p class='claim'>Claim: {escape(claim)}</p>")
        if findings:
            parts.append(f"<p class='finding'>{_badge(findings[i])} {escape(findings[i].sentence)}.</p>")
    return "".join(parts)


def _runs(comparison: Comparison) -> str:
    experiment = comparison.experiment
    facts = {
        "experiment file": experiment.file.name,
        "data": experiment.data.about,
        "runs": f"{comparison.runs:,}, up to {comparison.jobs} in parallel, each on one core",
        "seeds": ", ".join(map(str, experiment.seeds)),
        "sfumato": sfumato.__version__,
        "Python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
    }
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return (
        f"<h2>Runs</h2><table class='facts'><tbody>{rows}</tbody></table>"
        f"<details><summary>The experiment file</summary><pre>{escape(experiment.text)}</pre></details>"
    )
