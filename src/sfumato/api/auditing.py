"""`sfumato.audit`: what an attacker who knows a little could do to data as they are, or to a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, overload

from sfumato.api.data_audit import Audited, DataAudit, audit_data, audited_directory
from sfumato.api.inputs import Source, dataset_of, opened, original_of
from sfumato.api.table_roles import named_columns, population_table, require_quasi_identifiers, with_roles
from sfumato.attacks import Audit, OwnerAudit, TableAudit
from sfumato.attacks.attack_report import AttackReport, attack_data, attack_releases
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.errors import DataError
from sfumato.io.published import Published
from sfumato.methods.release import Release
from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces
from sfumato.semantics.publishing.place_facts import PlaceFacts

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
    quasi_identifiers: str | Sequence[str] = (),
    sensitive: str | Sequence[str] = (),
    items: str | None = None,
    person: str | None = None,
    population: Source | None = None,
    population_size: int | None = None,
    threshold: float = 0.2,
    inference: float = 0.9,
    largest_set: int = 3,
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
    kb: str | Path | PlaceFacts | None = None,
    knowledge: str = "times",
    offset_h: float = 0.0,
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
    kb: str | Path | PlaceFacts | None = None,
    offset_h: float = 0.0,
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
    kb: str | Path | PlaceFacts | None = None,
    knowledge: str = "times",
    offset_h: float = 0.0,
    quasi_identifiers: str | Sequence[str] = (),
    sensitive: str | Sequence[str] = (),
    items: str | None = None,
    person: str | None = None,
    population: Source | None = None,
    population_size: int | None = None,
    threshold: float = 0.2,
    inference: float = 0.9,
    largest_set: int = 3,
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
    kb
        The directory of a knowledge base, or facts about places, that the attacker has (attack ``enrichment``).
    knowledge, offset_h
        What an attacker with a knowledge base knows of each visit (``"nothing"``, ``"times"``, ``"category"``,
        ``"event"``, ``"everything"``), and how many hours local time is ahead of the times in the data.
    quasi_identifiers, sensitive
        Of a table: the columns that an attacker may know (``"all"`` for all that are not sensitive), and the sensitive
        ones.  A dataset or a release has them already.
    items, person
        Of a table in a file or a frame: the column of items, and the column that names the person of each row.
    population, population_size
        A table of the population that the data are a sample of, or how many persons it has.
    threshold, inference, largest_set
        The risk above which a record is at risk, the probability from which a sensitive value counts as inferred, and
        how many columns a minimal sample unique may have.
    seed
        Draws the same sample again.

    Examples
    --------
    >>> from sfumato import Trajectories, audit
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> audit(walks, known=1).findings.figure("unique_worst")
    0.333...
    >>> people = {"age": [30, 30, 41], "sex": ["f", "f", "m"], "ill": ["flu", "flu", "hiv"]}
    >>> audit(people, quasi_identifiers=["age", "sex"], sensitive=["ill"])
    <DataAudit: Of 3 records, 1 (33%) are unique in 2 quasi-identifiers, and 3 (100%) have ...>
    """
    parameters = {"known": known, "ordered": ordered, "knowledge": knowledge, "offset_h": offset_h}
    facts = kb if kb is None or isinstance(kb, PlaceFacts) else KnowledgePlaces.of(kb).facts
    if against is not None:
        releases = [opened(release) for release in (against if isinstance(against, list | tuple) else [against])]
        private = original_of(data, releases[0])
        given = [_attackable(release) for release in releases]
        options: dict[str, Any] = {"parameters": parameters, "facts": facts, "seed": seed, "progress": progress}
        return attack_releases(private, given, attacks, report=report, **options)
    if attacks or facts is not None:
        attacks = [attacks] if isinstance(attacks, str) else attacks or ["enrichment"]
        data = dataset_of(data)
        return attack_data(data, attacks, parameters=parameters, facts=facts, seed=seed, progress=progress)
    audit = Audit(known=known, ordered=ordered, **({} if budget is None else {"budget": budget}))
    table = TableAudit(
        threshold=threshold, inference=inference, largest_set=largest_set, population_size=population_size
    )
    data = opened(data)
    audited = _audited(
        data, quasi_identifiers, (sensitive,) if isinstance(sensitive, str) else sensitive, items, person
    )
    if audited.data.kind not in ("table", "mixed") and (population is not None or population_size is not None):
        raise DataError(f"audit: a population is for tables and mixed records, got {audited.data.kind}")
    return audit_data(
        audited,
        audit,
        table=table,
        population=None if population is None else population_table(population, person),
        owners=OwnerAudit(collude=";".join(collude)) if collude else None,
        original=None if original is None else original_of(original, data),
        seed=seed,
        progress=progress,
    )


def _audited(
    data: Source,
    quasi_identifiers: str | Sequence[str],
    sensitive: Sequence[str],
    items: str | None,
    person: str | None,
) -> Audited:
    """The data to audit; a file or a frame is read with these roles, and anything else gets them where given."""
    named = named_columns(quasi_identifiers)
    if isinstance(data, Published | Dataset | Release):
        audited = audited_directory(data) if isinstance(data, Published) else Audited(dataset_of(data))
        if named or sensitive:
            return replace(audited, data=with_roles(audited.data, named, sensitive))
        return audited
    options: dict[str, Any] = {"quasi_identifiers": named, "sensitive": tuple(sensitive), "items": items}
    dataset = dataset_of(data, columns=None if person is None else {"person": person}, **options)
    if not quasi_identifiers:
        require_quasi_identifiers(dataset, str(data) if isinstance(data, str | PathLike) else "the frame")
    return Audited(dataset)


def _attackable(release: Source) -> Release[Dataset] | Published | Dataset:
    return release if isinstance(release, Release | Published) else dataset_of(release)
