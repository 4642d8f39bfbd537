"""The forms of an audit and of an attack: what can be chosen, and what a browser sent."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from sfumato.attacks import Audit, TableAudit
from sfumato.catalogue import ATTACKS, attack_class
from sfumato.errors import CallerError
from sfumato.web.interface.parameter_forms import Field, FormErrors, fields_of, values_of
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Dataset, Project, Version
from sfumato.web.workbench.releases.making import source_of, source_of_release

__all__ = [
    "Target",
    "attacks_for",
    "audit_fields",
    "audit_values",
    "chosen_dataset",
    "dataset_or_404",
    "target_of",
    "targets_of",
]

_TABLES = ("table", "mixed")
_ROWS_ONLY = ("table",)  # kinds in which nothing is counted by the number of known visits or items


@dataclass(frozen=True)
class Target:
    """A directory that can be attacked: a release, or an evaluation that was not released.

    key : what the form sends, such as ``release 4f1c...``.
    """

    key: str
    name: str
    folder: str
    report: str
    source: dict[str, Any]
    version: Version | None


def chosen_dataset(project: Project, wanted: str) -> Dataset | None:
    """The dataset of this id, or the newest; None where the project has none."""
    return _dataset(project, wanted) or project.datasets.first()


def dataset_or_404(project: Project, wanted: str) -> Dataset:
    """The dataset of this id; another is not found."""
    dataset = _dataset(project, wanted)
    if dataset is None:
        raise Http404
    return dataset


def _dataset(project: Project, wanted: str) -> Dataset | None:
    try:
        return project.datasets.filter(pk=uuid.UUID(wanted)).first()
    except ValueError:
        return None


def audit_fields(kind: str, values: Any = None, errors: Any = None) -> list[Field]:
    """The fields of an audit of data of this kind."""
    fields = fields_of(TableAudit, values, errors=errors) if kind in _TABLES else []
    if kind in _ROWS_ONLY:
        return fields
    ordered = ("ordered",) if kind != "trajectories" else ()
    return [*fields_of(Audit, values, errors=errors, without=("budget", *ordered)), *fields]


def audit_values(kind: str, post: Any) -> dict[str, Any]:
    """The parameters of an audit that a browser sent."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    classes: list[tuple[Any, tuple[str, ...]]] = [(TableAudit, ())] if kind in _TABLES else []
    if kind not in _ROWS_ONLY:
        classes.append((Audit, ("budget",) if kind == "trajectories" else ("budget", "ordered")))
    for declared, without in classes:
        try:
            values |= values_of(declared, post, without=without)
        except FormErrors as wrong:
            errors |= wrong.errors
    if errors:
        raise FormErrors(errors)
    return values


def targets_of(project: Project) -> list[Target]:
    """Everything that can be attacked, newest first."""
    targets = [
        Target(
            f"release {release.id}",
            release.name,
            release.file,
            release.report,
            source_of_release(release),
            release.version,
        )
        for release in project.releases.select_related("run__job", "version__dataset")
        if release.folder.is_dir() and release.version is not None
    ]
    runs = project.runs.filter(mode="evaluate", job__state=Job.DONE, releases=None).select_related("job", "version")
    for run in runs[:50]:
        folder = next((name for name in ("release", "refused") if (run.folder / name).is_dir()), None)
        if folder is not None:
            files = (f"{run.file}/{folder}", f"{run.file}/report.json")
            name = run.title or str(run.created.date())
            targets.append(Target(f"run {run.id}", name, *files, source_of(run, run.version), run.version))
    return targets


def target_of(targets: list[Target], key: str) -> Target:
    """The target that the form names; it is one of those that the project has."""
    for target in targets:
        if target.key == key:
            return target
    raise CallerError("attack: wanted a release of this project, found none")


def attacks_for(kind: str) -> list[tuple[str, str, str]]:
    """The attacks for this kind of data: name, title and idea."""
    fitting = [attack_class(name) for name in ATTACKS if kind in attack_class(name).kinds]
    return [(attack.name, attack.title, attack.idea) for attack in fitting if attack.name != "enrichment"]
