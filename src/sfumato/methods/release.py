"""A release: what may be published, what was checked, and what stays private."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sfumato
from sfumato.data import Dataset, Persons
from sfumato.data.base import Ints
from sfumato.errors import OutputError, PromiseBroken
from sfumato.io import published as directory
from sfumato.io.files import require_fresh, require_parent, require_private, write_json
from sfumato.io.ledger import ReleaseLedger
from sfumato.io.published import OVERRIDDEN
from sfumato.methods.base import Method, persons_of_release
from sfumato.privacy import PrivacyModel, Verdict
from sfumato.privacy.ledger import Ledger

__all__ = ["Release"]


@dataclass(frozen=True, eq=False)
class Release:
    """The result of `Method.anonymize`.

    data : the published dataset: no ids, no persons, records in the order of their content.
    verdicts : each guarantee with what its verifier found.
    beyond : by the name of a promise, what one piece of knowledge more gives away in the published data.
    original, origin, counts, seconds, seed, ledger, notes : private; they reach the report, never the published files.
    """

    data: Any
    method: Method
    verdicts: tuple[tuple[PrivacyModel, Verdict], ...]
    original: Dataset
    origin: Ints | None
    counts: dict[str, int]
    seconds: dict[str, float]
    seed: int | None
    ledger: Ledger | None = None
    notes: tuple[str, ...] = ()
    beyond: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether every guarantee was checked and holds."""
        return all(verdict.holds is True for _, verdict in self.verdicts)

    @property
    def persons(self) -> Persons | None:
        """Who is behind each published record, where that is known: private."""
        return persons_of_release(self.original, self.data, self.origin)

    @property
    def k(self) -> int | None:
        """The size of the crowd that the method was asked for, where it has one."""
        k: int | None = getattr(self.method, "k", None)
        return k

    def __repr__(self) -> str:
        state = "every promise holds" if self.holds else "A PROMISE DOES NOT HOLD"
        return f"<Release by {self.method}: {self.data!r}, {state}>"

    def to_polars(self) -> Any:
        return self.data.to_polars()

    def to_pandas(self) -> Any:
        return self.data.to_pandas()

    def certificate(self) -> dict[str, Any]:
        """What is published beside the data, except the digests of the files."""
        not_covered = [sentence for model, _ in self.verdicts for sentence in model.not_covered]
        if self.original.unit == "record":
            not_covered += [model.by_record for model, _ in self.verdicts]
        if self.seed is not None:
            not_covered += [model.seeded for model, _ in self.verdicts if model.seeded]
        if self.method.untruthful:
            not_covered.append(self.method.untruthful)
        certificate = {
            "sfumato": sfumato.__version__,
            "kind": self.data.kind,
            "unit": self.original.unit,
            "method": self.method.name,
            "parameters": self.method.to_json(),
            "seeded": self.seed is not None,
            "guarantees": [
                {"model": model.name, "parameters": model.to_json(), "verdict": verdict.to_published_json()}
                | ({"beyond": self.beyond[model.name]} if self.beyond.get(model.name) else {})
                for model, verdict in self.verdicts
            ],
            "records": self._records(),
            "not_covered": list(dict.fromkeys(not_covered)),
        }
        return certificate if self.holds else {**certificate, "override": True}

    def _records(self) -> dict[str, int]:
        """How many records there are and what became of the others, as far as soundness rule 3 allows."""
        records = {"published": len(self.data)}
        if all(model.exact_counts for model, _ in self.verdicts):
            for what in ("suppressed", "added", "split"):
                records[what] = self.counts.get(f"{what}_records", 0)
        return records

    def report(self) -> dict[str, Any]:
        """The private side: figures about the original that must not be published."""
        from sfumato.attacks.report import correspondence, digest_of

        drawn = [] if self.ledger is None else self.ledger.report()
        return {
            "private": True,
            "method": self.method.name,
            "parameters": self.method.to_json(),
            "seed": self.seed,
            "records": {"original": len(self.original), "published": len(self.data)},
            "counts": dict(self.counts),
            "digest": digest_of(self.original),
            "correspondence": correspondence(self.original, self.data, self.origin),
            **({"notes": list(self.notes)} if self.notes else {}),
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
    ) -> Path:
        """Write the published directory, whole or not at all, and the private report if asked.

        A release whose promise does not hold is refused; `override` writes it all the same and says so in
        the certificate.

        ledger : a private file that remembers who was in which release.  A release about people who were in an earlier
        one is attacked together with it, and refused where that beats the promise.
        """
        if not self.holds and not override:
            broken = next(model for model, verdict in self.verdicts if verdict.holds is not True)
            raise PromiseBroken(
                f"{self.method.name}: {broken} does not hold on this release, so it was not written; "
                f"override=True (--override) writes it all the same"
            )
        if report is not None:
            if Path(report).resolve().is_relative_to(Path(out).resolve()):
                raise OutputError(
                    f"{report}: the report is private and cannot lie in the directory to publish; move it"
                )
            require_private(report, "report")
            require_parent(report)
        path = self._entered(out, ledger, override) if ledger is not None else self._write(out, self.certificate())
        if report is not None:
            write_json(self.report(), report)
        return path

    def _write(self, out: str | Path, certificate: dict[str, Any]) -> Path:
        context = {fact for model, _ in self.verdicts for fact in model.context}
        return directory.write(self.data, certificate, out, context=context)

    def _entered(self, out: str | Path, file: str | Path, override: bool) -> Path:
        """Nobody else can enter a release between the attack and the entry."""
        from sfumato.methods.composed import attacked_with, kept_in, people_of

        if Path(file).resolve().is_relative_to(Path(out).resolve()):
            raise OutputError(f"{file}: the ledger is private and cannot lie in the directory to publish; move it")
        require_private(file, "ledger")
        require_parent(file)
        require_fresh(out)
        with ReleaseLedger.writing(file) as book:
            people = people_of(self, book)
            composed = [attacked_with(self, entry, book, people) for entry in book.entries()]
            certificate = self.certificate()
            beaten = [one for one in composed if one.refused]
            if beaten and not override:
                raise PromiseBroken(
                    f"{self.method.name}: {beaten[0].sentence}, so it was not written; "
                    f"override=True (--override) writes it all the same"
                )
            if beaten:
                certificate["not_covered"].append(OVERRIDDEN)
                certificate["override"] = True
            path = self._write(out, certificate)
            try:
                book.enter(path, certificate, people, [one.to_json() for one in composed], kept=kept_in(self))
            except BaseException:
                shutil.rmtree(path, ignore_errors=True)
                raise
        return path
