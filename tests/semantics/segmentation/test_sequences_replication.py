"""The replication on photo visits: made-up files give their own sequences, and wrong ones are named."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

SCRIPT = Path(__file__).parents[3] / "replications" / "baquara_2013" / "sequences.py"
HOUR = 3600
VISITS = pl.DataFrame(
    {
        "userID": ["u", "u", "u", "u", "v", "v"],
        "dateTaken": [-50 * HOUR, -42 * HOUR, -33 * HOUR, -33 * HOUR, 5, 6],
        "poiID": [1, 2, 1, 2, 2, 1],
        "seqID": [1, 1, 2, 2, 3, 3],
    }
)
PLACES = pl.DataFrame({"poiID": [1, 2], "poiLat": [55.8, 55.9], "poiLon": [-4.2, -4.3]})


@pytest.mark.parametrize(("last", "code", "verdict"), [(3, 0, "the same sequences"), (4, 1, "other sequences")])
def test_sequences(tmp_path: Path, capsys: Any, last: int, code: int, verdict: str) -> None:
    visits = VISITS.with_columns(seqID=pl.Series([1, 1, 2, 2, 3, last]))
    visits.write_csv(tmp_path / "visits.csv")
    PLACES.write_csv(tmp_path / "places.csv")
    main = runpy.run_path(str(SCRIPT))["main"]
    assert main(str(tmp_path / "visits.csv"), str(tmp_path / "places.csv")) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"3 trails, {last} sequences in the file: {verdict}"
    assert "1 ties merged" in lines[1]
