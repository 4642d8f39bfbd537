"""The files of a table's audit: complete, offline, and about no person."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato import Chunks, Mixed
from sfumato.attacks import TableAudit, TableRisks
from sfumato.attacks.audit.chunk_risks import audit_chunks
from sfumato.experiments.reports.table_risk_chart import draw_table_risks, table_summary
from sfumato.experiments.reports.table_risk_page import (
    table_figures,
    table_sections,
    write_chunk_risks,
    write_table_risks,
)


@pytest.fixture(scope="module")
def risks() -> TableRisks:
    frame = {
        "age": [30, 30, 41, 52, 52],
        "<sex>": ["f", "f", "m", "m", "f"],
        "ill": ["flu", "hiv", "flu", "flu", None],
        "codes": ["a b", "a", "", "c", "c"],
        "who": [f"name-{n}" for n in range(5)],
    }
    roles = {"quasi_identifiers": ("age", "<sex>"), "sensitive": ("ill",)}
    return TableAudit(population_size=50).run(
        Mixed.from_frame(frame, items="codes", columns={"person": "who"}, **roles)
    )


def test_the_summary_and_the_chart(risks: TableRisks) -> None:
    assert table_summary(risks) == (
        "Of 5 persons, 3 (60%) are unique in 2 quasi-identifiers, and 5 (100%) have a prosecutor risk above 20%; "
        "the average is 80%."
    )
    chart = draw_table_risks(risks, "people").to_dict()
    bars = chart["hconcat"][0]["layer"][0]
    assert [row["units"] for row in bars.get("data", chart["hconcat"][0].get("data"))["values"]] == [3, 2]


def test_sections(risks: TableRisks) -> None:
    titles = [section.title for section in table_sections(risks)]
    assert titles == [
        "re-identification risk",
        "singling out: the best columns to know",
        "riskiest sets of up to 3 columns",
        "columns",
        "attribute disclosure",
        "known items beside the quasi-identifiers",
    ]
    for section in table_sections(risks):
        assert all(len(row) == len(section.head) for row in section.rows)


def test_every_figure_is_in_the_frame(risks: TableRisks) -> None:
    frame = table_figures(risks)
    assert frame.filter(section="attacker", subject="prosecutor", figure="highest")["value"].to_list() == [1.0]
    assert frame.filter(section="attacker", subject="marketer")["exact"].to_list() == [False]
    assert frame.filter(section="class size", figure="units")["value"].sum() == 5
    assert set(frame["section"]) == {
        "attacker", "class size", "classes", "column", "column set", "disclosure", "known items", "population"
    }  # fmt: skip


def test_the_files(risks: TableRisks, tmp_path: Path) -> None:
    for ending in ("html", "png", "svg", "csv"):
        write_table_risks(risks, tmp_path / f"audit.{ending}", title="<people>", notes=("A note.",))
    page = (tmp_path / "audit.html").read_text()
    assert "name-" not in page
    assert "<sex>" not in page
    assert "<people>" not in page
    assert "A note." in page
    assert "src=" not in page.partition("<script>")[0]
    assert (tmp_path / "audit.png").read_bytes()[:4] == b"\x89PNG"
    assert pl.read_csv(tmp_path / "audit.csv").height == len(table_figures(risks))


def test_chunks(tmp_path: Path) -> None:
    pair = [["ale", "bread"], ["ale", "bread"], ["ale"]]
    chunks = Chunks.of([{"size": 3, "chunks": [pair, [["tea"], ["tea"]]], "terms": ["oil"]}])
    risks = audit_chunks(chunks, TableAudit())
    assert risks.frame.select("known", "subrecords", "smallest").rows() == [(1, 5, 2), (2, 5, 2)]
    write_chunk_risks(risks, tmp_path / "audit.html", title="chunks")
    assert "Known items of one chunk" in (tmp_path / "audit.html").read_text()
