"""The files of a table's audit: one page that opens offline, a picture, or a table.  They name no person."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import polars as pl

from sfumato.attacks.audit.chunk_risks import ChunkRisks
from sfumato.attacks.audit.items_in_classes import KnownItems
from sfumato.attacks.audit.table_risks import TableRisks
from sfumato.experiments.reports.audit_chart import percent
from sfumato.experiments.reports.chart_page import chart_page, list_html, require_chart_file, table_html
from sfumato.experiments.reports.charts import rendered
from sfumato.experiments.reports.table_risk_chart import column_names, draw_chunk_risks, draw_table_risks, table_summary
from sfumato.io.atomic_writes import write_bytes, write_text

__all__ = ["Section", "chunk_sections", "table_figures", "table_sections", "write_chunk_risks", "write_table_risks"]

ENDINGS = (".html", ".png", ".svg", ".pdf", ".jpg", ".bmp", ".csv")
_SETS = 12  # column sets that people read
_PRIVATE = (
    """<p class="private"><b>Private if the data are private.</b> These figures are computed from the data.</p>"""
)


class Section(NamedTuple):
    """A table that people read: its title, its head and its rows of texts."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def table_sections(risks: TableRisks) -> list[Section]:
    """The tables of an audit, the most important one first."""
    sections = [_attackers(risks), _singling_out(risks), _column_sets(risks), _columns(risks)]
    if risks.disclosures:
        sections.append(_disclosures(risks))
    if risks.known_items is not None:
        head = "known items beside the quasi-identifiers"
        sections.append(_known_items(head, risks.who, risks.known_items, risks.audit.threshold))
    return [section for section in sections if section.rows]


def _attackers(risks: TableRisks) -> Section:
    head = ("attacker", "highest", "average", f"above {percent(risks.audit.threshold)}", "at the highest", "how")
    rows = []
    for attacker in risks.attackers:
        counts = [_count(count, len(risks)) for count in (attacker.above, attacker.highest_count)]
        highest = "" if attacker.highest is None else percent(attacker.highest)
        how = "exact" if attacker.exact else "estimate"
        rows.append((attacker.name, highest, percent(attacker.average), *counts, how))
    return Section("re-identification risk", head, rows)


def _singling_out(risks: TableRisks) -> Section:
    n_columns = len(risks.coded.columns)
    rows = [
        (column_names(columns, size, n_columns), f"{size}", _count(units, len(risks)))
        for columns, size, units, _ in risks.singling_out.iter_rows()
        if units
    ]
    return Section("singling out: the best columns to know", ("known columns", "how many", f"unique {risks.who}"), rows)


def _column_sets(risks: TableRisks) -> Section:
    chosen = risks.column_sets.filter(pl.col("minimal") > 0).head(_SETS)
    rows = [
        (", ".join(columns), _count(minimal, len(risks)), _count(unique, len(risks)))
        for columns, _, unique, minimal in chosen.iter_rows()
    ]
    head = ("columns", "minimal sample uniques", f"unique {risks.who}")
    return Section(f"riskiest sets of up to {risks.audit.largest_set} columns", head, rows)


def _columns(risks: TableRisks) -> Section:
    head = ("column", "values", "distinction", "separation", "unique by itself", "in a minimal set", "not without it")
    rows = [
        (
            name,
            f"{values:,}",
            percent(distinction),
            percent(separation),
            *(_count(count, len(risks)) for count in counts),
        )
        for name, values, distinction, separation, *counts in risks.columns.iter_rows()
    ]
    return Section("columns", head[: risks.columns.width], rows)


def _disclosures(risks: TableRisks) -> Section:
    share = percent(risks.audit.inference)
    head = (
        "sensitive",
        "values",
        "most frequent",
        f"inferred from {share} on",
        "in one-value classes",
        "l",
        "entropy l",
        "t",
    )
    rows = [
        (
            part.column,
            f"{part.values:,}",
            percent(part.most_frequent),
            _count(part.inferred, len(risks)),
            _count(part.one_value_units, len(risks)),
            f"{part.distinct_l:,}",
            f"{part.entropy_l:.2f}",
            f"{part.closeness:.3f}",
        )
        for part in risks.disclosures
    ]
    return Section("attribute disclosure", head, rows)


def _known_items(title: str, who: str, known_items: tuple[KnownItems, ...], threshold: float) -> Section:
    head = ("known", f"unique {who}", f"above {percent(threshold)}", "mean risk", "smallest set", "how")
    rows = [
        (
            f"{part.known}",
            _count(part.unique, part.examined),
            _count(part.above, part.examined),
            percent(part.mean_risk),
            "" if part.smallest is None else f"{part.smallest:,}",
            "exact" if part.exact else f"at least; sample of {part.examined:,}",
        )
        for part in known_items
    ]
    return Section(title, head, rows)


def _count(count: int | None, total: int) -> str:
    return "" if count is None else f"{count:,} ({percent(count / max(1, total))})"


def table_figures(risks: TableRisks) -> pl.DataFrame:
    """All figures in one table: section, subject, figure, value, exact."""
    exact = {attacker.name: attacker.exact for attacker in risks.attackers}
    rows: list[tuple[str, str, str, float | None, bool]] = [
        ("classes", "", "classes", float(risks.n_classes), True),
        ("classes", "", "unique", float(risks.unique), True),
    ]
    for attacker in risks.attackers:
        figures = {name: value for name, value in attacker.to_json().items() if name != "exact" and value is not None}
        rows += [
            ("attacker", attacker.name, name, float(value), exact[attacker.name]) for name, value in figures.items()
        ]
    if risks.population is not None:
        counted = {name: value for name, value in risks.population.__dict__.items() if not isinstance(value, str)}
        rows += [("population", "", name, float(value), name == "size") for name, value in counted.items()]
    for row in risks.histogram.iter_rows(named=True):
        rows += [("class size", row["class_size"], name, float(row[name]), True) for name in ("classes", "units")]
    for row in risks.columns.iter_rows(named=True):
        rows += [("column", row["column"], name, float(value), True) for name, value in row.items() if name != "column"]
    for columns, _, unique, minimal in risks.column_sets.iter_rows():
        subject = ", ".join(columns)
        rows += [
            ("column set", subject, "unique", float(unique), True),
            ("column set", subject, "minimal", float(minimal), True),
        ]
    for part in risks.disclosures:
        rows += [
            ("disclosure", part.column, name, float(value), True)
            for name, value in part.to_json().items()
            if name != "column"
        ]
    for items in risks.known_items or ():
        rows += _item_rows(items)
    schema = {"section": pl.String, "subject": pl.String, "figure": pl.String, "value": pl.Float64, "exact": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _item_rows(items: KnownItems) -> list[tuple[str, str, str, float | None, bool]]:
    names = ("examined", "unique", "above", "smallest", "mean_risk")
    return [("known items", f"{items.known}", name, getattr(items, name), items.exact) for name in names]


def write_table_risks(risks: TableRisks, path: str | Path, *, title: str, notes: tuple[str, ...] = ()) -> None:
    """Write the figures in the format of the file's ending."""
    require_chart_file(path, "an audit", ENDINGS)
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        write_text(table_figures(risks).write_csv(), path)
    elif ending == ".html":
        head = f"<p>{escape(table_summary(risks))}</p>{_PRIVATE}<div class='wide'><div id='chart'></div></div>"
        body = head + _sections_html(table_sections(risks))
        reading = list_html((*risks.rules, *notes, *risks.notes))
        drawn = draw_table_risks(risks, title, summary=False)
        write_text(chart_page(f"Audit of {title}", f"{body}<h2>How to read it</h2>{reading}", drawn), path)
    else:
        write_bytes(rendered(draw_table_risks(risks, title), (ending[1:],))[ending[1:]], path)


def _sections_html(sections: list[Section]) -> str:
    return "".join(
        f"<h2>{escape(section.title[0].upper() + section.title[1:])}</h2>{table_html(section.head, section.rows)}"
        for section in sections
    )


def chunk_sections(risks: ChunkRisks) -> list[Section]:
    """The tables of the audit of chunks."""
    known = _known_items("known items of one chunk", "subrecords", risks.known_items, risks.audit.threshold)
    head = ("cluster", "chunk", "item", "support", "covered by", "covers")
    rows = [tuple(map(str, row)) for row in risks.covers.frame.sort("support", "item").head(10).iter_rows()]
    return [section for section in (known, Section("items that reveal other items", head, rows)) if section.rows]


def write_chunk_risks(risks: ChunkRisks, path: str | Path, *, title: str, notes: tuple[str, ...] = ()) -> None:
    """Write the figures of chunks in the format of the file's ending; a .csv holds the items that reveal others."""
    require_chart_file(path, "an audit", ENDINGS)
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        write_text(risks.covers.frame.write_csv(), path)
    elif ending == ".html":
        head = f"<p>{escape(risks.sentences[0])}</p>{_PRIVATE}<div class='wide'><div id='chart'></div></div>"
        body = head + _sections_html(chunk_sections(risks))
        reading = list_html((*risks.sentences, *notes))
        drawn = draw_chunk_risks(risks, title)
        write_text(chart_page(f"Audit of {title}", f"{body}<h2>How to read it</h2>{reading}", drawn), path)
    else:
        write_bytes(rendered(draw_chunk_risks(risks, title), (ending[1:],))[ending[1:]], path)
