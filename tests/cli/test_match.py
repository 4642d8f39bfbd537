"""Positions matched to the roads of a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sfumato.io import read

Run = Any


def test_match(run: Run, tmp_path: Path) -> None:
    gps, out, streets = tmp_path / "gps.csv", tmp_path / "out.csv", tmp_path / "streets"
    made = ("--nodes", 60, "--objects", 12, "--speed-divisor", 40, "--seed", 2)
    assert run("generate", "city", *made, "--output", "positions", "--out", gps, "--streets", streets).code == 0
    ran = run("match", gps, "--network", streets, "--out", out, "--error-m", 5, "--json")
    assert json.loads(ran.out)["records"] == 12
    assert len(read(out, network=streets)) == 12
    before = out.read_text()
    assert run("match", gps, "--network", streets, "--out", tmp_path / "out.txt").err == (
        f"sfumato: {tmp_path / 'out.txt'}: wanted a file that ends in .csv or .parquet for roads, found '.txt'\n"
    )
    assert run("match", out, "--network", streets, "--out", out).code == 2
    assert out.read_text() == before
    assert run("match", gps, "--network", streets, "--out", out, "--error-m", 0).err == (
        "sfumato: match: Invalid value for '--error-m': error_m must be a number above 0, got 0.0\n"
    )
    named = tmp_path / "named.csv"
    named.write_text(gps.read_text().replace("trajectory,time,x,y", "track,t,east,north"))
    columns = "trajectory=track,time=t,x=east,y=north"
    assert run("match", named, "--network", streets, "--out", out, "--columns", columns, "--error-m", 5).code == 0
    assert out.read_text() == before
