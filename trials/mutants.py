"""Spoiled files for every reader: each ends with data or with one sentence, and never with a panic, a crash or a hang.

``run(count, seed)`` spreads that many cases over all readers.  Cases are read in a process of their own, so that
neither a panic nor a hang of one ends the run; ``python -m trials.mutants READER NUMBER`` repeats one.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

__all__ = ["run"]

SECONDS = 10  # of one case: beyond them it hangs
MEMORY = 6 << 30  # of the process that reads
_ROOT = Path(__file__).parent.parent
_SCRAPS = (
    b'"', b",", b";", b"\t", b"\r", b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b[2J",
    b"-1", b"0", b"1e309", b"NaN", b"-0.0", b"9" * 30, b"9" * 5000, b"x" * 150_000, b"null", b"true", b"''", b"=cmd|'",
    b"{", b"}", b"[[[[", b"<a>", b"&amp;", b"\\", b"\\u0000", b"*", b"^a$", b" ", "\u202e".encode(), "é".encode(),
)  # fmt: skip


def run(count: int, seed: int) -> dict[str, tuple[int, list[str]]]:
    """How many mutants each reader was given, and what it did that it must not do."""
    from trials.seeds import READERS

    names = list(READERS)
    cases = dict.fromkeys(names, 0)
    failures: dict[str, list[str]] = {name: [] for name in names}
    worker = _Worker()
    try:
        for at in range(count):
            name = names[at % len(names)]
            number = seed * 10_000_000 + at
            cases[name] += 1
            problem = worker.ask(name, number)
            if problem:
                failures[name].append(f"{name} {number}: {problem}")
    finally:
        worker.stop()
    return {name: (cases[name], failures[name]) for name in names}


@dataclass
class _Worker:
    """A process that reads mutants; it is started again whenever it dies or hangs."""

    _process: subprocess.Popen[bytes] | None = None

    def ask(self, name: str, number: int) -> str:
        """What went wrong with a case, or nothing."""
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, number]).encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        answer = self._process.stdout.readline() if ready else b""
        if answer:
            problem: str = json.loads(answer)
            return problem
        code = self._process.poll()
        self.stop()
        return f"no answer after {SECONDS} seconds" if not ready else f"the process died ({code})"

    def _start(self) -> None:
        path = os.pathsep.join([str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "trials.mutants"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "1"},
            cwd=_ROOT,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()  # it says when it is ready

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _serve() -> None:
    """Read cases from the standard input and answer each with a line."""
    from trials.seeds import READERS

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    answers.write(b"ready\n")
    answers.flush()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as errors:
        os.dup2(errors.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        for line in sys.stdin:
            name, number = json.loads(line)
            errors.truncate(0)
            folder = Path(scratch) / "case"
            problem = _tried(READERS[name], name, number, folder)
            if not problem and os.fstat(errors.fileno()).st_size:
                problem = "something was printed"
            answers.write(json.dumps(problem).encode() + b"\n")
            answers.flush()


def _tried(reader: Any, name: str, number: int, folder: Path) -> str:
    """What went wrong, or nothing: data, or one sentence that quotes no private value."""
    from sfumato.errors import CallerError
    from trials.seeds import MARK, seal

    chance = Random(f"{name} {number}")
    files = dict(reader.files)
    spoiled = chance.choice(sorted(files))
    files[spoiled] = mutant(files[spoiled], chance)
    _write(files, folder)
    if reader.sealed and spoiled != "certificate.json":
        seal(folder)
    try:
        reader.read(folder)
    except CallerError as error:
        sentence = str(error).replace(str(folder), "")
        if "\n" in sentence or len(sentence) > 1500:
            return f"more than one sentence: {sentence[:200]!r}"
        if reader.private and MARK in sentence and MARK not in _header(files[spoiled]):
            return f"a private value in {sentence[:300]!r}"
        return ""
    except MemoryError:
        return "no memory left"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return ""


def _header(content: bytes) -> str:
    """The first line: what stands there is taken for names of columns, which a message may quote."""
    with suppress(OSError, EOFError, zlib.error):
        content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    return content.decode("utf-8", "replace").replace('"', "").replace("\r", "\n").partition("\n")[0]


def _write(files: dict[str, bytes], folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def mutant(content: bytes, chance: Random) -> bytes:
    """The content with one to three things wrong."""
    ways = [_flip, _cut, _scrap, _scrap, _repeat, _lines, _cells, _cells, _encode, _line_ends]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        content = chance.choice(ways)(content, chance)
    return content


def _flip(content: bytes, chance: Random) -> bytes:
    """Other bytes here and there."""
    spoiled = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 32)) if spoiled else 0):
        at = chance.randrange(len(spoiled))
        spoiled[at] = chance.choice((chance.randrange(256), spoiled[at] ^ (1 << chance.randrange(8)), 0, 255))
    return bytes(spoiled)


def _cut(content: bytes, chance: Random) -> bytes:
    """Less at the end, at the beginning or in the middle."""
    first, last = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return chance.choice((content[:last], content[first:], content[:first] + content[last:]))


def _scrap(content: bytes, chance: Random) -> bytes:
    """Something that does not belong there."""
    at = chance.randrange(len(content) + 1)
    over = chance.choice((0, 0, 1, 5))
    return content[:at] + chance.choice(_SCRAPS) + content[at + over :]


def _repeat(content: bytes, chance: Random) -> bytes:
    """A part of it once more, perhaps elsewhere."""
    first, last = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[first:last] * chance.choice((1, 1, 3)) + content[at:]


def _lines(content: bytes, chance: Random) -> bytes:
    """Lines in another order, twice, or gone; the header elsewhere."""
    lines = content.split(b"\n")
    at, to = (chance.randrange(len(lines)) for _ in range(2))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[0], lines[to] = lines[to], lines[0]
        case 4:
            lines.insert(at, b"")
    return b"\n".join(lines)


def _cells(content: bytes, chance: Random) -> bytes:
    """A cell of a line that is gone, twice, in another column, or something else."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    mark = chance.choice((b",", b";", b" "))
    cells = lines[at].split(mark)
    cell, other = (chance.randrange(len(cells)) for _ in range(2))
    match chance.randrange(5):
        case 0:
            del cells[cell]
        case 1:
            cells.insert(other, cells[cell])
        case 2:
            cells[cell], cells[other] = cells[other], cells[cell]
        case 3:
            cells[cell] = chance.choice(_SCRAPS)
        case 4:
            cells[cell] = b""
    lines[at] = mark.join(cells)
    return b"\n".join(lines)


def _encode(content: bytes, chance: Random) -> bytes:
    """The text in another encoding, or compressed, and perhaps cut."""
    text = content.decode("utf-8", "replace")
    match chance.randrange(6):
        case 0:
            return text.encode("utf-16")
        case 1:
            return text.encode("latin-1", "replace")
        case 2:
            return gzip.compress(content, mtime=0)
        case 3:
            return gzip.compress(content, mtime=0)[: -chance.randrange(1, 12)]
        case 4:
            return zlib.compress(content)
        case _:
            return b"\xef\xbb\xbf" + content


def _line_ends(content: bytes, chance: Random) -> bytes:
    return content.replace(b"\n", chance.choice((b"\r", b"\r\n", b"\n\n", b"\r\r\n", b"\x0b", "\u2028".encode())))


def _repeat_case(name: str, number: int) -> None:
    """Run one case here and show what comes of it."""
    from trials.seeds import READERS

    with tempfile.TemporaryDirectory() as scratch:
        print(_tried(READERS[name], name, number, Path(scratch) / "case") or "nothing wrong")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        _repeat_case(sys.argv[1], int(sys.argv[2]))
    else:
        _serve()
