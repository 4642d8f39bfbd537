"""Leaks of a published directory: what its order, numbers, labels, columns, fields and files say beside the data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sfumato.attacks.base import Attack, Finding, Progress
from sfumato.attacks.leak import Leak
from sfumato.attacks.leaks_certificate import certificate_leaks
from sfumato.attacks.leaks_data import data_leaks
from sfumato.attacks.scene import Scene
from sfumato.errors import FileError
from sfumato.io.files import read_text
from sfumato.io.published import CERTIFICATE

__all__ = ["Leaks", "find_leaks"]

_CONTEXT = {
    "roles.csv": ("column", "role"),
    "places.csv": ("location", "owner", "sensitive"),
    "sensitive.csv": ("item",),
    "taxonomy.csv": ("node", "parent", "sensitive"),
    "privacy_policy.csv": None,
    "utility_policy.csv": None,
    "nodes.csv": None,
    "roads.csv": None,
}
CHECKS = ("files", "certificate", "order", "numbers", "columns", "labels", "names", "form")


@dataclass(frozen=True, kw_only=True)
class Leaks(Attack):
    """Look through a published directory for anything that says more than the data it should hold.

    Notes
    -----
    What may be there is known to the letter: records in the order of their content, numbered from 1; the columns of
    the format; labels numbered in the order of what they stand for; a certificate with fields that are declared, no
    seed, and figures that the files themselves give; nothing else.  Whatever departs from that is a channel from the
    private data to whoever reads the directory, on purpose or not.

    Eight things are looked at, each found whole or leaking: files that do not belong there; fields, figures and seeds
    in the certificate; the order of records; their numbers; columns that are not of the format, not of the original,
    or in the original's own order; the numbering of made labels; private names of records or persons in any file; and
    the form of the files, in which blanks or digits could hide something.
    """

    name: ClassVar[str] = "leaks"
    title: ClassVar[str] = "order, count and label leaks of the directory"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "roads", "transactions", "table", "mixed")
    idea: ClassVar[str] = "looks for what order, numbers, labels, columns and the certificate give away"

    def unfit(self, scene: Scene) -> str | None:
        if scene.releases and scene.release.folder is None:
            return f"{self.name} looks through a published directory, and this release was not written"
        return super().unfit(scene)

    def run(self, scene: Scene, *, seed: int | None = None, progress: Progress | None = None) -> Finding:  # noqa: ARG002
        """Nothing is drawn, so the seed does not matter."""
        assert scene.release.folder is not None
        return leak_finding(find_leaks(scene.release.folder, scene.original))


def leak_finding(found: list[Leak]) -> Finding:
    """The leaks as a finding: one target for each thing that was looked at."""
    leaking = {leak.check for leak in found}
    return Finding(
        Leaks.name,
        Leaks.title,
        "the published directory, and how an honest one is written",
        "that something in the directory says more than the data should",
        np.array([float(check in leaking) for check in CHECKS]),
        of=len(CHECKS),
        unit="thing",
        facts={"leaks": [leak.to_json() for leak in found]},
        notes=tuple(leak.sentence for leak in found) or ("Nothing in the directory says more than its data.",),
    )


def find_leaks(folder: str | Path, original: Any = None) -> list[Leak]:
    """Everything in a published directory that should not be there; `original` makes private names recognisable."""
    folder = Path(folder)
    path = folder / CERTIFICATE
    try:
        text = read_text(path)
        certificate = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted JSON, found something else", line=error.lineno) from None
    if not isinstance(certificate, dict) or "kind" not in certificate:
        raise FileError(path, "wanted an object with the fields of a certificate, found something else")
    found = list(_files(folder, str(certificate["kind"])))
    found += certificate_leaks(certificate, text)
    found += data_leaks(folder, str(certificate["kind"]), certificate, original)
    found += _names(folder, original)
    order = {check: at for at, check in enumerate(CHECKS)}
    return sorted(found, key=lambda leak: (order[leak.check], leak.file, leak.sentence))


def _files(folder: Path, kind: str) -> Iterator[Leak]:
    allowed = {CERTIFICATE, *(("chunks.csv", "clusters.csv") if kind == "chunks" else ("data.csv", "members.csv"))}
    allowed |= {f"context/{name}" for name in _CONTEXT}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder).as_posix()
        if name not in allowed:
            yield Leak("files", name, "a file that does not belong into a published directory")
        elif name.startswith("context/") and _CONTEXT[file.name] is not None:
            header = read_text(file).partition("\n")[0].strip().split(",")
            for column in header:
                if column not in (_CONTEXT[file.name] or ()):
                    yield Leak("columns", name, f"a column {column!r} that the format does not have")


def _names(folder: Path, original: Any) -> Iterator[Leak]:
    """Private names of records and persons; those that are also numbers or words of the data cannot be told apart."""
    private = _private_names(original)
    if not private:
        return
    for file in sorted(path for path in folder.rglob("*") if path.suffix in (".csv", ".json")):
        text = read_text(file)
        marks = str.maketrans(dict.fromkeys(',"\n\t;[]{}:', " "))
        hits = private & set(text.translate(marks).split(" ")) | private & set(text.replace('"', "").splitlines())
        if hits:
            what = "names" if len(hits) > 1 else "name"
            yield Leak(
                "names", file.relative_to(folder).as_posix(), f"{len(hits)} private {what} of persons or records"
            )


def _private_names(original: Any) -> set[str]:
    if original is None:
        return set()
    part = getattr(original, "items", original)
    found: set[str] = set()
    if original.persons is not None:
        found |= {str(name) for name in original.persons.names.to_list()}
    if getattr(original, "ids", None) is not None:
        found |= {str(name) for name in original.ids.to_list()}
    words = set(getattr(part, "names", ()))
    table = getattr(original, "table", original)
    if hasattr(table, "frame"):
        for column in table.frame.columns:
            words |= {str(value) for value in table.frame[column].unique().to_list()}
    made = {f"{'g' * times}{number}" for times in (1, 2) for number in range(1, 10_000)}
    return {name for name in found - words - made if len(name) > 1 and not _is_number(name)}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
