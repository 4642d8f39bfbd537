"""Sources of statements, each put into a store: files of triples, tables, movements and endpoints."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import DataError, FileError, either
from sfumato.io.digests import digest_of_files, files_below
from sfumato.io.files import suffix_of
from sfumato.semantics.knowledge.endpoint import Endpoint
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.rdf_files import SUFFIXES, digest_of, load_ntriples, load_rdf, rdf_suffix
from sfumato.semantics.knowledge.selection import Selection, select
from sfumato.semantics.knowledge.table_mapping import TableMapping, mapping_of
from sfumato.semantics.vocabulary import prefix_lines

__all__ = ["Fetched", "LoadOptions", "Progress", "load_source"]

Progress = Callable[[str, float], None]
_SINGLE = ("order", "level", "ord", "firstPosition", "lastPosition", "begin", "end")  # of a position or a segment
_SAME_NUMBER = """SELECT ?father ?ord WHERE { ?segment bq:father ?father ; bq:ord ?ord }
GROUP BY ?father ?ord HAVING(COUNT(DISTINCT ?segment) > 1) LIMIT 1"""
_TABLES = (".csv", ".tsv", ".parquet", ".xlsx", ".txt")


@dataclass(frozen=True)
class LoadOptions:
    """How sources are read.

    mapping : the mapping of tables: a built-in name, a TOML file or a `TableMapping`.
    selection : the part of the sources to load, or None for everything.
    skip_broken : whether broken lines of N-Triples and N-Quads are left out and counted.
    """

    mapping: str | Path | TableMapping | None = None
    selection: Selection | None = None
    skip_broken: bool = False


@dataclass(frozen=True)
class Fetched:
    """A query to an endpoint, or, without a query, the places in the box of the selection."""

    endpoint: Endpoint
    query: str | None = None


def load_source(
    store: Any,
    folder: Path,
    source: Path | Fetched,
    options: LoadOptions,
    known: list[dict[str, Any]],
    progress: Progress,
) -> dict[str, Any]:
    """Put a source into a store, unless it is known; returns its entry for `kb.json`.

    folder : where temporary files are written.  known : the entries of sources that were loaded before.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="loading-") as name:
        work = Path(name)
        entry, path, mapping = _prepared(source, options, work, progress)
        if any(_same(entry, other) for other in known):
            return {**entry, "known": True}
        if entry["kind"] == "table":
            assert mapping is not None
            entry["skipped"] = _load_table(store, path, mapping, options.selection, work, progress)
        elif entry["kind"] == "movement":
            _load_movement(store, path, work)
            if any(other["kind"] == "movement" for other in known):
                _refuse_conflicts(store, path)
        elif options.selection is None:
            entry["skipped"] = load_rdf(store, path, skip_broken=options.skip_broken, work=work, progress=progress)
        else:
            _load_selected(store, path, options, work, progress)
    return entry


def _prepared(
    source: Path | Fetched, options: LoadOptions, work: Path, progress: Progress
) -> tuple[dict[str, Any], Path, TableMapping | None]:
    """The entry of a source, the file or directory that holds its statements, and the mapping of a table."""
    selection = None if options.selection is None else asdict(options.selection)
    if isinstance(source, Fetched):
        path = work / "fetched.nt"
        if source.query is not None:
            source.endpoint.fetch_query(source.query, path, progress)
        else:
            source.endpoint.fetch_box(options.selection or Selection(), path, progress)
        return _entry(source.endpoint.name, digest_of(path), "endpoint", selection), path, None
    if source.is_dir():
        if not (source / "movement.json").is_file():
            raise FileError(source, "wanted files of triples, tables or a movement, found another directory")
        return _entry(source.name, digest_of_files(source, files_below(source)), "movement", None), source, None
    if rdf_suffix(source) is not None:
        return _entry(source.name, digest_of(source), "rdf", selection), source, None
    if suffix_of(source) not in _TABLES:
        wanted = either([*SUFFIXES, ".csv", ".parquet"])
        raise FileError(source, f"wanted a file that ends in {wanted}, found {suffix_of(source) or 'no ending'!r}")
    if options.mapping is None:
        raise FileError(source, "wanted a mapping of the columns of a table: osm, geonames or a .toml file, found none")
    mapping = mapping_of(options.mapping)
    entry = _entry(source.name, digest_of(source), "table", selection)
    return {**entry, "mapping": str(options.mapping)}, source, mapping


def _entry(name: str, digest: str, kind: str, selection: dict[str, Any] | None) -> dict[str, Any]:
    return {"name": name, "digest": digest, "kind": kind, "selection": selection}


def _same(entry: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two entries are of one content, read in one way."""
    return all(_plain(entry.get(key)) == _plain(other.get(key)) for key in ("digest", "kind", "selection", "mapping"))


def _plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _load_table(
    store: Any, path: Path, mapping: TableMapping, selection: Selection | None, work: Path, progress: Progress
) -> int:
    from sfumato.semantics.knowledge.table_triples import read_table, table_lines

    frame, source, mapping = read_table(path, mapping)
    count = 0
    with open(work / "table.nt", "wb") as file:
        for lines in table_lines(frame, source, mapping, selection):
            count += len(lines)
            lines.to_frame().write_csv(file, include_header=False, quote_style="never")
    progress(path.name, 0.5)
    if count == 0 and selection is not None:
        raise FileError(path, "no row lies in the box and the period; nothing was loaded")
    problem = f"{path}: the mapping gives IRIs or values that are not valid"
    load_ntriples(store, work / "table.nt", problem, lenient=True)
    return 0


def _load_movement(store: Any, path: Path, work: Path) -> None:
    from sfumato.semantics.movement.files import read_movement

    movement = read_movement(path)
    if not movement.geographic:
        raise FileError(path, "wanted a movement in longitude and latitude, found plane coordinates")
    with open(work / "movement.nt", "wb") as file:
        file.writelines(movement.triples())
    load_ntriples(store, work / "movement.nt", f"{path}: the movement has names that are not valid in an IRI")


def _refuse_conflicts(store: Any, path: Path) -> None:
    """Refuse a movement that says something else than an earlier one of a position or segment of the same name."""
    for pattern in (*(f"?thing bq:{name} ?a, ?b FILTER(?a != ?b)" for name in _SINGLE), _SAME_NUMBER):
        if store.query(f"{prefix_lines('bq')}\nASK {{ {{ {pattern} }} }}"):
            raise FileError(
                path,
                "wanted other names than those of the movements in the knowledge base, found positions or segments "
                "that they describe differently; give the segmentation a name (tree), or use a new knowledge base",
            )


def _load_selected(store: Any, path: Path, options: LoadOptions, work: Path, progress: Progress) -> None:
    from sfumato.semantics.knowledge.derived import derive

    assert options.selection is not None
    with _temporary_store(work) as everything:
        load_rdf(everything.store, path, skip_broken=options.skip_broken, work=work, progress=progress)
        derive(everything.store)
        if select(everything.store, store, options.selection) == 0:
            raise DataError(f"{path.name}: no place lies in the box and no event in the period; nothing was loaded")


class _Held:
    def __init__(self, store: Any) -> None:
        self.store = store


@contextmanager
def _temporary_store(work: Path) -> Iterator[_Held]:
    held = _Held(oxigraph().Store(str(work / "everything")))
    try:
        yield held
    finally:
        held.store = None
