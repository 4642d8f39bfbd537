"""A file of side knowledge that a person uploads or types: read, checked, and kept as an asset."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.errors import DataError, SfumatoError, either
from sfumato.web.workbench.configuration.asset_facts import network_facts
from sfumato.web.workbench.configuration.assets import new_asset
from sfumato.web.workbench.configuration.states import TREES, state_at, write_state
from sfumato.web.workbench.configuration.values import missing_values
from sfumato.web.workbench.models import Asset, Dataset

__all__ = ["keep_upload", "load_files", "load_text"]

_TABLES = (".csv", ".tsv", ".parquet", ".xlsx")
_TEXTS = (".csv", ".tsv", ".txt")
ENDINGS = {
    "hierarchy": _TEXTS,
    "taxonomy": _TEXTS,
    "privacy_policy": (*_TEXTS, ".parquet"),
    "utility_policy": (*_TEXTS, ".parquet"),
    "places": _TABLES,
    "constraints": _TABLES,
    "workplaces": _TABLES,
    "network": (".csv", ".txt", ".graphml"),
    "workload": (".csv", ".json"),
}
"""How the names of files end, by kind; compressed files are not taken, as they may be of any size."""

LARGEST = 200_000_000  # bytes


def load_text(dataset: Dataset, kind: str, text: str, **fields: Any) -> Asset:
    """An asset from rows that a person typed."""
    path = dataset.project.folder / "uploads" / f"{uuid.uuid4()}.csv"
    path.write_text(text.replace("\r\n", "\n"), encoding="utf-8")
    return _loaded(dataset, kind, [(path, "the text")], **fields)


def load_files(dataset: Dataset, kind: str, files: Sequence[Any], **fields: Any) -> Asset:
    """An asset from uploaded files: one, or the two of a network."""
    if not files:
        raise DataError("wanted a file, found none; choose one or type rows")
    folder = dataset.project.folder / "uploads" / str(uuid.uuid4())
    folder.mkdir(mode=0o700)
    try:
        paths = [(keep_upload(file, folder, kind), Path(file.name).name) for file in files]
        return _loaded(dataset, kind, paths, **fields)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep_upload(file: Any, folder: Path, kind: str) -> Path:
    """The uploaded file under a name of our own, with its ending; of a network, which of the two files it is."""
    name = Path(file.name).name.lower()
    ending = next((ending for ending in ENDINGS[kind] if name.endswith(ending)), "")
    if not ending:
        raise DataError(f"wanted a file that ends in {either(ENDINGS[kind])}, found another")
    if file.size > LARGEST:
        raise DataError(f"wanted a file of at most {LARGEST // 1_000_000} MB, found a larger one")
    stem = "upload"
    if kind == "network":
        stem = next((word for word in ("nodes", "node", "roads", "edge") if word in name), stem)
    path = folder / f"{stem}{ending}"
    with path.open("wb") as target:
        for chunk in file.chunks():
            target.write(chunk)
    return path


def _loaded(dataset: Dataset, kind: str, paths: Sequence[tuple[Path, str]], **fields: Any) -> Asset:
    try:
        if kind == "network":
            return _network(dataset, [path for path, _ in paths], **fields)
        return _file(dataset, kind, paths[0][0], **fields)
    except SfumatoError as error:
        sentence = str(error)
        for path, name in paths:
            sentence = sentence.replace(str(path), name).replace(str(path.parent), name)
        raise DataError(sentence) from None
    finally:
        for path, _ in paths:
            path.unlink(missing_ok=True)


def _file(dataset: Dataset, kind: str, path: Path, **fields: Any) -> Asset:
    state = state_at(kind, path)
    file = f"assets/{uuid.uuid4()}.csv"
    target = dataset.project.folder / file
    if kind in TREES and state.problems:
        shutil.copyfile(path, target)
        target.chmod(0o600)
        facts = {"nodes": len(state), "problems": len(state.problems)}
        return new_asset(dataset, kind, file=file, facts=facts, derived=state.rule, current=False, **fields)
    derived, facts = write_state(kind, state, target)
    current = True
    if kind in TREES:
        lacking = len(missing_values(dataset, kind, fields.get("attribute", ""), state))
        facts |= {"missing": lacking} if lacking else {}
        current = not lacking
    return new_asset(dataset, kind, file=file, derived=derived, facts=facts, current=current, **fields)


def _network(dataset: Dataset, paths: Sequence[Path], **fields: Any) -> Asset:
    from sfumato.io import read_network, write_network

    if len(paths) > 2:
        raise DataError(f"wanted one file, or a file of nodes and one of roads, found {len(paths)} files")
    network = read_network(paths[0] if len(paths) == 1 else paths[0].parent)
    file = f"assets/{uuid.uuid4()}"
    write_network(network, dataset.project.folder / file)
    return new_asset(dataset, "network", file=file, facts=network_facts(network), **fields)
