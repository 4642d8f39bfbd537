"""A knowledge base: linked data, events and movements in a directory, asked with SPARQL."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.errors import DataError, OutputError, ParameterError
from sfumato.semantics.knowledge import resources
from sfumato.semantics.knowledge.answers import Answer
from sfumato.semantics.knowledge.derived import derive
from sfumato.semantics.knowledge.endpoint import Endpoint
from sfumato.semantics.knowledge.functions import Functions
from sfumato.semantics.knowledge.generations import (
    DESCRIPTION,
    Description,
    Draft,
    new_directory,
    next_generation,
    open_locked,
    publish_generation,
    remove_unused,
    writer_lock,
)
from sfumato.semantics.knowledge.loading import Fetched, LoadOptions, Progress, load_source
from sfumato.semantics.knowledge.query_process import answer_within
from sfumato.semantics.knowledge.query_text import evaluated, interruptible, require_local
from sfumato.semantics.knowledge.same_as import SameAs, consolidate
from sfumato.semantics.knowledge.selection import Selection
from sfumato.semantics.knowledge.selection import around as selection_around
from sfumato.semantics.knowledge.table_mapping import TableMapping

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.class_graph import ClassGraph
    from sfumato.semantics.knowledge.facets import Facets
    from sfumato.semantics.movement.movement import Movement

__all__ = ["KnowledgeBase", "LoadReport"]


@dataclass(frozen=True)
class LoadReport:
    """What a load added.

    Parameters
    ----------
    triples : how many triples are new.
    files : one entry for each file: name, digest, kind and number of new triples.
    seconds : how long it took.
    same_as : what the consolidation of owl:sameAs did.
    """

    triples: int
    files: tuple[dict[str, Any], ...]
    seconds: float
    same_as: SameAs = field(default_factory=SameAs)


class KnowledgeBase:
    """Triples in a directory.

    A load or an update works on a copy of the store, whose unchanged files are shared, and then replaces the store.
    It takes effect completely or not at all, and processes that read the old store keep reading it.

    Use `KnowledgeBase.create` or `KnowledgeBase.open`, best in a `with` statement.
    """

    def __init__(self, directory: Path, *, read_only: bool) -> None:
        self.directory = directory
        self.read_only = read_only
        self._description = Description()
        self._store: Any = None
        self._lock = -1
        self._stack = ExitStack()
        try:
            if not read_only:
                self._stack.enter_context(writer_lock(directory))
            self._open()
        except BaseException:
            self._stack.close()
            raise

    @classmethod
    def create(cls, directory: str | Path, *, ontology: bool = True) -> KnowledgeBase:
        """A new knowledge base, opened for writing.

        ontology : whether the ontology of movements is loaded into it.
        """
        new_directory(Path(directory))
        base = cls(Path(directory), read_only=False)
        if ontology:
            base._load_ontology()
        return base

    @classmethod
    def open(cls, directory: str | Path, *, read_only: bool = True) -> KnowledgeBase:
        """A knowledge base that exists.  Several processes may read it, and one may write to it."""
        return cls(Path(directory), read_only=read_only)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._description.triples

    def __repr__(self) -> str:
        return f"KnowledgeBase({str(self.directory)!r}, {len(self):,} triples)"

    def close(self) -> None:
        """Release the store; the object cannot be used afterwards."""
        self._release()
        self._stack.close()

    @property
    def _work(self) -> Path:
        """Where temporary files are written; only the owner can read them."""
        return self.directory / "store"

    @property
    def files(self) -> tuple[dict[str, Any], ...]:
        """One entry for each file that was loaded: name, digest, kind and number of new triples."""
        return self._description.files

    def load(
        self,
        files: Iterable[str | Path] | str | Path = (),
        *,
        mapping: str | Path | TableMapping | None = None,
        box: tuple[float, float, float, float] | None = None,
        period: tuple[float, float] | None = None,
        around: Movement | None = None,
        margin_m: float = 1000.0,
        endpoint: Endpoint | None = None,
        query: str | None = None,
        same_as_within_m: float | None = 1000.0,
        skip_broken: bool = False,
        progress: Progress | None = None,
    ) -> LoadReport:
        """Add files of triples, tables, movements, or the answers of an endpoint; known content adds nothing.

        Either everything is loaded, or nothing.  Afterwards each semantic annotation is also a plain statement, a
        place with a latitude and longitude has a geometry, and near things that owl:sameAs joins have one name.

        files : N-Triples, N-Quads, Turtle, TriG or RDF/XML, also with .gz; CSV or Parquet with a mapping; directories
            of movements.
        mapping : how a table is read: `osm`, `geonames`, a TOML file, or a `TableMapping`.
        box, period : only places in the box (west, south, east, north) and events in the period (seconds since 1970),
            with what is said of them.
        around, margin_m : the box, wider by a margin in metres, and the period of a movement.  What is loaded depends
            on the movement then, and no release publishes lists of these places.
        endpoint, query : an endpoint, and a CONSTRUCT query to it; without a query, its places in the box.  The
            endpoint learns the box.
        same_as_within_m : how far apart things that owl:sameAs joins may be to get one name; None leaves all names.
        skip_broken : whether broken lines of N-Triples and N-Quads are left out and counted.
        progress : called with a name and the share of it that has been read.
        """
        sources: list[Path | Fetched] = [Path(files)] if isinstance(files, str | Path) else [Path(f) for f in files]
        if endpoint is not None:
            sources.append(Fetched(endpoint, query))
        if not sources:
            raise DataError("load: wanted at least one file or an endpoint, found none")
        if around is not None and (box is not None or period is not None):
            raise ParameterError("load: wanted the box and the period of a movement alone, found it with others")
        if around is not None:
            selection: Selection | None = selection_around(around, margin_m)
        else:
            selection = None if box is None and period is None else Selection(box, period)
        options = LoadOptions(mapping, selection, skip_broken)
        start, before = perf_counter(), len(self)
        entries: list[dict[str, Any]] = []
        with self._changed() as draft:
            count = len(self)
            for source in sources:
                known = [*self._description.files, *entries]
                entry = load_source(draft.store, self._work, source, options, known, progress or _silent)
                entry |= {} if around is None else {"around": True}
                draft.triples = count if entry.get("known") else len(draft.store)
                entries.append({**entry, "triples": draft.triples - count})
                count = draft.triples
            if derive(draft.store):
                draft.triples = None
            same_as = SameAs() if same_as_within_m is None else consolidate(draft.store, same_as_within_m)
            if same_as.aliases:
                draft.triples = None
            fresh = tuple(entry for entry in entries if not entry.get("known"))
            self._description = replace(self._description, files=(*self._description.files, *fresh))
        return LoadReport(len(self) - before, tuple(entries), perf_counter() - start, same_as)

    def answer(self, sparql: str, *, timeout_s: float | None = None) -> Answer:
        """The answer to a SPARQL query: SELECT, ASK, CONSTRUCT or DESCRIBE, without SERVICE.

        timeout_s : the query runs in a process of its own, which is ended after so many seconds.
        """
        require_local("query", sparql)
        if timeout_s is not None:
            return Answer(*answer_within(self.directory, sparql, timeout_s))
        functions, store = Functions(), self._store
        with evaluated("query", sparql):
            answer = interruptible(lambda: Answer.of(store.query(sparql, **functions.options())))
        functions.raise_first()
        return answer

    def update(self, sparql: str) -> int:
        """Change the triples by a SPARQL update; returns by how many triples the knowledge base grew."""
        require_local("update", sparql)
        functions = Functions()
        before = len(self)
        with self._changed() as draft:
            with evaluated("update", sparql):
                draft.store.update(sparql, **functions.options())
            functions.raise_first()
        return len(self) - before

    def labels(self) -> pl.DataFrame:
        """resource, label, language (null where the label has none); every rdfs:label."""
        return resources.labels(self._store)

    def geometries(self) -> pl.DataFrame:
        """resource, wkt, x, y: every geometry in CRS84 with the longitude and latitude of its centre."""
        return resources.geometries(self._store)

    def types(self) -> pl.DataFrame:
        """resource, class: every rdf:type, without derived ones."""
        return resources.types(self._store)

    def events(self) -> pl.DataFrame:
        """resource, begin, end (seconds since 1970, UTC), place (null where unknown); a row for each place."""
        return resources.events(self._store)

    def classes(self) -> ClassGraph:
        """The classes with their superclasses and named instances."""
        from sfumato.semantics.knowledge.facets import class_graph_of

        return class_graph_of(self)

    def facets(self, *, relation: str | None = None, zone: str | None = None, hemisphere: str = "north") -> Facets:
        """The hierarchies along which stops, trails and persons are counted; see `facets_of`."""
        from sfumato.semantics.knowledge.facets import facets_of

        return facets_of(self, relation=relation, zone=zone, hemisphere=hemisphere)

    def check(self) -> pl.DataFrame:
        """What breaks a rule of the definitions; columns check, severity, sentence, subject."""
        from sfumato.semantics.ontology.data_checks import check_data

        return check_data(self)

    def _load_ontology(self) -> None:
        from importlib.resources import as_file, files

        try:
            source = files("sfumato.semantics.ontology").joinpath("baquara.ttl")
        except ModuleNotFoundError:
            return
        if source.is_file():
            with as_file(source) as path:
                self.load(path)

    def _open(self) -> None:
        self._description, self._store, self._lock = open_locked(self.directory)

    def _release(self) -> None:
        if self._store is not None:
            self._store = None
            os.close(self._lock)

    @contextmanager
    def _changed(self) -> Iterator[Draft]:
        """A store to change, which replaces the present one afterwards."""
        if self.read_only:
            raise OutputError(f"{self.directory / DESCRIPTION}: the knowledge base was opened to be read only")
        before = self._description
        try:
            with next_generation(self.directory, before, self._store) as draft:
                yield draft
                triples = len(draft.store) if draft.triples is None else draft.triples
                self._description = replace(self._description, generation=draft.number, triples=triples)
            publish_generation(self.directory, self._description)
        except BaseException:
            self._description = before
            raise
        self._release()
        self._open()
        remove_unused(self.directory, self._description.generation)


def _silent(name: str, share: float) -> None:
    """Progress that no caller wants."""
