"""`python prepare_adult.py ADULT.csv FOLDER`: make adult.csv and adult/, which relational.toml reads.

ADULT.csv is the Adult dataset as it comes with ARX, apart by semicolons, with its hierarchies beside it as
adult_hierarchy_age.csv.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def main(adult: str, folder: str | Path) -> None:
    source, here = Path(adult), Path(folder)
    shutil.copyfile(source, here / "adult.csv")
    (here / "adult").mkdir(exist_ok=True)
    for file in source.parent.glob("adult_hierarchy_*.csv"):
        shutil.copyfile(file, here / "adult" / f"{file.stem.removeprefix('adult_hierarchy_')}.csv")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
