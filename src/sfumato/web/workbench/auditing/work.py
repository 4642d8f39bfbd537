"""Jobs that audit data and attack releases.  Without Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.web.interface.chart_panels import panels
from sfumato.web.workbench.loading import load

__all__ = ["attack_work", "audit_work"]

Progress = Callable[[str, int, int], None]
Section = dict[str, Any]


def audit_work(
    *,
    source: Mapping[str, Any],
    out: str,
    parameters: Mapping[str, Any],
    collude: Sequence[str] = (),
    population: Mapping[str, Any] | None = None,
    progress: Progress,
) -> dict[str, Any]:
    """Audit data as they are; the risk of each person goes to a private file of the run."""
    from sfumato.api.auditing import audit
    from sfumato.io.frames import write_frame

    progress("loading", 0, 0)
    data = load(source)
    table = None if population is None else load(population)
    progress("auditing", 0, 0)
    result = audit(data, **parameters, collude=list(collude), population=table, seed=0, progress=progress)
    Path(out).mkdir(mode=0o700, parents=True, exist_ok=True)
    if result.chunks is None:
        write_frame(result.people, Path(out) / "persons.csv")
    return {
        "kind": data.kind,
        "summary": result.summary,
        "sentences": result.sentences,
        "figures": _figures(result),
        "sections": _sections(result),
        "charts": panels(result.chart()),
    }


def attack_work(
    *,
    source: Mapping[str, Any],
    folders: Sequence[str],
    report: str,
    attacks: Sequence[str],
    known: int,
    ordered: bool,
    progress: Progress,
) -> dict[str, Any]:
    """Attack a release (a second one together with it), given its original."""
    from sfumato.api.auditing import audit
    from sfumato.attacks.attack_report import attack_row
    from sfumato.experiments.reports.board.attacks import headlines

    progress("loading", 0, 0)
    data = load(source)
    result = audit(
        data,
        against=list(folders),
        attacks=list(attacks),
        known=known,
        ordered=ordered,
        report=report or None,
        progress=progress,
    )
    return {
        "kind": data.kind,
        "verdict": result.verdict,
        "beaten": result.beaten,
        "headlines": headlines(result),
        "problems": list(result.problems),
        "promises": [{**promise.to_json(), "verdict": promise.verdict} for promise in result.promises],
        "attacks": [
            {
                "name": finding.attack,
                "title": finding.title,
                "row": attack_row(finding)[1:],
                "tried": finding.tried,
                "sentences": finding.sentences,
            }
            for finding in result.findings
        ],
        "unfit": list(result.unfit),
        "chart": _attack_chart(result),
    }


def _figures(result: Any) -> list[tuple[str, str]]:
    """The few figures that matter most, in words."""
    from sfumato.experiments.reports.audit_chart import percent

    if result.table is not None:
        risks = result.table
        return [
            (risks.who, f"{len(risks):,}"),
            ("unique", f"{risks.unique:,} ({percent(risks.unique / max(1, len(risks)))})"),
            ("average prosecutor risk", percent(risks.prosecutor.average)),
        ]
    if result.findings is None:
        return []
    findings = result.findings
    names = {"unique_worst": "unique, worst case", "unique_random": "unique, random case"}
    return [
        (findings.who, f"{findings.n_units:,}"),
        *((name, percent(findings.figure(figure))) for figure, name in names.items()),
    ]


def _sections(result: Any) -> list[Section]:
    """The tables that people read."""
    from sfumato.experiments.reports.audit_page import HEAD, known_rows
    from sfumato.experiments.reports.owners_section import owner_head, owner_rows
    from sfumato.experiments.reports.table_risk_page import chunk_sections, table_sections

    if result.table is not None:
        return [_section(*section) for section in table_sections(result.table)]
    if result.chunks is not None:
        return [_section(*section) for section in chunk_sections(result.chunks)]
    sections = [_section("persons who are unique, by what is known", HEAD, known_rows(result.findings))]
    if result.owners is not None:
        about = [result.owners.summary, *result.owners.rules, *result.owners.notes]
        sections.append(
            _section("owners of places", owner_head(result.owners), owner_rows(result.owners), sentences=about)
        )
    if result.sensitive_places is not None:
        guessed = result.sensitive_places
        sections.append(_section("guesses of a sensitive place", (), (), sentences=[guessed.summary]))
    return sections


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], sentences: Sequence[str] = ()) -> Section:
    return {
        "title": title,
        "head": list(head),
        "rows": [list(row) for row in rows],
        "sentences": list(sentences),
    }


def _attack_chart(result: Any) -> dict[str, Any] | None:
    """Bars of the success of each attack, beside guessing and the unprotected copy."""
    names = (("with the release", "mean"), ("by guessing", "baseline"), ("without protection", "control"))
    rows = [
        {"attack": finding.title, "who": name, "success": getattr(finding, field)}
        for finding in result.findings
        if finding.tried and finding.attack != "leaks"
        for name, field in names
        if getattr(finding, field) is not None
    ]
    if not rows:
        return None
    order = [name for name, _ in names]
    colours = ["#0072B2", "#999999", "#D55E00"]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": rows},
        "mark": {"type": "bar"},
        "width": "container",
        "height": 48 * len({row["attack"] for row in rows}),
        "encoding": {
            "y": {"field": "attack", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 220}},
            "yOffset": {"field": "who", "sort": order},
            "x": {
                "field": "success",
                "type": "quantitative",
                "title": "success on average",
                "axis": {"format": "%", "tickCount": 5},
                "scale": {"domain": [0, 1]},
            },
            "color": {
                "field": "who",
                "type": "nominal",
                "title": None,
                "scale": {"domain": order, "range": colours},
                "legend": {"orient": "top"},
            },
            "tooltip": [
                {"field": "attack", "type": "nominal"},
                {"field": "who", "type": "nominal"},
                {"field": "success", "type": "quantitative", "format": ".1%"},
            ],
        },
    }
