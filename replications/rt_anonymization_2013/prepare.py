"""`python prepare.py INFORMS.csv [FOLDER]`: make informs.csv and hierarchies/, which the experiments read.

They are written into the folder, or beside this script.

INFORMS.csv has one row a person: DOBMM and DOBYY (month and year of birth), RACEX, EDUCYEAR (years of education),
income and ICD9_set, blank-separated diagnosis codes; beside it lie hierarchies as informs_DOBMM.txt.  The data of the
INFORMS data mining contest, in the form in which SECRETA uses them, have them.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import polars as pl

COLUMNS = ("DOBMM", "DOBYY", "RACEX", "EDUCYEAR", "income")


def main(informs: str, folder: str | Path = Path(__file__).parent) -> None:
    here = Path(folder)
    found = pl.read_csv(informs, columns=[*COLUMNS, "ICD9_set"], infer_schema=False)
    people = found.rename({"ICD9_set": "diagnoses"}).select(*COLUMNS, "diagnoses")
    people.write_csv(here / "informs.csv")
    (here / "hierarchies").mkdir(exist_ok=True)
    for column in COLUMNS:
        if (tree := Path(informs).parent / f"informs_{column}.txt").exists():
            shutil.copyfile(tree, here / "hierarchies" / f"{column}.csv")
    codes = people["diagnoses"].fill_null("").str.extract_all(r"\S+").explode(empty_as_null=False).n_unique()
    sys.stdout.write(f"{len(people):,} people, {codes:,} diagnoses\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
