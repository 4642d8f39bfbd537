"""The private report of a run: which private record is behind each published record."""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.attacks.view.setting import Exposed, record_origins
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import FileError
from sfumato.io.files import read_bytes
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.strict_json import parse_json

__all__ = ["correspondence", "digest_of", "packed_origin", "read_report", "with_report"]


def digest_of(original: Dataset) -> str:
    """A digest of the private records in their order, to check later whether a file holds the same ones.

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


def correspondence(original: Dataset, published: Dataset, origin: Ints | None) -> list[int | None] | None:
    """For each published record the number of the private record that it was, from 1; nothing for a dummy.

    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["b"], ["a"]], places={"a": (0, 0), "b": (9, 9)})
    >>> release = SeqAnon(k=2, m=1).anonymize(walks)
    >>> correspondence(walks, release.data, release.origin)
    [1, 2]
    """
    if origin is None or not isinstance(published, Ragged | Table | Mixed):
        return None
    records = record_origins(original, published, origin)
    return None if records is None else [None if record < 0 else record + 1 for record in records.tolist()]


def with_report(exposed: Exposed, path: str | Path, original: Dataset) -> Exposed:
    """The release with the correspondence that its private report holds; refuses the report of another run."""
    numbers = read_report(path, original, exposed.certificate, exposed.data)
    return exposed if numbers is None else replace(exposed, correspondence=numbers[0], origin=numbers[1])


def read_report(
    path: str | Path, original: Dataset, certificate: Certificate | None, data: Dataset
) -> tuple[Ints, Ints | None] | None:
    """The original record behind each published record (-1 for a dummy), and the original visit or item behind each
    published one where the report has it; None where a release has no correspondence.  Refuses another run's report.
    """
    report = parse_json(read_bytes(path), path)
    if not isinstance(report, dict) or "correspondence" not in report or "digest" not in report:
        raise FileError(
            path,
            "wanted the private report of a run with its correspondence, found none; make the report with this version",
        )
    if report["digest"] != digest_of(original):
        raise FileError(path, "this is the report of a run on other data, or on these data read differently")
    listed = report["correspondence"]
    fits = listed is None or (isinstance(listed, list) and len(listed) == len(data))
    if certificate is None or report.get("method") != certificate.method or not fits:
        raise FileError(path, "this is the report of another release")
    if listed is None:
        return None
    if any(number is not None and (isinstance(number, bool) or not isinstance(number, int)) for number in listed):
        raise FileError(path, "wanted numbers of private records in the correspondence, found other values")
    numbers = np.array([-1 if number is None else number - 1 for number in listed], dtype=np.int64)
    if len(numbers) and not -1 <= int(numbers.min()) <= int(numbers.max()) < len(original):
        raise FileError(path, "wanted numbers of private records in the correspondence, found other values")
    elements = _unpacked(report.get("origin"))
    if elements is not None and len(elements) != len(getattr(data, "codes", ())):
        raise FileError(path, "this is the report of another release")
    return numbers, elements


def packed_origin(published: Dataset, origin: Ints | None) -> str | None:
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
