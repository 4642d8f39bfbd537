"""The data of an experiment: reading or generating them, sampling, and digests that identify them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sfumato.catalogue import GENERATORS
from sfumato.errors import FileError
from sfumato.experiments.definition.file_tables import Data
from sfumato.experiments.definition.side_knowledge import with_knowledge

__all__ = ["base_identity", "data_seed", "digest", "fitting", "identity", "known", "make_base", "sampled"]


def digest(value: Any) -> str:
    """A digest of a JSON value; equal values have equal digests.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def identity(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that identify a run: of a file its content, not its path."""
    return {name: _content(value) for name, value in parameters.items()}


def _content(value: Any) -> Any:
    if isinstance(value, str) and Path(value).is_absolute() and Path(value).exists():
        return {"sha256": _bytes_of(Path(value))}
    return value


def _bytes_of(path: Path) -> str:
    """A digest of a file, or of every file in a directory."""
    from sfumato.io.digests import digest_of_files, files_below

    try:
        return digest_of_files(path, files_below(path))
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None


def base_identity(data: Data) -> dict[str, Any]:
    """The values that identify a dataset, before records are sampled from it."""
    knowledge = {"knowledge": known(data.knowledge)} if data.knowledge else {}
    if data.file is None:
        return {"generate": data.generate, "parameters": identity(data.arguments), "seed": data.seed, **knowledge}
    return {"file": _bytes_of(data.file), "options": known(data.options), **knowledge}


def known(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that identify a dataset: of a file its content, not its path."""
    return {name: _known(value) for name, value in options.items()}


def _known(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _known(part) for name, part in value.items()}
    return _bytes_of(value) if isinstance(value, Path) else value


def data_seed(data: Data, seed: int) -> int | None:
    """The generator's seed in a repetition: its own, or one drawn from the repetition's.

    Drawn and not taken over, so that data and method do not see the same random numbers.
    """
    import numpy as np

    if data.file is not None:
        return None
    return data.seed if data.seed is not None else int(np.random.SeedSequence([seed, 2]).generate_state(1)[0])


def make_base(data: Data) -> Any:
    """Read or generate the records, with their side knowledge."""
    if data.generate is not None:
        records = GENERATORS.choose(data.generate).from_json(data.arguments).make(seed=data.seed)
        return with_knowledge(records, data.knowledge, derived=False)
    from sfumato.io import (
        read,
        read_constraints,
        read_graph,
        read_network,
        read_places,
        read_taxonomy,
        read_workplaces,
    )
    from sfumato.io.files import suffix_of

    options = dict(data.options)
    readers: dict[str, Callable[..., Any]] = {
        "places": read_places,
        "taxonomy": read_taxonomy,
        "constraints": read_constraints,
        "network": read_network,
        "workplaces": read_workplaces,
    }
    options |= {name: reader(options[name]) for name, reader in readers.items() if name in options}
    assert data.file is not None
    if suffix_of(data.file) == ".lg" or options.get("kind") == "graph":
        asked = {name: options[name] for name in ("nodes", "directed", "columns") if options.get(name)}
        return read_graph(data.file, **asked)
    options.pop("directed", None)
    if isinstance(options.get("hierarchies"), Mapping):
        options["hierarchies"] = {
            column: read_taxonomy(file, attribute=column) for column, file in options["hierarchies"].items()
        }
    source = _frame(data.file) if options.pop("typed", False) else data.file
    return with_knowledge(read(source, **options), data.knowledge)


def _frame(path: Path) -> Any:
    """The rows of a Parquet file, with their types."""
    import polars as pl

    from sfumato.io.parquet import reading_parquet

    if not path.is_file():
        raise FileError(path, "no such file")
    with reading_parquet(path):
        return pl.read_parquet(path)


def fitting(data: Any, kind: str) -> Any:
    """The data as a method of this kind takes them: roads become visits for a method of trajectories."""
    return data.as_trajectories() if (data.kind, kind) == ("roads", "trajectories") else data


def sampled(data: Any, size: int | None, seed: int) -> Any:
    """A random sample of records (or edges), in their order; with the same seed, a larger sample contains a smaller."""
    import numpy as np

    from sfumato.data import Graph
    from sfumato.experiments.miners import some_edges

    if size is None:
        return data
    if isinstance(data, Graph):
        return some_edges(data, size, seed)
    drawn = np.random.default_rng([seed, 1]).permutation(len(data))[:size]
    return data.take(np.sort(drawn))
