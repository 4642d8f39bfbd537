"""Runs that are killed while they write a release, or have no disk space: the ledger says what is published."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the trials fork")
@pytest.mark.parametrize("kind", ["time", "line", "space"])
def test_ledger_and_directories_agree_whenever_a_run_is_killed(kind: str) -> None:
    """In small; `python -m trials.kills` does it in large."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "POLARS_MAX_THREADS": "1"}
    words = [
        sys.executable,
        "-m",
        "trials.kills",
        "--count",
        "6" if kind != "time" else "12",
        "--seed",
        "5",
        "--kinds",
        kind,
    ]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["violations"] == []
    assert min(said["trials"].values()) >= 6
