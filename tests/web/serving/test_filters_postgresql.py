"""Conditions on a real PostgreSQL: the same entries as the reference implementation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from serving_processes import SOURCE, clean_environment

ROOT = Path(__file__).parents[3]


def test_random_studies_on_postgresql(database: Callable[[], str], tmp_path: Path) -> None:
    """Random studies with a dozen conditions each."""
    settings = {
        "SFUMATO_DATABASE_URL": database(),
        "SFUMATO_HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join((SOURCE, str(ROOT))),
    }
    done = subprocess.run(
        [sys.executable, "-m", "trials.filters", "--count", "12", "--seed", "7000"],
        cwd=ROOT,
        env=clean_environment(**settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {"cases": 12, "violations": []}
