"""The audit of data as they are: anonymity sets, owners of places, guesses of sensitive places, covered items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from sfumato.attacks import Audit, Covers, Findings, GuessFindings, GuessSensitivePlaces, OwnerAudit, OwnerFindings
from sfumato.attacks.covers import find_covers
from sfumato.data import Chunks, Dataset, RoadTrajectories, Trajectories
from sfumato.data.base import Progress, Tabular
from sfumato.errors import DataError
from sfumato.html import card_html
from sfumato.io.published.directory import Published, as_published
from sfumato.params import JsonObject

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Audited", "DataAudit", "audit_data", "audited_directory"]

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
    found = as_published(release)
    data = found.require_data()
    notes = [f"{problem}." for problem in found.problems]
    if found.certificate.unit == "person":
        notes.append("The certificate counts persons, and the files do not say who they are: audit the original, too.")
    return Audited(data, tuple(notes), bool(found.certificate.records.get("split")), _promised_c(found))


def _promised_c(release: Published) -> float | None:
    """The c that a certificate claims."""
    return next((float(model.c) for model in release.models if model.name == "c-safety"), None)


@dataclass(frozen=True, eq=False)
class DataAudit(Tabular):
    """What an attacker could do to data as they are; no figure is about a single person.

    findings : anonymity sets and probabilities, for trajectories and transactions.
    covers : of disassociated data instead, which items give others away.
    owners : what owners of places could conclude.  sensitive_places : how well attackers guess a sensitive place.
    """

    findings: Findings | None
    covers: Covers | None = None
    owners: OwnerFindings | None = None
    sensitive_places: GuessFindings | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<DataAudit: {self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one sentence."""
        from sfumato.experiments.reports.audit_chart import summary

        if self.findings is None:
            return "" if self.covers is None else self.covers.sentences[0]
        return summary(self.findings)

    @property
    def sentences(self) -> list[str]:
        """How to read the figures, and what to bear in mind."""
        if self.findings is None:
            return [] if self.covers is None else [*self.covers.sentences, *self.notes]
        more = [part.summary for part in (self.owners, self.sensitive_places) if part is not None]
        return [*more, *self.findings.rules, *self.notes, *self.findings.notes]

    @property
    def people(self) -> pl.DataFrame:
        """One row for each person (or record), with their own risk.  Private: it names them."""
        return self._findings("chunks say nothing about single persons").people

    def _findings(self, without: str) -> Findings:
        if self.findings is None:
            raise DataError(f"audit: {without}")
        return self.findings

    def _repr_html_(self) -> str:
        from sfumato.experiments.reports.audit_page import HEAD, known_rows

        if self.findings is None:
            return super()._repr_html_()
        rows = known_rows(self.findings)
        return card_html(self.summary, HEAD, rows, len(rows), self.sentences)

    def _remarks(self) -> list[str]:
        return self.sentences

    def chart(self) -> alt.TopLevelMixin:
        """The share of unique people the more is known, and the sizes of anonymity sets."""
        from sfumato.experiments.reports.audit_chart import draw_audit
        from sfumato.experiments.reports.charts import require_charts

        require_charts()
        return draw_audit(self._findings("there is no chart of chunks; to_polars() lists the covered items"))

    def to_polars(self) -> pl.DataFrame:
        """All figures: known, figure, anonymity_set, value, low, high, exact; of chunks the covered items."""
        from sfumato.experiments.reports.audit_page import figures_frame

        if self.findings is None:
            return pl.DataFrame() if self.covers is None else self.covers.frame
        return figures_frame(self.findings)

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values."""
        if self.findings is None:
            return {**({} if self.covers is None else self.covers.to_json()), "notes": list(self.notes)}
        figures = self.findings.to_json()
        parts = {"owners": self.owners, "sensitive_places": self.sensitive_places}
        more = {name: part.to_json() for name, part in parts.items() if part is not None}
        return {**figures, "notes": [*self.notes, *figures["notes"]], **more}


def audit_data(
    audited: Audited,
    audit: Audit,
    *,
    owners: OwnerAudit | None = None,
    original: Dataset | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> DataAudit:
    """Audit data as they are.

    owners : what owners of places may do; if not given, owners are examined where places have some.
    original : the private data of published ones, from which it is known whom owners could place by elimination and
        which sensitive places are a person's own.
    """
    if isinstance(audited.data, Chunks):
        return DataAudit(None, find_covers(audited.data), notes=audited.notes)
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
