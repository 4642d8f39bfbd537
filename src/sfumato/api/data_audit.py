"""The audit of data as they are: anonymity sets, risks of tables, owners and sensitive places, covered items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.attacks import Audit, Covers, Findings, GuessFindings, GuessSensitivePlaces, OwnerAudit, OwnerFindings
from sfumato.attacks.audit.chunk_risks import ChunkRisks, audit_chunks
from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.attacks.audit.table_risks import TableRisks
from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories
from sfumato.data.base import Progress, Tabular
from sfumato.errors import DataError
from sfumato.html import card_html, list_html
from sfumato.io.published.directory import Published, as_published
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Audited", "DataAudit", "audit_data", "audited_directory", "source_notes"]

_FEWEST = 4  # places that simulated attackers know, at least


@dataclass(frozen=True, eq=False)
class Audited:
    """Data to audit.

    notes : what to bear in mind about where they are from.  split : whether records were split before publishing.
    c : the probability that a promise of c-safety allows, where the data were published under one.
    """

    data: Dataset
    notes: tuple[str, ...] = ()
    split: bool = False
    c: float | None = None

    @property
    def as_visits(self) -> Audited:
        """Roads as visits: to an attacker who saw somebody there, in published data together with their interval."""
        if not isinstance(self.data, RoadTrajectories):
            return self
        seen = (
            "a road, its direction and its interval" if self.data.intervals is not None else "a road and its direction"
        )
        notes = (*self.notes, f"A visit is {seen}.")
        return replace(self, data=self.data.as_trajectories(by_interval=True), notes=notes)


def audited_directory(release: str | Path | Published) -> Audited:
    """A published directory, audited as anybody sees it."""
    published = as_published(release)
    data = published.require_data()
    split = bool(published.certificate.records.get("split"))
    return Audited(data, tuple(source_notes(published, data)), split, _promised_c(published))


def source_notes(published: Published, data: Dataset) -> list[str]:
    """What to bear in mind about data that were published; `data` may be without their records."""
    notes = [f"{problem}." for problem in published.problems]
    if published.certificate.unit == "person":
        notes.append("The certificate counts persons, and the files do not say who they are: audit the original, too.")
    if isinstance(data, Table) and not data.members:  # ranges of numbers have no list of members
        notes.append("Labels are compared as they are published.")
    return notes


def _promised_c(release: Published) -> float | None:
    """The c that a certificate claims."""
    return next((float(model.c) for model in release.models if model.name == "c-safety"), None)


@dataclass(frozen=True, eq=False)
class DataAudit(Tabular):
    """What an attacker could do to data as they are; no figure is about a single person.

    findings : anonymity sets and probabilities, for trajectories and transactions.
    table : of a table or mixed records instead, the risks of equivalence classes.
    chunks, covers : of disassociated data instead, the support of known items, and which items reveal others.
    owners : what owners of places could conclude.  sensitive_places : how well attackers guess a sensitive place.
    """

    findings: Findings | None
    covers: Covers | None = None
    owners: OwnerFindings | None = None
    sensitive_places: GuessFindings | None = None
    notes: tuple[str, ...] = ()
    table: TableRisks | None = None
    chunks: ChunkRisks | None = None

    def __repr__(self) -> str:
        return f"<DataAudit: {self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one sentence."""
        from sfumato.experiments.reports.audit_chart import summary
        from sfumato.experiments.reports.table_risk_chart import table_summary

        if self.table is not None:
            return table_summary(self.table)
        if self.findings is None:
            return "" if self.chunks is None else self.chunks.sentences[0]
        return summary(self.findings)

    @property
    def sentences(self) -> list[str]:
        """How to read the figures, and what to bear in mind."""
        if self.table is not None:
            return [*self.table.rules, *self.notes, *self.table.notes]
        if self.findings is None:
            return [] if self.chunks is None else [*self.chunks.sentences, *self.notes]
        more = [part.summary for part in (self.owners, self.sensitive_places) if part is not None]
        return [*more, *self.findings.rules, *self.notes, *self.findings.notes]

    @property
    def people(self) -> pl.DataFrame:
        """One row for each person (or record), with their own risk.  Private: it names them."""
        if self.table is not None:
            return self.table.people
        if self.findings is None:
            raise DataError("audit: chunks say nothing about single persons")
        return self.findings.people

    def _repr_html_(self) -> str:
        from sfumato.experiments.reports.audit_page import HEAD, known_rows
        from sfumato.experiments.reports.table_risk_page import table_sections

        if self.table is not None:
            first, *others = table_sections(self.table)
            tables = "".join(card_html(title, head, rows, len(rows)) for title, head, rows in others)
            return card_html(self.summary, first.head, first.rows, len(first.rows)) + tables + list_html(self.sentences)
        if self.findings is None:
            return super()._repr_html_()
        rows = known_rows(self.findings)
        return card_html(self.summary, HEAD, rows, len(rows), self.sentences)

    def _remarks(self) -> list[str]:
        return self.sentences

    def chart(self) -> alt.TopLevelMixin:
        """The share of unique people the more is known, and the sizes of anonymity sets or equivalence classes."""
        from sfumato.experiments.reports.audit_chart import draw_audit
        from sfumato.experiments.reports.charts import require_charts
        from sfumato.experiments.reports.table_risk_chart import draw_chunk_risks, draw_table_risks

        require_charts()
        if self.table is not None:
            return draw_table_risks(self.table)
        if self.chunks is not None:
            return draw_chunk_risks(self.chunks)
        assert self.findings is not None
        return draw_audit(self.findings)

    def write(self, path: str | Path, *, title: str = "Audit") -> Path:
        """Write a .html page, a .png, .svg or .pdf picture, or a .csv of the figures; private as the data."""
        from sfumato.experiments.reports.audit_page import require_audit_file, write_audit
        from sfumato.experiments.reports.table_risk_page import write_chunk_risks, write_table_risks

        out = Path(path)
        require_audit_file(out)
        if self.table is not None:
            write_table_risks(self.table, out, title=title, notes=self.notes)
        elif self.chunks is not None:
            write_chunk_risks(self.chunks, out, title=title, notes=self.notes)
        elif self.findings is not None:
            write_audit(self.findings, out, title=title, owners=self.owners)
        return out

    def to_polars(self) -> pl.DataFrame:
        """All figures.

        Of trajectories and transactions: known, figure, anonymity_set, value, low, high, exact.  Of tables: section,
        subject, figure, value, exact.  Of chunks the covered items.
        """
        from sfumato.experiments.reports.audit_page import figures_frame
        from sfumato.experiments.reports.table_risk_page import table_figures

        if self.table is not None:
            return table_figures(self.table)
        if self.findings is None:
            return pl.DataFrame() if self.covers is None else self.covers.frame
        return figures_frame(self.findings)

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values."""
        if self.table is not None:
            figures = self.table.to_json()
            return {**figures, "notes": [*self.notes, *figures["notes"]]}
        if self.findings is None:
            return {**({} if self.chunks is None else self.chunks.to_json()), "notes": list(self.notes)}
        figures = self.findings.to_json()
        parts = {"owners": self.owners, "sensitive_places": self.sensitive_places}
        more = {name: part.to_json() for name, part in parts.items() if part is not None}
        return {**figures, "notes": [*self.notes, *figures["notes"]], **more}


def audit_data(
    audited: Audited,
    audit: Audit,
    *,
    table: TableAudit | None = None,
    population: Table | None = None,
    owners: OwnerAudit | None = None,
    original: Dataset | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> DataAudit:
    """Audit data as they are.

    table : the parameters for tables and mixed records.  population : a table that contains the persons of the data.

    owners : what owners of places may do; if not given, owners are examined where places have some.
    original : the private data of published ones, from which it is known whom owners could place by elimination and
        which sensitive places are a person's own.
    """
    table = TableAudit() if table is None else table
    shared: dict[str, Any] = {"known": audit.known, "budget": audit.budget, "seed": seed, "progress": progress}
    if isinstance(audited.data, Chunks):
        chunks = audit_chunks(audited.data, table, **shared)
        return DataAudit(None, chunks.covers, notes=audited.notes, chunks=chunks)
    if isinstance(audited.data, Table | Mixed):
        risks = table.run(audited.data, population=population, **shared)
        return DataAudit(None, notes=audited.notes, table=risks)
    audited = audited.as_visits
    data = audited.data
    guesses = _guesses(data, original, audit.known, seed, audited.c)
    concluded = None
    if owners is not None or getattr(data, "owners", None) or (original is not None and guesses is None):
        concluded = (owners or OwnerAudit()).run(data, original=original, split=audited.split)
    findings = audit.run(data, seed=seed, progress=progress)
    return DataAudit(findings, None, concluded, guesses, audited.notes)


def _guesses(
    data: Dataset, original: Dataset | None, known: int, seed: int | None, c: float | None
) -> GuessFindings | None:
    """What simulated attackers make of the data; None where no taxonomy says what is sensitive."""
    if not isinstance(data, Trajectories) or not data.taxonomy or not data.taxonomy.sensitive:
        return None
    if any(name not in data.taxonomy for name in data.names):
        return None
    victims = original if isinstance(original, Trajectories) else None
    if victims is not None and any(name not in data.taxonomy for name in victims.with_used_names().names):
        victims = None
    attack = GuessSensitivePlaces(known=max(_FEWEST, known))
    return attack.run(data, original=None if victims is None else victims.with_used_names(), seed=seed, c=c)
