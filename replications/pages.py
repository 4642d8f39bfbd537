"""The pages: RESULTS.md with counts for all papers, and in the folder of each paper a row for every figure."""

from __future__ import annotations

from replications.declarations import VERDICTS, Paper, Row
from replications.verdicts import Judged, Record, judged, read_record, recorded

__all__ = ["cause", "counted", "overview", "page", "write_pages"]

_COUNTED = (*VERDICTS, "not repeated", "not run")
_HEADINGS = ("hold", "in part", "do not hold", "not repeated", "not run yet")


def write_pages(papers: list[Paper]) -> None:
    """Write every page from the declarations and the records."""
    records = [(paper, read_record(paper)) for paper in papers]
    for paper, record in records:
        (paper.folder / "RESULTS.md").write_text(page(paper, record), encoding="utf-8")
    (papers[0].folder.parent / "RESULTS.md").write_text(overview(records), encoding="utf-8")


def overview(records: list[tuple[Paper, Record]]) -> str:
    """The page about all papers."""
    lines = [
        "# What became of every figure",
        "",
        "Written by `python -m replications`. Each paper has a page of its own, with a row for every figure and table.",
        "A figure *holds* if all that its experiment file claims about it holds, and *in part* if some does.",
        "*(quick)* marks a verdict of the small version of an experiment, until the whole one is run.",
        "A cause is *shown* by a run or a test that the page of the paper names, or *supposed*, as long as none does.",
        "Where none was found, the page says what was tried, and what would be needed.",
        "",
        f"| paper | figures and tables | {' | '.join(_HEADINGS)} | cause shown | supposed | none | minutes | quick |",
        "| --- " * 12 + "|",
    ]
    totals = [0.0] * 11
    for paper, record in records:
        rows = [(row, judged(row, record)) for row in paper.rows]
        counts: list[float] = [len(rows), *(_count(rows, verdict) for verdict in _COUNTED), *_causes(rows)]
        counts += [_minutes(record, "full"), _minutes(record, "quick")]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        small = sum(found.size == "quick" and found.verdict in VERDICTS for _, found in rows)
        note = f" ({small} quick)" if small else ""
        lines.append(f"| [{paper.title}]({paper.name}/RESULTS.md){note} | {_cells(counts)} |")
    lines += [f"| all | {_cells(totals)} |", "", "## Why some do not hold", ""]
    for paper, record in records:
        causes = [
            f"- {row.figure}: {found.verdict}. {_plain(cause(row))}"
            for row in paper.rows
            if (found := judged(row, record)).needs_cause and (row.cause or row.needed)
        ]
        if causes:
            lines += [f"**[{paper.title}]({paper.name}/RESULTS.md)**", "", *causes, ""]
    return "\n".join(lines).rstrip() + "\n"


def page(paper: Paper, record: Record) -> str:
    """The page about one paper."""
    rows = [(row, judged(row, record)) for row in paper.rows]
    lines = [
        f"# {paper.title}",
        "",
        paper.paper + ".",
        "",
        *([_plain(paper.about), ""] if paper.about else []),
        f"`python -m replications {paper.name}` repeats it. Of {len(rows)} figures and tables: {counted(rows)}.",
        "",
        "| figure | the paper | here | verdict | cause |",
        "| --- " * 5 + "|",
        *(_line(row, found, paper) for row, found in rows),
        "",
    ]
    if tried := _tried(record):
        lines += [
            "Causes that were tried:",
            "",
            "| cause | what it predicts | what was seen | verdict |",
            "| --- " * 4 + "|",
        ]
        lines += [*tried, ""]
    if record["experiments"]:
        lines += ["| experiment | runs | seconds | seconds, quick | of |", "| --- " * 5 + "|"]
        lines += [_experiment_line(name, outcomes) for name, outcomes in sorted(record["experiments"].items())]
        lines.append("")
    return "\n".join(lines)


def _line(row: Row, found: Judged, paper: Paper) -> str:
    """A row of the table."""
    claim = row.claim or " ".join(found.claims)
    here = row.not_repeated if row.not_repeated else " ".join(filter(None, (row.measured, *found.sentences)))
    if row.not_repeated:
        here = f"Not repeated: {here}"
    links = [
        f"[{part.experiment}]({name})"
        for part in {str(part).partition(":")[0]: part for part in row.charts}.values()
        if (paper.folder / (name := f"charts/{part.experiment}-{part.chart}.svg")).exists()
    ]
    links += [f"[test](../../{file})" for file in dict.fromkeys(test.partition("::")[0] for test in row.tests)]
    when = f", {found.date}" if found.date else ""
    small = " (quick)" if found.size == "quick" and found.verdict in VERDICTS else ""
    why = cause(row) if found.needs_cause else ""
    cells = [row.figure, claim, f"{here} {' '.join(links)}".strip(), f"{found.verdict}{small}{when}", why]
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def counted(rows: list[tuple[Row, Judged]]) -> str:
    """How many figures have each verdict, as "8 hold, 9 in part"."""
    return ", ".join(
        f"{count} {heading}"
        for verdict, heading in zip(_COUNTED, _HEADINGS, strict=True)
        if (count := _count(rows, verdict))
    )


def _tried(record: Record) -> list[str]:
    """What became of the causes that scripts try whose name begins with "causes"."""
    scripts = sorted(name for name in record["experiments"] if name.startswith("causes"))
    return [
        "| " + " | ".join(_plain(cell) for cell in (f"{script}/{name}", *_told(finding))) + " |"
        for script in scripts
        for name, findings in (recorded(record, script) or {}).get("charts", {}).items()
        for finding in findings
    ]


def _told(finding: Record) -> tuple[str, str, str]:
    return finding["claim"], finding["sentence"], finding["verdict"]


def cause(row: Row) -> str:
    """Why the verdict is not "holds", and what shows it."""
    if not row.cause:
        return f"No cause found. {row.needed}" if row.needed else "No cause found yet."
    if row.shown_by:
        return f"{row.cause} Shown by {', '.join(f'`{name}`' for name in row.shown_by)}."
    return f"Supposed: {row.cause}"


def _experiment_line(name: str, outcomes: Record) -> str:
    full, quick = outcomes.get("full", {}), outcomes.get("quick", {})
    seconds = [f"{part['seconds']:,.0f}" if part else "" for part in (full, quick)]
    runs = full.get("runs", quick.get("runs", ""))
    trouble = [part[why] for part in (full, quick) for why in ("failed", "stopped") if part.get(why)]
    when = full.get("date") or quick.get("date", "")
    return f"| {name} | {runs} | {' | '.join(seconds)} | {when}{''.join(f'; {_plain(text)}' for text in trouble)} |"


def _count(rows: list[tuple[Row, Judged]], verdict: str) -> int:
    return sum(found.verdict == verdict for _, found in rows)


def _causes(rows: list[tuple[Row, Judged]]) -> list[int]:
    """How many causes are shown, supposed and missing."""
    wanted = [row for row, found in rows if found.needs_cause]
    shown = sum(bool(row.cause and row.shown_by) for row in wanted)
    supposed = sum(bool(row.cause) for row in wanted) - shown
    return [shown, supposed, len(wanted) - shown - supposed]


def _minutes(record: Record, size: str) -> float:
    seconds = (float(part[size]["seconds"]) for part in record["experiments"].values() if size in part)
    return sum(seconds) / 60


def _cells(counts: list[float]) -> str:
    return " | ".join(
        f"{count:,.1f}" if isinstance(count, float) and count % 1 else f"{count:,.0f}" for count in counts
    )


def _plain(text: str) -> str:
    """A text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
