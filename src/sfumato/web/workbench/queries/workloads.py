"""Workloads of a dataset: several, each a line of states with a name, one of them the default for ARE."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.utility.workload import Workload
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.assets import new_asset
from sfumato.web.workbench.models import Asset, Dataset, Version
from sfumato.web.workbench.queries import counting

__all__ = [
    "KINDS",
    "counts_of",
    "free_name",
    "make_default",
    "new_workload",
    "removed_of",
    "start_counting",
    "workloads_of",
]

KINDS = ("table", "mixed", "transactions", "trajectories")
_AT_ONCE_ROWS, _AT_ONCE = 100_000, 2_000_000  # rows, and rows times queries, that are counted while the browser waits


def workloads_of(dataset: Dataset) -> list[Asset]:
    """The current state of each workload, the default first."""
    states = dataset.assets.filter(kind="workload", current=True).order_by("name")
    return sorted(states, key=lambda asset: not asset.facts.get("default"))


def removed_of(dataset: Dataset) -> list[Asset]:
    """The newest state of each workload that was taken from the list."""
    kept = {asset.name for asset in workloads_of(dataset)}
    newest: dict[str, Asset] = {}
    for asset in dataset.assets.filter(kind="workload").order_by("-created"):
        if asset.name not in kept:
            newest.setdefault(asset.name, asset)
    return list(newest.values())


def free_name(dataset: Dataset, wanted: str) -> str:
    """The name, or the name with the first number that no workload has."""
    taken = set(dataset.assets.filter(kind="workload").values_list("name", flat=True))
    name, number = wanted[:180] or "queries", 2
    while name in taken:
        name, number = f"{wanted[:180] or 'queries'} {number}", number + 1
    return name


def new_workload(dataset: Dataset, name: str, file: str, derived: str, facts: dict[str, Any], user: Any) -> Asset:
    """A workload from a file of the project; the first one is the default."""
    if not workloads_of(dataset):
        facts = {**facts, "default": True}
    name = free_name(dataset, name)
    return new_asset(dataset, "workload", name=name, file=file, derived=derived[:200], facts=facts, by=user)


def make_default(asset: Asset) -> None:
    """Use this workload for ARE where no other is chosen."""
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=asset.dataset_id)
        for other in asset.dataset.assets.filter(kind="workload"):
            if bool(other.facts.get("default")) != (other.pk == asset.pk):
                other.facts = {**other.facts, "default": other.pk == asset.pk}
                other.save(update_fields=["facts"])


def counts_of(asset: Asset, version: Version) -> dict[str, float]:
    """The counts that are known for this version, by the digest of the query."""
    path = _file(asset, "counts")
    content = json.loads(path.read_text()) if path.exists() else {}
    counts: dict[str, float] = content.get("counts", {}) if content.get("version") == str(version.id) else {}
    return counts


def start_counting(asset: Asset, version: Version, user: Any) -> Job | None:
    """Count all queries with their unsaved changes: at once, or by a job, which is returned."""
    workload: Workload = pending.state_of(asset)
    if not len(workload):
        return None
    folder = asset.dataset.project.folder
    asked = f"uploads/{uuid.uuid4()}.json"
    workload.save(folder / asked)
    arguments: dict[str, Any] = {
        "source": version.source(),
        "version": str(version.id),
        "asked": asked,
        "counts": f"assets/{_file(asset, 'counts').name}",
        "asset": str(asset.id),
    }
    if version.rows > _AT_ONCE_ROWS or version.rows * len(workload) > _AT_ONCE:
        return enqueue("count-queries", arguments, user=user, project=asset.dataset.project, title=_("queries"))
    try:
        counting.count(**arguments, folder=str(folder))
    finally:
        (folder / asked).unlink(missing_ok=True)
    return None


def _file(asset: Asset, what: str) -> Path:
    folder: Path = asset.dataset.project.folder
    return folder / "assets" / f"{asset.id}.{what}.json"
