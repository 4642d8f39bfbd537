"""What the private report of a run tells about its release: which private record each published one was."""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.attacks.view.setting import Exposed, record_origins
from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import FileError
from sfumato.io.files import read_bytes
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.strict_json import parse_json

__all__ = ["correspondence", "digest_of", "packed_origin", "read_report", "with_report"]


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
    told = read_report(path, original, exposed.certificate, exposed.data)
    return exposed if told is None else replace(exposed, correspondence=told[0])


def read_report(
    path: str | Path, original: Any, certificate: Certificate | None, data: Any
) -> tuple[Ints, Ints | None] | None:
    """The original record behind each published record (-1 for a dummy), and the original visit or item behind each
    published one where the report tells; None where a release has no correspondence.  Refuses another run's report.
    """
    report = parse_json(read_bytes(path), path)
    if not isinstance(report, dict) or "correspondence" not in report or "digest" not in report:
        raise FileError(
            path, "wanted the private report of a run with its correspondence, found none; is it of this version?"
        )
    if report["digest"] != digest_of(original):
        raise FileError(path, "this is the report of a run on other data, or on these data read in another way")
    told = report["correspondence"]
    fits = told is None or (isinstance(told, list) and len(told) == len(data))
    if certificate is None or report.get("method") != certificate.method or not fits:
        raise FileError(path, "this is the report of another release")
    if told is None:
        return None
    if any(one is not None and (isinstance(one, bool) or not isinstance(one, int)) for one in told):
        raise FileError(path, "wanted numbers of private records in the correspondence, found others")
    numbers = np.array([-1 if one is None else one - 1 for one in told], dtype=np.int64)
    if len(numbers) and not -1 <= int(numbers.min()) <= int(numbers.max()) < len(original):
        raise FileError(path, "wanted numbers of private records in the correspondence, found others")
    elements = _unpacked(report.get("origin"))
    if elements is not None and len(elements) != len(getattr(data, "codes", ())):
        raise FileError(path, "this is the report of another release")
    return numbers, elements


def packed_origin(published: Any, origin: Ints | None) -> str | None:
    """The original visit or item behind each published one, -1 for a dummy's, compressed; rows need none.

    >>> from sfumato import Trajectories
    >>> _unpacked(packed_origin(Trajectories.from_lists([["a", "b"]]), np.array([4, 7]))).tolist()
    [4, 7]
    """
    if origin is None or not isinstance(published, Ragged):
        return None
    steps = np.diff(np.asarray(origin, dtype="<i8"), prepend=0)
    return base64.b64encode(zlib.compress(steps.tobytes())).decode("ascii")


def _unpacked(text: Any) -> Ints | None:
    try:
        return None if text is None else np.cumsum(np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i8"))
    except (ValueError, TypeError, zlib.error):
        return None
