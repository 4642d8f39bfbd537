"""The files of a published directory beside what its certificate lists: each is hashed once, and read whole once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sfumato.io.published.certificate import CERTIFICATE, SIGNATURE
from sfumato.io.published.chunks import CHUNKS, CLUSTERS
from sfumato.io.published.folder import CONTEXT, DATA, DIRECTORY_BYTES, digest_of, entries, printed, read_plain, size_of
from sfumato.io.published.row_files import FORMATS, is_part
from sfumato.io.published.signature import signature_problem

__all__ = ["DirectoryFiles"]

_STEMS = ("data", "members", CHUNKS, CLUSTERS)
_PARSED = tuple(f"{stem}.{format}" for stem in _STEMS for format in FORMATS)  # and whatever lies in context/ or data/


@dataclass(frozen=True, eq=False)
class DirectoryFiles:
    """What lies in a published directory, and what is wrong with it.

    entries : by name "file", or in words what it is instead.  digests : SHA-256 of each listed file that was hashed.
    sound : the files that are plain, uncompressed and as listed, and the signature where it is one to the letter.
    trusted : whether the files that hold data may be parsed.
    """

    folder: Path
    entries: dict[str, str]
    digests: dict[str, str]
    sound: frozenset[str]
    problems: tuple[str, ...]
    trusted: bool

    @classmethod
    def inspect(
        cls, folder: Path, listed: Mapping[str, str], *, at_most: int | None = DIRECTORY_BYTES
    ) -> DirectoryFiles:
        """Hash every listed file, block by block; more than so many bytes of them are left alone."""
        present = entries(folder)
        problems: dict[str, str] = {}
        for name, what in present.items():
            if what != "file":
                problems[name] = f"{printed(name)} is {what}; a published directory holds plain files"
            elif name not in (CERTIFICATE, SIGNATURE, *listed):
                problems[name] = f"{printed(name)} is not listed in the certificate"
        sizes = {name: size_of(folder, name) for name in listed if present.get(name) == "file"}
        if at_most is not None and sum(sizes.values()) > at_most:
            limit = f"the {at_most >> 30} GB that are read of a published directory"
            sentences = (*problems.values(), f"the listed files are larger than {limit}")
            return cls(folder, present, {}, frozenset(), sentences, trusted=False)
        digests = {}
        for name, digest in listed.items():
            if name not in sizes:
                problems.setdefault(name, f"{name} is missing")
                continue
            digests[name], zipped = digest_of(folder, name)
            if digests[name] != digest:
                problems[name] = f"{name} was altered: its digest is not the one in the certificate"
            elif zipped:
                problems[name] = f"{name} is compressed; published files are plain text"
        parsed = [name for name in listed if name in _PARSED or is_part(name)]
        formats = sorted({name.rpartition(".")[2] for name in parsed})
        if len(formats) > 1:
            first, second = (next(name for name in parsed if name.endswith(end)) for end in formats)
            problems.setdefault(second, f"{first} and {second} are both listed; published data have one format")
        parts = [name for name in parsed if is_part(name)]
        if parts and "data.parquet" in parsed:
            problems.setdefault(
                parts[0], f"data.parquet and {parts[0]} are both listed; published data are one or parts"
            )
        held = (CONTEXT, f"{DATA}/")
        trusted = not any(name in listed or name in (*_PARSED, DATA) or name.startswith(held) for name in problems)
        false = signature_problem(folder)
        if false is not None:
            problems.setdefault(SIGNATURE, false)
        order = dict.fromkeys((*(name for name in listed if name in problems), *problems))
        sound = frozenset(name for name in (SIGNATURE, *listed) if name in present and name not in problems)
        return cls(folder, present, digests, sound, tuple(problems[name] for name in order), trusted)

    @cached_property
    def contents(self) -> Mapping[str, bytes]:
        """Every plain file by its name, byte for byte; the certificate and its signature are not among them."""
        names = [name for name, what in self.entries.items() if what == "file"]
        return _Contents(self.folder, [name for name in names if name not in (CERTIFICATE, SIGNATURE)])

    def digest(self, name: str) -> str:
        """The SHA-256 digest of a plain file, listed or not."""
        return self.digests[name] if name in self.digests else digest_of(self.folder, name)[0]


class _Contents(Mapping[str, bytes]):
    """The bytes of files by name; a file is read when it is asked for, and once."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder, self._names, self._read = folder, names, dict[str, bytes]()

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = read_plain(self._folder, name)
        return self._read[name]

    def __contains__(self, name: object) -> bool:  # without a look into the file
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
