"""10 million visits load from a tidy CSV or Parquet file in seconds, not minutes, and in well under 2 GB.
The file is written by another process; peak memory is that of the reading process, libraries included.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Judged, peak_mb, taken_by

CASES = [
    {"ending": ".csv", "columns": "trajectory, location"},
    {"ending": ".parquet", "columns": "trajectory, location"},
    {"ending": ".csv", "columns": "trajectory, person, location, x, y"},
    {"ending": ".parquet", "columns": "trajectory, person, location, x, y"},
]

WRITE = """
import sys
from dataclasses import replace
from sfumato import write
from sfumato.generate import Checkins
path, wide = sys.argv[1], sys.argv[2] == "wide"
town = Checkins(trajectories=2_500_000, locations=5_000, mean_length=4.0, persons=1_000_000 if wide else None)
data = town.make(seed=1)
write(data if wide else replace(data, places=None), path)
"""


def measure(case):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"visits{case['ending']}"
        wide = "wide" if "person" in case["columns"] else "narrow"
        subprocess.run([sys.executable, "-c", WRITE, str(path), wide], check=True)
        from sfumato import read

        taken, data = taken_by(lambda: read(path))
        return {
            "file": case["ending"],
            "columns": case["columns"],
            "MB": round(path.stat().st_size / 1e6),
            "visits": len(data.codes),
            "trajectories": len(data),
            **taken.columns,
            "peak MB": peak_mb(),
        }


def judge(rows):
    seconds, peak = max(row["CPU seconds"] for row in rows), max(row["peak MB"] for row in rows)
    return [
        Judged(f"at most {seconds:.1f} s: under 30 s", seconds < 30),
        Judged(f"at most {peak:,} MB: under 2 GB", peak < 2000),
    ]
