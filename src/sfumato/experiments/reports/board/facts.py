"""The facts that the sections of a report are made from: the release checked again, and private facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sfumato.attacks.attack_report import AttackReport, attack_releases
from sfumato.attacks.view.private_report import digest_of, read_report
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Chunks, Dataset
from sfumato.data.base import Progress
from sfumato.errors import CallerError, FileError
from sfumato.experiments.evaluation import Evaluation, evaluate
from sfumato.experiments.reports.board.record_classes import Sizes, class_sizes
from sfumato.experiments.reports.board.roles import with_claimed_roles
from sfumato.io.files import read_bytes
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.directory import Published
from sfumato.io.published.ledger import Entry, ReleaseLedger
from sfumato.io.published.strict_json import parse_json
from sfumato.methods.alternative import Alternative
from sfumato.methods.alternatives import explained_losses
from sfumato.params import JsonObject
from sfumato.utility.heavy_losses import HeavyLoss
from sfumato.verification import Check, verify

__all__ = ["SEED", "Facts", "Repeat", "collect"]

SEED = 0  # of attacks that draw their targets, so that a report can be repeated
_MEASURES = {  # by the kind of the published data; quick ones
    "trajectories": ("intact", "label-size"),
    "transactions": ("item-ncp",),
    "table": ("ncp", "class-size"),
    "mixed": ("ncp", "class-size", "ul"),
    "chunks": ("tlost", "tkd"),
    "roads": ("road-error",),
}


@dataclass(frozen=True)
class Repeat:
    """The commands that repeat the checks and the attacks of a report, in the words of the caller.

    In a public report, DIRECTORY stands for the published directory, on whose name the report must not depend.
    confirm : what to add to the check for something that only the release says, such as the quasi-identifiers.
    instead : the command that runs an alternative, given its number.
    """

    verify: str = "sfumato verify DIRECTORY"
    attack: str = ""
    confirm: Mapping[str, str] = field(default_factory=dict)
    instead: Callable[[Alternative, int], str] | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """What a report is made from; everything but `release` and `check` is private.

    check : the directory checked again, with all that is given.  original : the private data.
    run : the private report of the run.  attacks : what attackers achieved.  evaluation : what was kept.
    ledger : the releases in a ledger, each with the number of its persons who are in the original (None: not known).
    unevaluated : why nothing was measured, where nothing was.
    """

    release: Published
    check: Check
    original: Dataset | None = None
    run: JsonObject | None = None
    attacks: AttackReport | None = None
    evaluation: Evaluation | None = None
    ledger: tuple[tuple[Entry, int | None], ...] | None = None
    repeat: Repeat = Repeat()
    unevaluated: str = ""

    @property
    def private(self) -> bool:
        """Whether anything in it is not published."""
        return any(source is not None for source in (self.original, self.run, self.ledger))

    @property
    def certificate(self) -> Certificate:
        return self.release.certificate

    @property
    def data(self) -> Any:
        """The published data; None where they cannot be read."""
        return self.release.data

    @property
    def synthetic(self) -> bool:
        """Whether the published records belong to no person."""
        return any(not model.exact_counts for model in self.release.models)

    @property
    def unconfirmed(self) -> list[str]:
        """What counted as the release claims it, although an original was given."""
        return [result.what for result in self.check.counted if result.source == "claimed"]

    @cached_property
    def heavy_losses(self) -> tuple[HeavyLoss, ...]:
        """What next to nothing is left of, given the original."""
        if self.original is None or self.data is None or self.certificate.method not in METHODS:
            return ()
        method = method_class(self.certificate.method).from_json(self.certificate.parameters)
        return explained_losses(method, self.original, self.data)

    @cached_property
    def equal_records(self) -> Sizes | None:
        """The sizes of the groups of equal published records; None where no whole records of persons are published."""
        if self.data is None or self.synthetic or isinstance(self.data, Chunks) or len(self.data) == 0:
            return None
        return class_sizes(self.data)

    def sentence(self, text: str) -> str:
        """A sentence without the path of the directory, on which a public report must not depend."""
        folder = str(self.release.folder)
        return text.replace(f"{folder}/", "").replace(f"{folder}: ", "").replace(folder, "the directory")


def collect(
    release: Published,
    *,
    original: Dataset | None = None,
    report: str | Path | None = None,
    ledger: str | Path | None = None,
    claimed: Collection[str] = (),
    repeat: Repeat | None = None,
    progress: Progress | None = None,
) -> Facts:
    """Check the release again and, with the original, attack and measure it.

    original : the private dataset.  report : the private report of the run.  ledger : a private ledger of releases.
    claimed : what the original only repeats from the release, as `verify` takes it.
    """
    if original is not None:
        original = with_claimed_roles(original, release.data, claimed)
    run = None if report is None else _run(report, release, original)
    entries = None if ledger is None else _entries(ledger, original)
    by_report = report if original is not None else None
    check = verify(release, original=original, report=by_report, claimed=claimed)
    facts: dict[str, Any] = {"run": run, "ledger": entries, "repeat": repeat or Repeat()}
    if original is None:
        return Facts(release, check, **facts)
    attacks = attack_releases(original, [release], report=report, seed=SEED, progress=progress)
    evaluation, why = _evaluated(original, release)
    return Facts(release, check, original, attacks=attacks, evaluation=evaluation, unevaluated=why, **facts)


def _entries(path: str | Path, original: Dataset | None) -> tuple[tuple[Entry, int | None], ...]:
    persons = None if original is None else original.persons
    with ReleaseLedger.reading(path) as book:
        people = None if persons is None else book.hashed(persons.names.to_list())
        return tuple(
            (entry, None if people is None or entry.people is None else len(book.shared(entry, people)))
            for entry in book.entries()
        )


def _evaluated(original: Dataset, release: Published) -> tuple[Evaluation | None, str]:
    if release.data is None:
        return None, "The published data cannot be read."
    try:
        return evaluate(original, release, _MEASURES.get(release.data.kind, ())), ""
    except CallerError as refusal:
        return None, str(refusal)


def _run(path: str | Path, release: Published, original: Dataset | None) -> JsonObject:
    """The private report of this release's run; refuses that of another."""
    run = parse_json(read_bytes(path), path)
    certificate = release.certificate
    if not isinstance(run, dict) or run.get("private") is not True:
        raise FileError(path, "wanted the private report of a run, found another file")
    fields = ("method", "parameters")
    records = run.get("records")
    counts = records.get("published") if isinstance(records, dict) else None
    same = all(run.get(name) == getattr(certificate, name) for name in fields)
    if not same or counts != certificate.records.get("published"):
        raise FileError(path, "this is the report of another release")
    if original is not None and run.get("digest", digest_of(original)) != digest_of(original):
        without_persons = certificate.unit == "person" and original.persons is None
        raise FileError(
            path,
            "this is the report of a run on other data, or on these data read differently",
            remedy="name-person-column" if without_persons else "read-as-the-run",
        )
    if original is not None and release.data is not None:
        read_report(path, original, certificate, release.data)
    return run
