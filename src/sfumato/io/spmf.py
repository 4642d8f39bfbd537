"""The SPMF sequence format: ``1 -1 3 -1 -2`` is the sequence 1, 3; ``@ITEM=1=home`` names an item."""

from __future__ import annotations

from pathlib import Path

from sfumato.data import Trajectories
from sfumato.errors import FileError
from sfumato.io.files import read_text, write_text

__all__ = ["read_spmf", "write_spmf"]


def read_spmf(path: str | Path) -> Trajectories:
    """Sequences of single items."""
    called: dict[str, str] = {}
    sequences: list[list[str]] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        line = line.strip()
        if line.startswith("@ITEM="):
            item, _, name = line.removeprefix("@ITEM=").partition("=")
            called[item] = name
        elif line and line[0] not in "#%@":
            sequences.append(_sequence(line.split(), path, number))
    if not sequences:
        raise FileError(path, "wanted at least one sequence, found none")
    return Trajectories.from_lists([[called.get(item, item) for item in sequence] for sequence in sequences])


def _sequence(tokens: list[str], path: str | Path, number: int) -> list[str]:
    if tokens[-1] != "-2":
        raise FileError(path, "wanted -2 at the end of the sequence, found the line cut off", line=number)
    visits, pending = [], []
    for token in tokens[:-1]:
        if token != "-1":
            pending.append(token)
            continue
        if len(pending) != 1:
            raise FileError(path, f"wanted one item before each -1, found {len(pending)}", line=number)
        visits.append(pending.pop())
    if pending:
        raise FileError(path, "wanted -1 after every item, found an item without it", line=number)
    return visits


def write_spmf(data: Trajectories, path: str | Path) -> None:
    """Items numbered from 1 in name order, with their names in the head."""
    head = [
        "@CONVERTED_FROM_TEXT",
        *(f"@ITEM={code}={name}" for code, name in enumerate(data.names, start=1)),
    ]
    bounds = zip(data.offsets[:-1], data.offsets[1:], strict=True)
    codes = (data.codes + 1).tolist()
    body = ["".join(f"{code} -1 " for code in codes[start:end]) + "-2" for start, end in bounds]
    write_text("\n".join([*head, *body]) + "\n", path)
