"""Generated data: which generators there are, and the work of one.  The work runs without Django."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sfumato.catalogue import GENERATORS
from sfumato.data import Dataset, Mixed, Trajectories
from sfumato.errors import ParameterError
from sfumato.generate.base import Generator
from sfumato.io.datasets import private_frame
from sfumato.web.workbench.datasets.reading_job import profile_of, write_private

__all__ = ["FILES", "generate", "generator_of", "generators"]

FILES = ("network",)
"""Parameters that name a file, and that a browser may not set."""


def generators() -> dict[str, str]:
    """The generators that make datasets, and a sentence about each."""
    chosen = ((name, GENERATORS.choose(name)) for name in GENERATORS)
    return {
        name: str(generator.__doc__).partition("\n")[0]
        for name, generator in chosen
        if not generator.makes_graph and not generator.makes_posts
    }


def generator_of(name: str) -> type[Generator]:
    """The generator of this name."""
    if name not in generators():
        raise ParameterError(f"generate: wanted one of {', '.join(generators())}, found another name")
    chosen: type[Generator] = GENERATORS.choose(name)
    return chosen


def generate(
    *,
    generator: str,
    parameters: Mapping[str, Any],
    seed: int | None,
    title: str,  # noqa: ARG001  for what records the result
    progress: Callable[[str, int, int], None],
) -> dict[str, Any]:
    """Make data and their side knowledge: files of the project, and how to read them."""
    declared = generator_of(generator)
    if set(FILES) & set(parameters):
        raise ParameterError("generate: wanted no files in the parameters, found one")
    source = declared.from_json(dict(parameters))
    seed = secrets.randbits(32) if seed is None else seed
    progress("generating", 0, 3)
    data = source.make(seed=seed)
    if not isinstance(data, Dataset):
        raise ParameterError("generate: wanted records; choose another output")
    progress("writing", 1, 3)
    assets = _side_files(source, data, seed)
    frame = data.to_polars() if "places" in assets else private_frame(data)
    if data.persons is not None and "person" not in frame.columns:
        frame = private_frame(data).select([*frame.columns, "person"])
    reading: dict[str, Any] = {"kind": data.kind}
    if isinstance(data, Mixed):
        items = next(name for name in frame.columns if name not in (*data.table.frame.columns, "person"))
        reading |= {"items": items, "quasi_identifiers": list(data.table.quasi_identifiers)}
        reading["sensitive"] = list(data.table.sensitive)
        if data.persons is not None:
            reading["columns"] = {"person": "person"}
    file = f"versions/{uuid.uuid4()}.parquet"
    write_private(frame, Path(file))
    progress("describing", 2, 3)
    profile = profile_of(frame, reading, data=data)
    words = ", ".join(f"{name}={value}" for name, value in source.to_json().items() if value is not None)
    return {
        "file": file,
        "rows": len(frame),
        "reading": reading,
        "profile": profile,
        "assets": assets,
        "sentence": f"sfumato generate {generator}, seed {seed}: {words}",
    }


def _side_files(source: Any, data: Any, seed: int) -> dict[str, str]:
    """The files beside the records, by the kind of the asset."""
    from sfumato.io import write_network, write_places, write_taxonomy

    assets: dict[str, str] = {}
    if isinstance(data, Trajectories) and data.places is not None and "places" in source.writes:
        assets["places"] = f"assets/{uuid.uuid4()}.csv"
        write_places(data.places, Path(assets["places"]))
    tree = getattr(data.items if isinstance(data, Mixed) else data, "taxonomy", None)
    if tree is not None:
        assets["taxonomy"] = f"assets/{uuid.uuid4()}.csv"
        write_taxonomy(tree, Path(assets["taxonomy"]))
    if data.kind == "roads":
        assets["network"] = f"assets/{uuid.uuid4()}"
        write_network(source.streets(seed=seed), Path(assets["network"]))
    for file in assets.values():
        for path in (Path(file), *Path(file).glob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)
    return assets
