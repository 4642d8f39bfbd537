"""The context of a release: what a verifier needs beside the data, and an attacker is assumed to know anyway.

What was given is written whole: what is left out would say what occurs in the data.  What was computed from private
data is not written, except where it labels published values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Mixed, Policy, RoadTrajectories, Trajectories, Transactions
from sfumato.errors import Bug, listed
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
        places = _published_places(data, wanted)
        if places is not None:
            texts["places.csv"] = places.write_csv()
    elif "sensitive" in wanted:
        texts["sensitive.csv"] = pl.DataFrame({"item": sorted(data.sensitive)}, {"item": pl.String}).write_csv()
    if "taxonomy" in wanted and data.taxonomy is not None:
        if data.taxonomy.rule:
            raise Bug("a taxonomy that was computed from private data was about to be published")
        texts["taxonomy.csv"] = taxonomy_text(data.taxonomy)
    for policy in ("privacy_policy", "utility_policy"):
        constraints = getattr(data, policy) if policy in wanted else None
        if constraints is not None and constraints.private:
            if constraints.known:
                raise Bug("a policy that was computed from private data was about to be published")
        elif constraints is not None:
            texts[f"{policy}.csv"] = constraints.to_polars().write_csv()
    return {f"{_FOLDER}/{name}": text for name, text in texts.items()}


def _published_places(data: Trajectories, wanted: Collection[str]) -> pl.DataFrame | None:
    """The rows and columns of places.csv; None where nothing that is wanted is known.

    `owner` and `sensitive` are published of all places that were given, and `geometry`, the coordinates, with them.
    Without an owner or a flag, it is published of those places alone that published labels stand for.
    """
    places = data.places
    facts = [fact for fact in ("owner", "sensitive") if fact in wanted]
    geometry = "geometry" in wanted and places is not None and places.located
    if places is None or not (facts or geometry):
        return None
    if geometry and places.derived:
        raise Bug("coordinates that were computed from private visits were about to be published")
    known = [fact for fact in facts if fact in places.frame.columns]
    axes = [axis for axis in ("lat", "lon", "x", "y") if geometry and axis in places.frame.columns]
    rows = places.only(data.published_members()) if geometry and not known else places
    return rows.frame.select("location", *axes, *known).sort("location") if len(rows) else None


def with_context(folder: Path, data: Any, rules: Mapping[str, str] | None = None) -> Any:
    """The data with what the context of a published directory says.

    rules : how what is not in the context was computed from the private data, by the name of what it is.
    """
    if isinstance(data, Mixed):
        return replace(data, items=with_context(folder, data.items, rules))
    named = {"privacy_policy": (rules or {}).get("privacy_policy")} if isinstance(data, Transactions) else {}
    data = replace(data, **{field: Policy(rule=rule) for field, rule in named.items() if rule})
    readers: dict[str, Callable[[Path], Any]] = {"taxonomy": read_taxonomy}
    if isinstance(data, Trajectories):
        readers["places"] = lambda file: replace(read_places(file), derived=False)  # what is published is public
    else:
        readers |= {"privacy_policy": read_policy, "utility_policy": read_policy, "sensitive": _sensitive}
    files = {field: folder / _FOLDER / f"{field}.csv" for field in readers}
    known = {field: readers[field](file) for field, file in files.items() if file.exists()}
    if isinstance(data, Transactions) and "sensitive" in known:
        known["sensitive_named"] = True
    return replace(data, **known)


def _sensitive(path: Path) -> frozenset[str]:
    frame, source = read_csv(path)
    if frame.columns != ["item"]:
        raise source.error(f"wanted the column item, found {listed(frame.columns)}")
    return frozenset(frame["item"].cast(pl.String).to_list())
