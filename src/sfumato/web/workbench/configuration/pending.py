"""Changes of an asset that are not saved yet: a file of operations beside its own file, which can be undone."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from django.db import transaction

from sfumato.errors import DataError
from sfumato.io.atomic_writes import write_text
from sfumato.web.workbench.configuration.assets import new_asset
from sfumato.web.workbench.configuration.states import Edits, state_at, write_state
from sfumato.web.workbench.models import Asset

__all__ = ["change", "discard", "edits_of", "save", "state_of", "undo"]

_MOST = 5_000


def edits_of(asset: Asset) -> Edits:
    """The operations that are not saved yet."""
    path = _file(asset)
    return tuple(tuple(edit) for edit in json.loads(path.read_text())) if path.exists() else ()


def state_of(asset: Asset) -> Any:
    """The content of an asset with its unsaved changes."""
    return state_at(asset.kind, asset.path, edits_of(asset), text=asset.text)


def change(asset: Asset, *edits: tuple[str, ...]) -> Any:
    """Carry out operations, which can be undone until the asset is saved; returns the new state."""
    with transaction.atomic():
        Asset.objects.select_for_update().get(pk=asset.pk)
        after = (*edits_of(asset), *edits)
        if len(after) > _MOST:
            raise DataError(f"wanted at most {_MOST:,} changes that are not saved, found more; save them first")
        state = state_at(asset.kind, asset.path, after, text=asset.text)
        write_text(json.dumps(after), _file(asset))
        return state


def undo(asset: Asset) -> None:
    """Take back the last operation."""
    with transaction.atomic():
        Asset.objects.select_for_update().get(pk=asset.pk)
        left = edits_of(asset)[:-1]
        if left:
            write_text(json.dumps(left), _file(asset))
        else:
            _file(asset).unlink(missing_ok=True)


def discard(asset: Asset) -> None:
    """Take back all operations."""
    _file(asset).unlink(missing_ok=True)


def save(asset: Asset, user: Any, *, current: bool = True) -> Asset:
    """A new asset with the changes; the old one stays in the history."""
    with transaction.atomic():
        Asset.objects.select_for_update().get(pk=asset.pk)
        state = state_of(asset)
        file = f"assets/{uuid.uuid4()}.csv"
        derived, facts = write_state(asset.kind, state, asset.dataset.project.folder / file)
        if asset.facts.get("default"):
            facts["default"] = True
        saved = new_asset(
            asset.dataset,
            asset.kind,
            attribute=asset.attribute,
            name=asset.name,
            file=file,
            derived=derived,
            facts=facts,
            by=user,
            current=current,
        )
        discard(asset)
        return saved


def _file(asset: Asset) -> Path:
    folder: Path = asset.dataset.project.folder
    return folder / "assets" / f"{asset.id}.edits.json"
