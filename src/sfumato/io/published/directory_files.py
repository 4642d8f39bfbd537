"""The files of a published directory beside what its certificate lists: each is hashed once, and read whole once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sfumato.io.published.certificate import CERTIFICATE, SIGNATURE
from sfumato.io.published.chunks import CHUNKS, CLUSTERS
from sfumato.io.published.folder import CONTEXT, DIRECTORY_BYTES, digest_of, entries, printed, read_plain, size_of
from sfumato.io.published.signature import signature_problem

__all__ = ["DirectoryFiles"]

_PARSED = ("data.csv", "members.csv", CHUNKS, CLUSTERS)  # and whatever lies in context/


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
    def inspect(cls, folder: Path, listed: Mapping[str, str]) -> DirectoryFiles:
        """Hash every listed file, block by block; more than `DIRECTORY_BYTES` of them are left alone."""
        present = entries(folder)
        problems: dict[str, str] = {}
        for name, what in present.items():
            if what != "file":
                problems[name] = f"{printed(name)} is {what}; a published directory holds plain files"
            elif name not in (CERTIFICATE, SIGNATURE, *listed):
                problems[name] = f"{printed(name)} is not listed in the certificate"
        sizes = {name: size_of(folder, name) for name in listed if present.get(name) == "file"}
        if sum(sizes.values()) > DIRECTORY_BYTES:
            limit = f"the {DIRECTORY_BYTES >> 30} GB that are read of a published directory"
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
        trusted = not any(name in listed or name in _PARSED or name.startswith(CONTEXT) for name in problems)
        false = signature_problem(folder)
        if false is not None:
            problems.setdefault(SIGNATURE, false)
        order = dict.fromkeys((*(name for name in listed if name in problems), *problems))
        sound = frozenset(name for name in (SIGNATURE, *listed) if name in present and name not in problems)
        return cls(folder, present, digests, sound, tuple(problems[name] for name in order), trusted)

    @cached_property
    def contents(self) -> dict[str, bytes]:
        """Every plain file by its name, byte for byte; the certificate and its signature are not among them."""
        names = (name for name, what in self.entries.items() if what == "file")
        return {name: read_plain(self.folder, name) for name in names if name not in (CERTIFICATE, SIGNATURE)}
