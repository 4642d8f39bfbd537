"""Files of triples: their format by name, compressed or not, and a sentence for one that is broken."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote
from xml.parsers import expat

from sfumato.errors import DataError, FileError, either
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.xml_entities import without_large_entities

__all__ = ["SUFFIXES", "digest_of", "load_ntriples", "load_rdf", "rdf_suffix"]

SUFFIXES = {
    ".nt": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".ttl": "TURTLE",
    ".trig": "TRIG",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
}
_LINE = re.compile(r"line (\d+)")
_LINED, _GRAPHS = (".nt", ".nq"), (".nq", ".trig")
_BLOCK = 8 << 20  # bytes of lines that are checked together
_PART = 24 << 20  # bytes of lines that are loaded together
_AT_ONCE = 2  # parts that are loaded at the same time


def rdf_suffix(path: Path) -> str | None:
    """The suffix that names the format of a file of triples, or None for another file."""
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    return suffix if suffix in SUFFIXES else None


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None


def load_rdf(store: Any, path: Path, *, skip_broken: bool, work: Path, progress: Callable[[str, float], None]) -> int:
    """Add the triples of a file to a store; returns the number of broken lines that were left out.

    Names of graphs are not kept: all triples go into one graph.
    """
    suffix = rdf_suffix(path)
    if suffix is None:
        raise FileError(path, f"wanted a file of triples that ends in {either(list(SUFFIXES))}, or in these with .gz")
    skipped = 0
    with _broken_sentence(path):
        _require_content(path, xml=SUFFIXES[suffix] == "RDF_XML")
    with _opened(path, progress) as file, _broken_sentence(path):
        if skip_broken:
            skipped, file = _whole_lines(path, file, suffix, work)
        _put(store, file, suffix, f"file:///{quote(path.name)}")  # names the file, not the folders of this machine
        file.close()
    return skipped


def _require_content(path: Path, *, xml: bool) -> None:
    """Refuse an empty file, and XML that is cut off, of which the store would take the part that is there."""
    with _opened(path, lambda _name, _share: None) as file:
        if not xml:
            while block := file.read(1 << 16):
                if block.strip():
                    return
            raise FileError(path, "the file is empty")
        try:
            expat.ParserCreate().ParseFile(file)
        except expat.ExpatError as error:
            raise SyntaxError(str(error), (path.name, error.lineno, None, None)) from None


def load_ntriples(store: Any, path: Path, problem: str, *, lenient: bool = False) -> None:
    """Add a file of N-Triples that the product wrote; the problem is raised if it is not well-formed.

    lenient : whether IRIs are not checked again.
    """
    try:
        with open(path, "rb") as file:
            _put_lines(store, file, lenient=lenient)
    except SyntaxError:
        raise DataError(problem) from None


def _put(store: Any, file: IO[bytes], suffix: str, base: str) -> None:
    ox = oxigraph()
    form = getattr(ox.RdfFormat, SUFFIXES[suffix])
    if suffix == ".nt":
        _put_lines(store, file)
        return
    if SUFFIXES[suffix] == "RDF_XML":
        file = without_large_entities(file)
    if suffix not in _GRAPHS:
        store.bulk_load(input=file, format=form, base_iri=base)
        return
    quads = ox.parse(input=file, format=form, base_iri=base, rename_blank_nodes=True)
    store.bulk_extend(ox.Quad(quad.subject, quad.predicate, quad.object) for quad in quads)


def _put_lines(store: Any, file: IO[bytes], *, lenient: bool = False) -> None:
    """Add N-Triples in blocks of lines, two at a time: less memory than all at once, and both cores.

    From the first block on that may hold a blank node, the rest is added at once: a name of a blank node means the same
    node in the whole file.
    """
    form = oxigraph().RdfFormat.N_TRIPLES

    def put(block: Any, line: int) -> None:
        try:
            store.bulk_load(input=block, format=form, lenient=lenient)
        except SyntaxError as error:
            error.lineno = None if error.lineno is None else error.lineno + line
            raise

    line = 0
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running: deque[Future[None]] = deque()
        for block in _blocks(file, _PART):
            if b"_:" in block:
                break
            if len(running) == _AT_ONCE:
                running.popleft().result()
            running.append(pool.submit(put, block, line))
            line += block.count(b"\n")
        else:
            block = b""
        for future in running:
            future.result()
    if block:
        put(_Rest(block, file), line)


class _Rest:
    """A block that was read, and what follows in its file."""

    def __init__(self, block: bytes, file: IO[bytes]) -> None:
        self._block, self._file = io.BytesIO(block), file

    def read(self, size: int = -1) -> bytes:
        return self._block.read(size) or self._file.read(size)


def _whole_lines(path: Path, file: IO[bytes], suffix: str, work: Path) -> tuple[int, IO[bytes]]:
    """The number of broken lines, and the other lines as a file."""
    if suffix not in _LINED:
        raise FileError(path, "broken statements can be left out only of .nt and .nq files, whose lines are statements")
    form = getattr(oxigraph().RdfFormat, SUFFIXES[suffix])
    skipped = 0
    good = work / f"good{suffix}"
    with open(good, "wb") as out:
        for block in _blocks(file, _BLOCK):
            lines = (
                [block]
                if _parses(block, form)
                else [line for line in block.splitlines(keepends=True) if _parses(line, form)]
            )
            skipped += 0 if lines == [block] else len(block.splitlines()) - len(lines)
            out.writelines(lines)
    return skipped, open(good, "rb")


def _blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while block := file.read(size):
        yield block + file.readline()


def _parses(content: bytes, form: Any) -> bool:
    try:
        for _ in oxigraph().parse(input=content, format=form):
            pass
    except SyntaxError:
        return False
    return True


@contextmanager
def _broken_sentence(path: Path) -> Iterator[None]:
    """Turn an error of the parser into a sentence that names file and line and quotes nothing."""
    try:
        yield
    except SyntaxError as error:
        line = error.lineno
        if line is None and (match := _LINE.search(str(error))) is not None:
            line = int(match[1])
        raise FileError(path, "wanted well-formed RDF, found a statement that is broken", line=line) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise FileError(path, "the gzip file ends early or is damaged") from None
    except UnicodeDecodeError:
        raise FileError(path, "wanted text in UTF-8, found other bytes") from None


class _Counted(io.RawIOBase):
    """A file that reports the share of it that has been read."""

    def __init__(self, path: Path, progress: Callable[[str, float], None]) -> None:
        self._file = open(path, "rb")  # noqa: SIM115
        self._size = max(1, path.stat().st_size)
        self._name, self._progress, self._next = path.name, progress, 0.0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer)
        share = self._file.tell() / self._size
        if share >= self._next:
            self._progress(self._name, share)
            self._next = share + 0.01
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


@contextmanager
def _opened(path: Path, progress: Callable[[str, float], None]) -> Iterator[IO[bytes]]:
    try:
        raw = io.BufferedReader(_Counted(path, progress), 1 << 20)
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    if path.stat().st_size == 0:
        raw.close()
        raise FileError(path, "the file is empty")
    file: Any = gzip.GzipFile(fileobj=raw) if path.name.lower().endswith(".gz") else raw
    with raw, file:
        yield file
