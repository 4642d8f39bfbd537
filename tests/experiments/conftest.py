"""A small experiment on a handful of walks, as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

WALKS = ["dace", "baec", "ade", "bdec", "dc", "de"] * 3
WHERE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}

TOP = """
title = "Six walks"
repetitions = 2
measures = ["intact", "label-size"]
"""
DATA = """
[data]
file = "walks.csv"
"""
VARY = """
[vary]
parameter = "k"
values = [2, 3]
"""
TWO = """
[[configuration]]
method = "seqanon"
parameters = { m = 2 }
[[configuration]]
name = "all at once"
method = "seqanon-f"
parameters = { m = 2 }
"""


def write_walks(folder: Path, name: str = "walks.csv", times: int = 1) -> Path:
    lines = ["trajectory,location,x,y"]
    for number, walk in enumerate(WALKS * times, start=1):
        lines += [f"{number},{spot},{WHERE[spot][0]},{WHERE[spot][1]}" for spot in walk]
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an experiment file beside its data."""
    write_walks(tmp_path)

    def writing(*parts: str, name: str = "six.toml") -> Path:
        path = tmp_path / name
        path.write_text("".join(parts))
        return path

    return writing
