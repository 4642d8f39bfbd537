"""Random movements for tests on Spark, as a dataset of one machine and as a directory of Parquet files."""

from pathlib import Path
from typing import Any

import numpy as np

from sfumato import Places, Trajectories, Transactions

PLACES = Places.planar({f"p{number:02}": (float(number % 4), float(number // 4)) for number in range(12)})


def walks(seed: int, *, persons: bool, n: int = 200, sensitive: tuple[str, ...] = ()) -> Trajectories:
    rng = np.random.default_rng(seed)
    visits = [[f"p{code:02}" for code in rng.integers(0, 12, rng.integers(1, 6))] for _ in range(n)]
    people = [f"u{code}" for code in rng.integers(0, n // 2, n)] if persons else None
    places = PLACES.with_sensitive(sensitive) if sensitive else PLACES
    return Trajectories.from_lists(visits, persons=people, places=places)


def baskets(seed: int, n: int = 150) -> Transactions:
    rng = np.random.default_rng(seed)
    return Transactions.from_lists([sorted({f"i{code}" for code in rng.integers(0, 9, 4)}) for _ in range(n)])


def in_files(data: Any, folder: Path) -> Path:
    """Write a dataset as three Parquet files."""
    folder.mkdir()
    frame = data.to_polars()
    third = len(frame) // 3
    for number, first in enumerate((0, third, 2 * third)):
        frame.slice(first, third if number < 2 else None).write_parquet(folder / f"{number}.parquet")
    return folder
