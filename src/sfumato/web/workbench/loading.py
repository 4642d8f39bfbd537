"""Load a version of a dataset with its side knowledge.  Without Django: jobs call it in their own processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Dataset
from sfumato.errors import FileError

__all__ = ["inside", "load"]


def inside(folder: Path, name: str) -> Path:
    """The path of a file of the project; a name that leads out of its folder is refused.

    >>> inside(Path("/x"), "../y")
    Traceback (most recent call last):
        ...
    sfumato.errors.FileError: ../y: wanted a file of this project, found a name that leads out of it
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise FileError(name, "wanted a file of this project, found a name that leads out of it")
    return path


def load(source: Mapping[str, Any], folder: Path = Path()) -> Dataset:
    """The dataset that `Version.source()` describes; the folder of a job is that of its project.

    A source with a `preparation`, steps as texts such as ``grid:cells=20``, stands for the data after these steps.
    """
    from sfumato.api.reading import read
    from sfumato.io import read_network, read_taxonomy

    reading: dict[str, Any] = dict(source["reading"])
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in reading.items()
    }
    assets = dict(source["assets"])
    policies = {name: assets.pop(name, None) for name in ("privacy_policy", "utility_policy")}
    if "hierarchies" in assets:
        trees = assets.pop("hierarchies")
        options["hierarchies"] = {column: read_taxonomy(inside(folder, file)) for column, file in trees.items()}
    if "network" in assets:
        options["network"] = read_network(inside(folder, assets.pop("network")))
    options |= {name: inside(folder, file) for name, file in assets.items()}
    data: Dataset = read(pl.read_parquet(inside(folder, source["file"])), **{"notes": [], **options})
    return _prepared(_with_policies(data, policies, folder), source.get("preparation") or ())


def _prepared(data: Any, texts: Sequence[str]) -> Any:
    """The data after the steps that the texts name."""
    from sfumato.methods.preparation_texts import step_of_text
    from sfumato.prepare.base import prepared_visits

    return prepared_visits(data, *map(step_of_text, texts)).data if texts else data


def _with_policies(data: Any, texts: Mapping[str, str | None], folder: Path) -> Any:
    """The data with policies; each is a rule such as ``all:2`` or a file of the project."""
    from sfumato.prepare.policies import named_policy

    if not any(texts.values()) or data.kind not in ("transactions", "mixed"):
        return data
    items = data.items if data.kind == "mixed" else data
    named = []
    for which, name in (("privacy", "privacy_policy"), ("utility", "utility_policy")):
        text = texts[name]
        if text is not None and ":" not in text:
            text = str(inside(folder, text))
        named.append(None if text is None else named_policy(which, text, items))  # type: ignore[arg-type]
    return data.with_policies(*named)
