"""A release: what may be published, what was checked, and what stays private."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from sfumato.data import Dataset, Persons
from sfumato.data.base import Ints
from sfumato.data.labels.label_geometry import label_geometry, require_public_geometry
from sfumato.errors import DataError, PromiseBroken
from sfumato.html import card_html
from sfumato.io.atomic_writes import Appearance, PreparedFile, json_text, prepared_file
from sfumato.io.outputs import require_fresh, require_output
from sfumato.io.published import directory
from sfumato.io.published.certificate import Certificate, Guarantee
from sfumato.io.published.ledger import ReleaseLedger
from sfumato.io.published.row_files import require_format
from sfumato.methods.base import Method, PublishedT_co, persons_of_release
from sfumato.methods.derived_context import policy_rules
from sfumato.methods.read_back import check_written
from sfumato.methods.written_release import Written
from sfumato.params import JsonObject
from sfumato.privacy import PrivacyModel, Verdict
from sfumato.privacy.noise.budget import PrivacyBudget
from sfumato.privacy.not_covered import OVERRIDDEN, Limit, limits_of
from sfumato.remedies import Sentence, keep_remedy

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from sfumato.methods.composition_check import Composed
    from sfumato.utility.heavy_losses import HeavyLoss

__all__ = ["Release"]

_LIMITS = 3  # of what is not covered, in a notebook


@dataclass(frozen=True, eq=False)
class Release(Generic[PublishedT_co]):
    """The result of `Method.anonymize`.

    data : the published dataset: no ids, no persons, records in the order of their content.
    verdicts : each guarantee with the verdict of its verifier.
    beyond : by promise, what one more known visit or item reveals in the published data.
    original, origin, counts, seconds, seed, budget, notes : private; they reach the report, never the published files.
    """

    data: PublishedT_co
    method: Method[PublishedT_co]
    verdicts: tuple[tuple[PrivacyModel, Verdict], ...]
    original: Dataset
    origin: Ints | None
    counts: dict[str, int]
    seconds: dict[str, float]
    seed: int | None
    budget: PrivacyBudget | None = None
    notes: tuple[str, ...] = ()
    beyond: dict[PrivacyModel, JsonObject] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether every guarantee was checked and holds."""
        return all(verdict.holds is True for _, verdict in self.verdicts)

    @property
    def persons(self) -> Persons | None:
        """The person of each published record, where that is known: private."""
        return persons_of_release(self.original, self.data, self.origin)

    @property
    def k(self) -> int | None:
        """The k that the method was asked for (smallest anonymity set), where it has one."""
        k: int | None = getattr(self.method, "k", None)
        return k

    def __repr__(self) -> str:
        state = "every promise holds" if self.holds else "A PROMISE DOES NOT HOLD"
        return f"<Release by {self.method}: {self.data!r}, {state}>"

    def _repr_html_(self) -> str:
        rows = [
            (model.label, verdict.holds, ", ".join(f"{name} {value}" for name, value in verdict.measured.items()))
            for model, verdict in self.verdicts
        ]
        limits = [f"not covered: {limit}" for limit in self.not_covered[:_LIMITS]]
        more = len(self.not_covered) - len(limits)
        limits += [f"{more} more limits stand in the certificate, under not_covered"] if more else []
        lost = [f"near-total loss: {loss}" for loss in self.loss_sentences]
        return card_html(repr(self), ("promise", "holds", "measured"), rows, len(rows), [*self.notes, *lost, *limits])

    @cached_property
    def heavy_losses(self) -> tuple[HeavyLoss, ...]:
        """What the release keeps next to nothing of, with the cause and up to two alternatives each: private.

        Alternatives are tried on the original, for at most twice as long as the run itself took, or 10 seconds.
        """
        return self.explained_losses()

    @property
    def loss_sentences(self) -> tuple[str, ...]:
        """What the release keeps next to nothing of, with the cause, in words: private."""
        return tuple(map(str, self.explained_losses(alternatives=False)))

    def explained_losses(self, *, alternatives: bool = True, seconds: float | None = None) -> tuple[HeavyLoss, ...]:
        """The near-total losses, without alternatives or with a limit of seconds for their trials: private."""
        from sfumato.methods.alternatives import explained_losses

        try:
            return explained_losses(self.method, self.original, self, alternatives=alternatives, seconds=seconds)
        except DataError:  # labels that a method of somebody else publishes and that nobody can read
            return ()

    def to_polars(self) -> pl.DataFrame:
        """The published data as a polars frame."""
        return self.data.to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """The published data as a pandas frame."""
        return self.data.to_pandas()

    def to_geopandas(self) -> Any:
        """A row a published label (or road) with its number of visits and its geometry; needs the extra `frames`.

        A place is a point, and a label that stands for several places is the multipoint of its members; the
        `convex_hull` of the geometry is its area.
        """
        return label_geometry(self.data)

    def certificate(self) -> Certificate:
        """What is published besides the data, except the digests of the files."""
        rules = policy_rules(self.original, {fact for model, _ in self.verdicts for fact in model.context})
        return Certificate(
            kind=self.data.kind,
            unit=self.original.unit,
            method=self.method.name,
            parameters=self.method.to_json(),
            policy=rules or None,
            seeded=self.seed is not None,
            guarantees=tuple(
                Guarantee.of(model, verdict.to_published_json(), self.beyond.get(model))
                for model, verdict in self.verdicts
            ),
            records=self._records(),
            not_covered=tuple(limit.to_json() for limit in self.not_covered),
            override=not self.holds,
        )

    def to_json(self) -> JsonObject:
        """The certificate: nothing in it is private."""
        return self.certificate().to_json()

    @property
    def not_covered(self) -> list[Limit]:
        """What the promises do not cover."""
        return limits_of(
            (model for model, _ in self.verdicts),
            unit=self.original.unit,
            seeded=self.seed is not None,
            of_method=self.method.limits(),
        )

    def _records(self) -> dict[str, int]:
        """How many records there are and what became of the others, as far as soundness rule 3 allows."""
        records = {"published": len(self.data)}
        if all(model.exact_counts for model, _ in self.verdicts):
            for what in ("suppressed", "added", "split"):
                records[what] = self.counts.get(f"{what}_records", 0)
        return records

    def report(self) -> JsonObject:
        """The private side: figures about the original that must not be published."""
        from sfumato.attacks.view.private_report import correspondence, digest_of, packed_origin

        drawn = [] if self.budget is None else self.budget.report()
        return {
            "private": True,
            "method": self.method.name,
            "parameters": self.method.to_json(),
            "seed": self.seed,
            "records": {"original": len(self.original), "published": len(self.data)},
            "counts": dict(self.counts),
            "digest": digest_of(self.original),
            "correspondence": correspondence(self.original, self.data, self.origin),
            "origin": packed_origin(self.data, self.origin),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"heavy_losses": [loss.to_json() for loss in self.heavy_losses]} if self.heavy_losses else {}),
            "guarantees": [
                {"model": model.name, "parameters": model.to_json(), "verdict": verdict.to_json()}
                for model, verdict in self.verdicts
            ],
            "seconds": {phase: round(seconds, 4) for phase, seconds in self.seconds.items()},
        } | ({"ledger": drawn} if drawn else {})

    def write(
        self,
        out: str | Path,
        *,
        override: bool = False,
        report: str | Path | None = None,
        ledger: str | Path | None = None,
        figures: Mapping[str, Any] | None = None,
        geometry: bool = False,
        format: str = "csv",
    ) -> Written:
        """Write the published directory, complete or not at all, and the private report if asked.

        A release whose promise does not hold is refused; `override` writes it anyway and states it in
        the certificate.  Where the report or the entry in the ledger cannot be written, nothing is.

        ledger : a private file that remembers who was in which release.  A release about people who were in an earlier
        one is attacked together with it, and refused where that breaks the promise.
        figures : fields to add to the report, such as the measures that were taken.
        geometry : also publish, in context/places.csv, the coordinates of the places that published labels stand for.
        They must come from places that were given: coordinates in the visits are private, and refused.
        format : of the data files, "csv" or "parquet"; the certificate and what it promises are the same.
        """
        require_format(format)
        if not self.holds and not override:
            broken = next(model for model, verdict in self.verdicts if verdict.holds is not True)
            raise PromiseBroken(
                f"{self.method.name}: {broken} does not hold on this release, so it was not written",
                remedy="override",
            )
        if geometry:
            require_public_geometry(self.data)
        out, report, ledger = Path(out), _path(report), _path(ledger)
        require_fresh(out)
        if report is not None:
            require_output(report, "report", others=[] if ledger is None else [ledger], public=out)
        if ledger is not None:
            require_output(ledger, "ledger", public=out, opened=True)
        with ExitStack() as stack:
            steps = _Steps()
            if report is not None:
                content = self.report() | ({} if figures is None else dict(figures))
                steps.report = stack.enter_context(prepared_file(report, json_text(content).encode("utf-8")))
            earlier: tuple[Composed, ...] = ()
            certificate = self.certificate()
            if ledger is not None:
                book = stack.enter_context(ReleaseLedger.writing(ledger))
                certificate, earlier = self._entered(out, certificate, book, override, steps)
            return Written(out, self._write(out, certificate, steps, geometry, format), report, ledger, earlier)

    def _write(self, out: Path, certificate: Certificate, steps: _Steps, geometry: bool, format: str) -> Certificate:
        """Write the directory; returns its certificate as it is read back."""
        context = {fact for model, _ in self.verdicts for fact in model.context}
        context |= {"geometry"} if geometry else set()
        written: list[Certificate] = []
        directory.write(
            self.data,
            certificate,
            out,
            context=context,
            format=format,
            check=lambda folder: written.append(check_written(self, folder)),
            appearance=steps,
        )
        return written[0]

    def _entered(
        self, out: Path, certificate: Certificate, book: ReleaseLedger, override: bool, steps: _Steps
    ) -> tuple[Certificate, tuple[Composed, ...]]:
        """Attack the release together with those in the ledger and prepare its entry.

        Returns the certificate, which records an override, and the attacks.

        No other release can be entered between the attack and the entry.
        """
        from sfumato.methods.composition_check import attacked_with, kept_in, people_of

        people = people_of(self, book)
        composed = [attacked_with(self, entry, book, people) for entry in book.entries()]
        beaten = [composition for composition in composed if composition.refused]
        if beaten and not override:
            raise _beaten(self.method, beaten[0].sentence)
        if beaten:
            limits = (*certificate.not_covered, OVERRIDDEN.to_json())
            certificate = replace(certificate, not_covered=limits, override=True)
        attacks = [composition.to_json() for composition in composed]
        steps.entry = book.intend(out, certificate, people, attacks, kept=kept_in(self))
        return certificate, tuple(composition for composition in composed if composition.shared != 0)


class _Steps(Appearance):
    """Directory, report and entry appear together: the entry is intended, the directory appears, then the report."""

    def __init__(self) -> None:
        self.entry = Appearance()
        self.report: PreparedFile | None = None

    def partial(self, out: Path) -> Path:
        return self.entry.partial(out)

    def announce(self, partial: Path) -> None:
        self.entry.announce(partial)

    def settle(self) -> None:
        try:
            if self.report is not None:
                self.report.place()
            self.entry.settle()
        except BaseException:
            self._without_report()
            raise

    def withdraw(self) -> None:
        self._without_report()
        self.entry.withdraw()

    def _without_report(self) -> None:
        if self.report is not None:
            self.report.take_back()


def _beaten(method: Method[Any], sentence: str) -> PromiseBroken:
    """Why a release was refused beside an earlier one, with the remedy for the earlier one where there is one."""
    problem = f"{method.name}: {sentence}, so it was not written"
    error = PromiseBroken(problem, remedy="override")
    return PromiseBroken(keep_remedy(str(error), sentence)) if isinstance(sentence, Sentence) else error


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)
