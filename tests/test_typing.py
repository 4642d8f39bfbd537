"""The types of the public names, as mypy sees them in a user's script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_users_script_is_typed() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "tests/typed/user_script.py"]
    paths = {"MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(command, cwd=ROOT, env=os.environ | paths, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
