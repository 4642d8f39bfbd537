"""The kinds of side knowledge, and how a new state of one takes the place of the state before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.workbench.models import Asset, Dataset
from sfumato.web.workbench.versions import digest_of_file

__all__ = ["KINDS", "AssetKind", "kinds_of", "line_of", "make_current", "new_asset", "title_of"]


class AssetKind(NamedTuple):
    """title : what the page calls it.  data : the kinds of data that take it.  hint : what it is for."""

    title: str
    data: tuple[str, ...]
    hint: str


KINDS = {
    "hierarchy": AssetKind(
        gettext_noop("Hierarchy"), ("table", "mixed"), gettext_noop("A tree over the values of a column.")
    ),
    "taxonomy": AssetKind(
        gettext_noop("Taxonomy"),
        ("transactions", "mixed", "trajectories"),
        gettext_noop("A tree over the items or the locations."),
    ),
    "privacy_policy": AssetKind(
        gettext_noop("Privacy policy"),
        ("transactions", "mixed"),
        gettext_noop("The sets of items that an attacker may know, which are protected."),
    ),
    "utility_policy": AssetKind(
        gettext_noop("Utility policy"),
        ("transactions", "mixed"),
        gettext_noop("The sets of items that may be published under one label."),
    ),
    "places": AssetKind(
        gettext_noop("Places"),
        ("trajectories",),
        gettext_noop("Coordinates, category, owner and sensitivity of the locations."),
    ),
    "constraints": AssetKind(
        gettext_noop("Utility constraints"),
        ("trajectories",),
        gettext_noop("Which locations may be published under one label."),
    ),
    "workplaces": AssetKind(
        gettext_noop("Workplaces"), ("trajectories",), gettext_noop("Where each person works; never published.")
    ),
    "network": AssetKind(gettext_noop("Road network"), ("roads",), gettext_noop("The roads and where they meet.")),
}


def kinds_of(data_kind: str) -> list[str]:
    """The kinds of side knowledge that data of a kind take."""
    return [name for name, kind in KINDS.items() if data_kind in kind.data]


def title_of(asset: Asset) -> str:
    """The name of an asset on pages."""
    if asset.kind not in KINDS:
        return str(asset.name)
    title = _(KINDS[asset.kind].title)
    return f"{title}: {asset.attribute}" if asset.attribute else title


def line_of(asset: Asset) -> Any:
    """The states of an asset: those of the same dataset, kind and column, or of one name for workloads."""
    line = Asset.objects.filter(dataset=asset.dataset_id, kind=asset.kind, attribute=asset.attribute)
    return line.filter(name=asset.name) if asset.kind == "workload" else line


def new_asset(dataset: Dataset, kind: str, **fields: Any) -> Asset:
    """A new state, which takes the place of the current one unless ``current=False``.

    fields : attribute, name, file, text, derived, facts, by, current.
    """
    fields.setdefault("name", fields.get("attribute") or kind)
    asset = Asset(dataset=dataset, kind=kind, **fields)
    if asset.file and Path(asset.path).is_file():
        asset.sha256 = digest_of_file(asset.path)
    with transaction.atomic():
        asset.save(force_insert=True)
        if asset.current:
            make_current(asset)
    return asset


def make_current(asset: Asset) -> None:
    """Use this state, and no other one of its line."""
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=asset.dataset_id)
        line_of(asset).exclude(pk=asset.pk).update(current=False)
        asset.current = True
        asset.save(update_fields=["current"])
