"""What side knowledge a dataset has, and which methods wait for what it lacks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import polars as pl

from sfumato.web.workbench.configuration.asset_facts import with_facts
from sfumato.web.workbench.configuration.assets import KINDS, kinds_of
from sfumato.web.workbench.configuration.values import columns_of
from sfumato.web.workbench.models import Asset, Dataset

__all__ = ["Entry", "Waiting", "entries_of", "waiting_methods"]

_NEEDS = {"places": "places", "taxonomy": "taxonomy", "constraints": "constraints", "owners": "places"}
_NEEDS |= {"sensitive": "places", "privacy_policy": "privacy_policy"}


@dataclass(frozen=True)
class Entry:
    """A line of the list: a kind of side knowledge (of a column), its current state, and states that wait.

    number : the position of the column, which stands for its name in addresses.
    """

    kind: str
    title: str
    hint: str
    attribute: str = ""
    number: int | None = None
    asset: Asset | None = None
    drafts: list[Asset] = field(default_factory=list)
    usual: bool = True


@dataclass(frozen=True)
class Waiting:
    """A method and the side knowledge that it needs and does not have.

    lacks : entries of which all are needed; in each, one of several is enough, by name and the kind under which it can
    be given.
    """

    method: str
    title: str
    lacks: list[list[tuple[str, str]]]


def entries_of(dataset: Dataset) -> list[Entry]:
    """One entry for each kind of side knowledge that the data take, and for each column of a table."""
    version = dataset.latest
    assets: dict[tuple[str, str], list[Asset]] = {}
    for asset in dataset.assets.exclude(kind="workload").order_by("-created"):
        assets.setdefault((asset.kind, asset.attribute), []).append(with_facts(asset) if asset.current else asset)
    entries = []
    for name in kinds_of(dataset.kind):
        kind = KINDS[name]
        if name != "hierarchy":
            entries.append(_entry(name, kind.title, kind.hint, assets.get((name, ""), [])))
            continue
        known = (version.reading.get("quasi_identifiers") or []) if version else []
        for number, column in enumerate(columns_of(version) if version else []):
            states = assets.get((name, column), [])
            usual = not known or column in known or bool(states)
            entries.append(_entry(name, kind.title, kind.hint, states, attribute=column, number=number, usual=usual))
    return entries


def _entry(name: str, title: str, hint: str, states: list[Asset], **fields: Any) -> Entry:
    current = next((asset for asset in states if asset.current), None)
    drafts = [asset for asset in states if not asset.current and _waits(asset)]
    return Entry(name, title, hint, asset=current, drafts=drafts, **fields)


def _waits(asset: Asset) -> bool:
    return bool(asset.facts.get("problems") or asset.facts.get("missing"))


def waiting_methods(dataset: Dataset) -> tuple[list[str], list[Waiting]]:
    """The methods that can run with what there is, and those that wait for side knowledge."""
    known = _known(dataset)
    ready, waiting = [], []
    for name, title, needs in _methods(dataset.kind):
        lacks = [
            [(need.replace("_", " "), _NEEDS.get(need, "")) for need in one_of]
            for one_of in needs
            if not known & set(one_of)
        ]
        if lacks:
            waiting.append(Waiting(name, title, lacks))
        else:
            ready.append(name)
    return ready, waiting


@lru_cache
def _methods(kind: str) -> tuple[tuple[str, str, tuple[tuple[str, ...], ...]], ...]:
    from sfumato.catalogue import METHODS, method_class

    classes = [method_class(name) for name in METHODS.built_in]
    return tuple((method.name, method.title, method.requirements()) for method in classes if method.kind == kind)


def _known(dataset: Dataset) -> set[str]:
    """What methods find in the data and the current assets."""
    from sfumato.io.inputs.column_roles import guessed_roles

    assets = {asset.kind: asset for asset in dataset.assets.filter(current=True)}
    known = set(assets) - {"places"}
    version = dataset.latest
    if dataset.kind != "trajectories" or version is None:
        return known
    names = list(pl.read_parquet_schema(version.path))
    mapped = version.reading.get("columns") or {}
    roles = {**{name: name for name in names}, **guessed_roles("trajectories", names, mapped), **mapped}
    columns = set(with_facts(assets["places"]).facts.get("columns", ())) if "places" in assets else set()
    if {"lat", "lon"} <= (columns | set(roles)) or {"x", "y"} <= (columns | set(roles)):
        known.add("places")
    known |= {"owners"} if "owner" in columns else set()
    return known | ({"sensitive"} if "sensitive" in columns or version.reading.get("sensitive") else set())
