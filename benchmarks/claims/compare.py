"""`sfumato compare` takes less than 5% more processor time than the methods, verifiers and measures that it runs (an
experiment of some minutes): everything else is start, generating the data, warming up, keeping every run, medians,
charts in three formats and the report.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import SIZES
from benchmarks.measure import Judged, taken_by

CASES = [{"data": "check-ins", "m": 3, "k": [2, 5, 10, 25, 50, 100], "seeds": 10}]
METHODS = ("seqanon", "seqanon-f")
MEASURES = ("intact", "label-size", "displacement")


def measure(case):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "experiment.toml").write_text(experiment(case))
        words = [sys.executable, "-m", "sfumato", "compare", "experiment.toml", "--out", "out", "--json"]
        whole, done = taken_by(lambda: subprocess.run(words, cwd=name, capture_output=True, text=True, check=True))
        own = sum(json.loads(path.read_text())["cpu"] for path in (folder / "out" / "cells").iterdir())
        charts = len(list((folder / "out" / "charts").iterdir()))
    return {
        "runs": json.loads(done.stdout)["ran"],
        **whole.columns,
        "of these in the runs": own,
        "overhead, %": 100 * (whole.cpu / own - 1),
        "chart files": charts,
    }


def experiment(case) -> str:
    parameters = ", ".join(f"{name} = {value}" for name, value in SIZES[case["data"]].items())
    configurations = "".join(
        f'[[configuration]]\nmethod = "{name}"\nparameters = {{ m = {case["m"]} }}\n' for name in METHODS
    )
    return (
        f'title = "Overhead"\nseed = 1\nrepetitions = {case["seeds"]}\nmeasures = {list(MEASURES)}\n'
        f'[data]\ngenerate = "checkins"\nparameters = {{ {parameters} }}\nseed = 1\n'
        f'{configurations}[vary]\nparameter = "k"\nvalues = {case["k"]}\n'
    )


def judge(rows):
    (row,) = rows
    return [Judged(f"{row['overhead, %']:.1f}% above the runs themselves, wanted below 5%", row["overhead, %"] < 5)]
