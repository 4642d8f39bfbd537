"""The context of a release: what a verifier needs beside the data, and an attacker is assumed to know anyway.

Everything is written as whole as it was given: what is left out would say what occurs in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Mixed, RoadTrajectories, Trajectories
from sfumato.io.frames import read_csv
from sfumato.io.places import read_places
from sfumato.io.policies import read_policy
from sfumato.io.taxonomies import read_taxonomy, taxonomy_text

__all__ = ["context_texts", "with_context"]

_FOLDER = "context"


def context_texts(data: Any, wanted: Collection[str]) -> dict[str, str]:
    """The files of the context by name: as much of what is wanted as the data know."""
    texts = {}
    if isinstance(data, RoadTrajectories):  # roads mean nothing without their network
        names = ("nodes.csv", "roads.csv")
        return {
            f"{_FOLDER}/{name}": frame.write_csv() for name, frame in zip(names, data.network.to_frames(), strict=True)
        }
    if isinstance(data, Trajectories):
        facts = [fact for fact in ("owner", "sensitive") if fact in wanted]
        if facts and data.places is not None:
            known = [fact for fact in facts if fact in data.places.frame.columns]
            texts["places.csv"] = data.places.frame.select("location", *known).sort("location").write_csv()
    elif "sensitive" in wanted:
        texts["sensitive.csv"] = pl.DataFrame({"item": sorted(data.sensitive)}, {"item": pl.String}).write_csv()
    if "taxonomy" in wanted and data.taxonomy is not None:
        texts["taxonomy.csv"] = taxonomy_text(data.taxonomy)
    for policy in ("privacy_policy", "utility_policy"):
        if policy in wanted and getattr(data, policy) is not None:
            texts[f"{policy}.csv"] = getattr(data, policy).to_polars().write_csv()
    return {f"{_FOLDER}/{name}": text for name, text in texts.items()}


def with_context(folder: Path, data: Any) -> Any:
    """The data with what the context of a published directory says."""
    if isinstance(data, Mixed):
        return replace(data, items=with_context(folder, data.items))
    readers: dict[str, Callable[[Path], Any]] = {"taxonomy": read_taxonomy}
    if isinstance(data, Trajectories):
        readers["places"] = read_places
    else:
        readers |= {"privacy_policy": read_policy, "utility_policy": read_policy, "sensitive": _sensitive}
    files = {field: folder / _FOLDER / f"{field}.csv" for field in readers}
    return replace(data, **{field: readers[field](file) for field, file in files.items() if file.exists()})


def _sensitive(path: Path) -> frozenset[str]:
    frame, source = read_csv(path)
    if frame.columns != ["item"]:
        raise source.error(f"wanted the column item, found {', '.join(frame.columns)}")
    return frozenset(frame["item"].cast(pl.String).to_list())
