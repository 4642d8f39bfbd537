"""What the private report of a run tells about its release: which private record each published one was."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.attacks.scene import Exposed, record_origins
from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import FileError
from sfumato.io.files import read_text

__all__ = ["correspondence", "digest_of", "with_report"]


def digest_of(original: Any) -> str:
    """A digest of the private records in their order, to tell later whether a file holds the same ones.

    >>> from sfumato import Trajectories
    >>> digest_of(Trajectories.from_lists([["a"]])) == digest_of(Trajectories.from_lists([["b"]]))
    False
    """
    if isinstance(original, Mixed):
        parts = [digest_of(original.table).encode(), digest_of(original.items).encode()]
    elif isinstance(original, Table):
        parts = [original.frame.write_csv().encode()]
    elif isinstance(original, Ragged):
        names = "\0".join(original.names).encode()
        parts = [original.offsets.tobytes(), original.codes.tobytes(), names]
    else:
        return ""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def correspondence(original: Any, published: Any, origin: Ints | None) -> list[int | None] | None:
    """For each published record the number of the private record that it was, from 1; nothing for a dummy.

    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["b"], ["a"]], places={"a": (0, 0), "b": (9, 9)})
    >>> release = SeqAnon(k=2, m=1).anonymize(walks)
    >>> correspondence(walks, release.data, release.origin)
    [1, 2]
    """
    if origin is None or not isinstance(published, Ragged | Table | Mixed):
        return None
    found = record_origins(original, published, origin)
    return None if found is None else [None if one < 0 else one + 1 for one in found.tolist()]


def with_report(exposed: Exposed, path: str | Path, original: Any) -> Exposed:
    """The release with the correspondence that its private report holds; refuses the report of another run."""
    try:
        report = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted JSON, found something else", line=error.lineno) from None
    if not isinstance(report, dict) or "correspondence" not in report or "digest" not in report:
        raise FileError(
            path, "wanted the private report of a run with its correspondence, found none; is it of this version?"
        )
    if report["digest"] != digest_of(original):
        raise FileError(path, "this is the report of a run on other data, or on these data read in another way")
    told = report["correspondence"]
    if report.get("method") != exposed.certificate.get("method") or (
        told is not None and len(told) != len(exposed.data)
    ):
        raise FileError(path, "this is the report of another release than the one that is attacked")
    if told is None:
        return exposed
    numbers = np.array([-1 if one is None else one - 1 for one in told], dtype=np.int64)
    if len(numbers) and not -1 <= int(numbers.min()) <= int(numbers.max()) < len(original):
        raise FileError(path, "wanted numbers of private records in the correspondence, found others")
    return replace(exposed, correspondence=numbers)
