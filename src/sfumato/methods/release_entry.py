"""Enter a published directory that is there already into a ledger, after attacking it with the earlier releases.

`Release.write(ledger=...)` enters a release at the moment at which it is written.  Here a directory was written before,
so that people could examine it, and is to be published now, exactly as it is.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.attacks.view.private_report import read_report
from sfumato.catalogue import method_class
from sfumato.data import Dataset
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import FileError, PromiseBroken
from sfumato.io.published import directory as published_directory
from sfumato.io.published.certificate import CERTIFICATE, Certificate
from sfumato.io.published.directory import Published, as_published
from sfumato.io.published.ledger import ReleaseLedger
from sfumato.methods.composition_check import Composed, attacked_with, kept_in, people_of
from sfumato.methods.release import Release
from sfumato.privacy.not_covered import OVERRIDDEN
from sfumato.verification import Check, verify

__all__ = ["Entered", "attack_with_earlier", "enter_release", "read_release"]


@dataclass(frozen=True)
class Entered:
    """A release in a ledger: its number, its certificate, and the attacks together with earlier releases."""

    number: int
    certificate: Certificate
    earlier: tuple[Composed, ...] = ()


def read_release(
    release: str | Path | Published, original: Dataset, report: str | Path | None = None
) -> tuple[Release[Dataset], Check]:
    """The release of a published directory with its original, and the directory checked again with both.

    report : the private report of the run, from which the original record of each published record is known.
    """
    published = as_published(release)
    data = published.require_data()
    check = verify(published, original=original, report=report)
    certificate = published.certificate
    rebuilt: Release[Dataset] = Release(
        data=data,
        method=method_class(certificate.method).from_json(certificate.parameters),
        verdicts=check.verdicts,
        original=original,
        origin=None if report is None else _origin(report, original, certificate, data),
        counts={},
        seconds={},
        seed=None,
    )
    return rebuilt, check


def attack_with_earlier(
    release: str | Path | Published,
    *,
    original: Dataset,
    report: str | Path | None = None,
    ledger: str | Path,
) -> tuple[Composed, ...]:
    """What a planned release and each earlier one of the ledger reveal together; nothing is entered."""
    rebuilt, _ = read_release(release, original, report)
    if not Path(ledger).exists():
        return ()
    with ReleaseLedger.reading(ledger) as book:
        people = people_of(rebuilt, book)
        return tuple(attacked_with(rebuilt, entry, book, people) for entry in book.entries())


def enter_release(
    folder: str | Path,
    *,
    original: Dataset,
    report: str | Path | None = None,
    ledger: str | Path,
    override: bool = False,
) -> Entered:
    """Enter a published directory into a ledger; returns its entry, which is the old one if it is entered already.

    The directory is checked again.  A directory that does not hold what it claims, or that breaks a promise together
    with an earlier release, is refused.  `override` enters it anyway, and its certificate then records the override.
    A directory whose files do not match its certificate or the original, or that leaks, is refused in any case.

    No other release can be entered between the attack and the entry.
    """
    folder = Path(folder)
    with ReleaseLedger.writing(ledger) as book:
        published = published_directory.read(folder)
        entry = book.entry_of(folder)
        if entry is not None:
            return Entered(entry.number, published.certificate)
        if published.problems:
            raise FileError(folder, published.problems[0])
        rebuilt, check = read_release(published, original, report)
        unsound = check.problems[int(published.certificate.override) :]  # the first one then states the override
        if unsound:
            raise FileError(folder, unsound[0])
        people = people_of(rebuilt, book)
        composed = [attacked_with(rebuilt, earlier, book, people) for earlier in book.entries()]
        broken = [*_broken(check), *(composition.sentence for composition in composed if composition.refused)]
        if broken and not override:
            raise PromiseBroken(f"{published.certificate.method}: {broken[0]}, so it was not published")
        certificate = published.certificate
        if broken and not certificate.override:
            certificate = _overridden(folder, certificate)
        attacks = [composition.to_json() for composition in composed]
        number = book.enter(folder, certificate, people, attacks, kept=kept_in(rebuilt))
        return Entered(number, certificate, tuple(part for part in composed if part.shared != 0))


def _broken(check: Check) -> list[str]:
    """What is wrong with a directory by itself; a promise that cannot be checked stands as its run left it."""
    wrong = [f"{model.label} does not hold" for model, verdict in check.verdicts if verdict.holds is False]
    return [*wrong, *check.problems]


def _overridden(folder: Path, certificate: Certificate) -> Certificate:
    """Write into the certificate that the release is published although a promise does not hold."""
    limits = (*certificate.not_covered, OVERRIDDEN.to_json())
    changed = replace(certificate, not_covered=limits, override=True)
    path = folder / CERTIFICATE
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")  # complete or not at all
    try:
        partial.write_bytes(changed.to_bytes())
        partial.chmod(path.stat().st_mode)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return changed


def _origin(path: str | Path, original: Dataset, certificate: Certificate, data: Any) -> Ints | None:
    """What `Release.origin` holds: the original record of each row, or the original visit or item of each published."""
    numbers = read_report(path, original, certificate, data)
    if numbers is None:
        return None
    records, elements = numbers
    return elements if isinstance(data, Ragged) else records
