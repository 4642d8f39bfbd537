"""One self-contained page about a comparison: claims, charts, figures, and how it was run."""

from __future__ import annotations

import base64
import json
import platform
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import sfumato
from sfumato.experiments.definition.experiment import Chart
from sfumato.experiments.reports import charts
from sfumato.experiments.reports.page import PAGE
from sfumato.experiments.reports.tables import figure_tables
from sfumato.io.files import write_text
from sfumato.params import JsonObject

if TYPE_CHECKING:
    from sfumato.experiments.claims import Finding
    from sfumato.experiments.comparison import Comparison

__all__ = ["Picture", "write_report"]

_CLASS = {"holds": "yes", "holds in part": "part", "does not hold": "no", "cannot be said": "open"}


class Picture(NamedTuple):
    """A chart: its specification, and how it looks while nothing moves it."""

    spec: JsonObject
    svg: bytes


def write_report(found: Comparison, drawn: Mapping[str, Picture]) -> None:
    """Write report.html; drawn : the charts by name, none of them if they cannot be drawn."""
    parts = {
        "TITLE": escape(found.experiment.title),
        "ABOUT": f"<p class='about'>{escape(found.experiment.about)}</p>" if found.experiment.about else "",
        "ALARM": _alarm(found),
        "CLAIMS": _claims(found),
        "CHARTS": _charts(found, drawn),
        "FIGURES": "" if found.experiment.evaluates else figure_tables(found),
        "FIRST": figure_tables(found) if found.experiment.evaluates else "",
        "RUNS": _runs(found),
        "LIBRARY": charts.javascript() if drawn else "",
        "SPECS": _json({name: chart.spec for name, chart in drawn.items()}),
    }
    page = re.sub(r"@@([A-Z]+)@@", lambda mark: parts[mark[1]], PAGE)
    write_text(page, found.out / "report.html")


def _json(value: Any) -> str:
    """JSON that cannot end the script that it stands in."""
    return json.dumps(value).replace("<", "\\u003c")


def _alarm(found: Comparison) -> str:
    parts = []
    if found.broken:
        parts.append(_listed("Promises that do not hold", found.broken, "alarm"))
    if found.unmeasured:
        parts.append(_listed("Measures that failed", found.unmeasured, "note"))
    if found.infeasible:
        parts.append(_listed("Runs that could not be made", found.infeasible, "note"))
    if found.no_charts:
        parts.append(
            f"<div class='note'>Charts are missing: {escape(found.no_charts)}; then run the same command.</div>"
        )
    return "".join(parts)


def _listed(title: str, sentences: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<div class='{kind}'><b>{escape(title)}</b><ul>{items}</ul></div>"


def _claims(found: Comparison) -> str:
    """The claims at a glance."""
    rows = [
        f"<tr><td>{_badge(finding)}</td><td><a href='#chart-{number}'>{escape(chart.title)}</a></td>"
        f"<td>{escape(expects.claim or chart.claim)}</td></tr>"
        for number, (chart, findings) in enumerate(zip(found.experiment.charts, found.findings, strict=True), start=1)
        for expects, finding in zip(chart.expects, findings, strict=True)
    ]
    if not rows:
        return ""
    return f"<h2>Claims</h2><table class='claims'><tbody>{''.join(rows)}</tbody></table>"


def _badge(finding: Finding) -> str:
    return f"<span class='badge {_CLASS[finding.verdict]}'>{finding.verdict}</span>"


def _charts(found: Comparison, drawn: Mapping[str, Picture]) -> str:
    names = list(drawn)
    parts = []
    for number, (chart, findings) in enumerate(zip(found.experiment.charts, found.findings, strict=True), start=1):
        picture = _picture(names[number - 1], drawn) if names else f"<h3>{escape(chart.title)}</h3>"
        parts.append(f"<section id='chart-{number}'>{picture}{_said(chart, findings)}</section>")
    parts += [f"<section>{_picture(name, drawn)}</section>" for name in names[len(found.experiment.charts) :]]
    note = "<p>Histograms show the first repetition.</p>" if found.experiment.evaluates and names else ""
    return f"<h2>Charts</h2>{note}{''.join(parts)}" if parts else ""


def _picture(name: str, drawn: Mapping[str, Picture]) -> str:
    """A still picture, which the script replaces by the interactive chart."""
    still = base64.b64encode(drawn[name].svg).decode("ascii")
    return f"<div class='chart' data-chart='{name}'><img alt='' src='data:image/svg+xml;base64,{still}'></div>"


def _said(chart: Chart, findings: Sequence[Finding]) -> str:
    claims = [expects.claim or ("" if at else chart.claim) for at, expects in enumerate(chart.expects)] or [chart.claim]
    parts = []
    for at, claim in enumerate(claims):
        if claim:
            parts.append(f"<p class='claim'>Claim: {escape(claim)}</p>")
        if findings:
            parts.append(f"<p class='finding'>{_badge(findings[at])} {escape(findings[at].sentence)}.</p>")
    return "".join(parts)


def _runs(found: Comparison) -> str:
    experiment = found.experiment
    facts = {
        "experiment file": experiment.file.name,
        "data": experiment.data.about,
        "runs": f"{found.runs:,}, {found.jobs} at a time, each on one core",
        "seeds": ", ".join(map(str, experiment.seeds)),
        "sfumato": sfumato.__version__,
        "Python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
    }
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return (
        f"<h2>How it was run</h2><table class='facts'><tbody>{rows}</tbody></table>"
        f"<details><summary>The experiment file</summary><pre>{escape(experiment.text)}</pre></details>"
    )
