"""Running the command line inside the test process."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from sfumato.cli import main


@dataclass
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    before = {sent: signal.getsignal(sent) for sent in (signal.SIGTERM, signal.SIGINT)}

    def running(*args: object) -> Ran:
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Ran(int(left.value.code or 0), out, err)

    yield running
    for sent, handler in before.items():
        signal.signal(sent, handler)


@pytest.fixture
def visits(tmp_path: object) -> object:
    """Twelve trajectories of six persons, with coordinates."""
    rows = ["dace", "baec", "ade", "bdec", "dc", "de"] * 2
    where = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
    lines = ["trajectory,person,location,x,y"]
    for number, row in enumerate(rows, start=1):
        lines += [f"secret-{number},name-{number % 6},{spot},{where[spot][0]},{where[spot][1]}" for spot in row]
    path = tmp_path / "visits.csv"  # type: ignore[operator]
    path.write_text("\n".join(lines) + "\n")
    return path
