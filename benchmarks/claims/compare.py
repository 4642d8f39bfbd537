"""`sfumato compare` adds less than 5% to the methods' own time, everything included: starting workers, warming up,
keeping every run, medians, charts in three formats and the report.  Beside it the same runs and measures in a bare loop
that writes nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import SIZES, make, warm_up
from benchmarks.measure import Judged, taken_by

CASES = [{"data": "check-ins", "m": 3, "k": [2, 5, 10, 25, 50, 100], "seeds": 7}]
METHODS = ("seqanon", "seqanon-f")
MEASURES = ("intact", "label-size", "displacement")


def measure(case):
    loop, _ = taken_by(lambda: bare_loop(case))
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "experiment.toml").write_text(experiment(case))
        words = [sys.executable, "-m", "sfumato", "compare", "experiment.toml", "--out", "out", "--json"]
        whole, done = taken_by(lambda: subprocess.run(words, cwd=name, capture_output=True, text=True, check=True))
        charts = len(list((Path(name) / "out" / "charts").iterdir()))
    return {
        "runs": json.loads(done.stdout)["ran"],
        "bare loop, CPU seconds": loop.cpu,
        "compare, CPU seconds": whole.cpu,
        "overhead, %": 100 * (whole.cpu / loop.cpu - 1),
        "bare loop, seconds": loop.clock,
        "compare, seconds": whole.clock,
        "chart files": charts,
    }


def bare_loop(case) -> None:
    from sfumato.catalogue import measure_class, method_class

    for name in METHODS:
        warm_up(method_class(name)(k=5, m=case["m"]))
    data = make(**SIZES[case["data"]])
    measures = [measure_class(name)() for name in MEASURES]
    for seed in range(1, case["seeds"] + 1):
        for k in case["k"]:
            for name in METHODS:
                release = method_class(name)(k=k, m=case["m"]).anonymize(data, seed=seed)
                for one in measures:
                    one(data, release)


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
    return [Judged(f"{row['overhead, %']:.1f}% above the bare loop, wanted below 5%", row["overhead, %"] < 5)]
