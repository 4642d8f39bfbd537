"""The walks in examples/, each as its reader runs it: in an empty directory, from beginning to end."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
WALKS = {
    "transport_analyst.py": ("audit.html", "map.html", "public_map.html", "board.html", "published"),
    "data_officer.sh": ("describe.html", "risk.html", "attacks.html", "board_public.html", "board.pdf", "published"),
    "student.sh": ("comparison/report.html", "comparison/results.csv", "comparison/releases", "workload.json"),
}
PUBLIC = {"public_map.html", "board_public.html", "published"}


def test_every_walk_is_here() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".sh")} == WALKS.keys()


@pytest.mark.parametrize("name", WALKS)
def test_a_walk(name: str, tmp_path: Path) -> None:
    programs = str(Path(sys.executable).parent)
    runner = [sys.executable] if name.endswith(".py") else ["sh"]
    ran = subprocess.run(
        [*runner, str(EXAMPLES / name)],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join([programs, os.environ["PATH"]])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    for made in WALKS[name]:
        path = tmp_path / made
        assert path.exists(), made
        if made not in PUBLIC and path.is_file() and path.parent == tmp_path:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, made
