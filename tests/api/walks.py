"""Six walks over five places, as in the tutorial, and the frames and files that hold them."""

from __future__ import annotations

from pathlib import Path

from sfumato import Trajectories, write

PLACES = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}


def walks() -> Trajectories:
    return Trajectories.from_lists(["dace", "baec", "ade", "bdec", "dc", "de"], places=PLACES)


def walks_file(folder: Path) -> Path:
    write(walks(), folder / "visits.csv")
    return folder / "visits.csv"
