"""Fifty million trajectories (196 million visits) on one machine of 24 GB, from start to end by the command line, in
Parquet: `generate`, `anonymize seqanon`, `verify` and `audit` of the original, each in at most 16 GB.  Every command is
a new process; kernels were compiled before.  Measured only where it is named, beside other work on the machine: its
seconds by the clock say little.
"""

from __future__ import annotations

from benchmarks.claims.larger import measure
from benchmarks.measure import Judged

__all__ = ["CASES", "judge", "measure"]

CASES = [{"format": "parquet", "trajectories": 50_000_000}]
MOST_MB = 16_000


def judge(rows):
    return [
        Judged(f"{command}: at most {MOST_MB:,} MB", row[f"{command} MB"] <= MOST_MB)
        for row in rows
        for command in ("generate", "anonymize", "verify", "audit")
    ]
