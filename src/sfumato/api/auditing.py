"""`sfumato.audit`: what an attacker who knows a little could do to data as they are, or to a release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

from sfumato.api.data_audit import Audited, DataAudit, audit_data, audited_directory
from sfumato.api.inputs import Source, dataset_of, opened, original_of
from sfumato.attacks import Audit, OwnerAudit
from sfumato.attacks.attack_report import AttackReport, attack_data, attack_releases
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.io.published import Published
from sfumato.methods.release import Release

__all__ = ["audit"]


@overload
def audit(
    data: Source,
    *,
    known: int = 2,
    ordered: bool = True,
    budget: int | None = None,
    collude: Sequence[str] = (),
    original: Source | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> DataAudit: ...
@overload
def audit(
    data: Source,
    *,
    against: Source | Sequence[Source],
    attacks: Sequence[str] = (),
    known: int = 2,
    ordered: bool = True,
    report: str | Path | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> AttackReport: ...
@overload
def audit(
    data: Source,
    *,
    attacks: Sequence[str],
    known: int = 2,
    ordered: bool = True,
    seed: int | None = None,
    progress: Progress | None = None,
) -> AttackReport: ...


def audit(
    data: Source,
    *,
    against: Source | Sequence[Source] | None = None,
    attacks: Sequence[str] = (),
    known: int = 2,
    ordered: bool = True,
    budget: int | None = None,
    collude: Sequence[str] = (),
    original: Source | None = None,
    report: str | Path | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> DataAudit | AttackReport:
    """Show what an attacker could do to data as they are or, with `against`, to a release of them.

    Parameters
    ----------
    data
        A dataset, a frame, a release, a file or a published directory; with `against`, the private data.
    against
        A release of the data to attack, as an object, a published directory or a dataset; a second one is
        attacked together with it.
    attacks
        Names of attacks to try; all that fit if none is named.
    known
        How many visits or items the attacker knows.
    ordered
        Whether the attacker knows the order of visits.
    budget
        How many positions may be read for an exact answer before persons are sampled.
    collude
        Groups of owners of places who pool what they see, each as ``"A,B"``.
    original
        The private data behind published ones, for what owners of places could conclude.
    report
        The private report of the release, which tells who is who.
    seed
        Draws the same sample again.

    Examples
    --------
    >>> from sfumato import Trajectories, audit
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> audit(walks, known=1).findings.figure("unique_worst")
    0.333...
    """
    parameters = {"known": known, "ordered": ordered}
    if against is not None:
        releases = [opened(one) for one in (against if isinstance(against, list | tuple) else [against])]
        private = original_of(data, releases[0])
        given = [_attackable(one) for one in releases]
        options: dict[str, Any] = {"parameters": parameters, "seed": seed, "progress": progress}
        return attack_releases(private, given, attacks, report=report, **options)
    if attacks:
        attacks = [attacks] if isinstance(attacks, str) else attacks
        return attack_data(dataset_of(data), attacks, parameters=parameters, seed=seed, progress=progress)
    audit = Audit(known=known, ordered=ordered, **({} if budget is None else {"budget": budget}))
    data = opened(data)
    audited = audited_directory(data) if isinstance(data, Published) else Audited(dataset_of(data))
    return audit_data(
        audited,
        audit,
        owners=OwnerAudit(collude=";".join(collude)) if collude else None,
        original=None if original is None else original_of(original, data),
        seed=seed,
        progress=progress,
    )


def _attackable(release: Source) -> Release[Dataset] | Published | Dataset:
    return release if isinstance(release, Release | Published) else dataset_of(release)
