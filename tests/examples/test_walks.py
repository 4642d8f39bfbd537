"""The walks of examples/ on the command line: in an empty directory, to the end."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from commands import run_here

EXAMPLES = Path(__file__).parents[2] / "examples"
WALKS = {
    "data_officer.sh": ("describe.html", "risk.html", "attacks.html", "board_public.html", "board.pdf", "published"),
    "student.sh": ("comparison/report.html", "comparison/results.csv", "comparison/releases", "workload.json"),
}
PUBLIC = {"board_public.html", "published"}


def test_every_walk_is_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.sh")} == WALKS.keys()


def commands_of(name: str, folder: Path) -> list[list[str]]:
    """The commands that the shell makes of a walk, in their order; all else in it is done, in the current directory."""
    program = folder / "sfumato"
    program.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >> "{folder}/said"\nprintf "\\n\\0" >> "{folder}/said"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    subprocess.run(["sh", str(EXAMPLES / name)], env={**os.environ, "PATH": path}, check=True)
    commands = (folder / "said").read_text(encoding="utf-8").split("\n\0")
    assert commands.pop() == ""
    return [command.split("\0")[:-1] for command in commands]


@pytest.mark.parametrize("name", WALKS)
def test_a_walk(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = commands_of(name, tmp_path_factory.mktemp("program"))
    assert len(commands) == len(re.findall(r"^sfumato ", (EXAMPLES / name).read_text("utf-8"), flags=re.MULTILINE))
    for words in commands:
        code, printed = run_here(words)
        assert code == 0, printed
    for made in WALKS[name]:
        path = tmp_path / made
        assert path.exists(), made
        if made not in PUBLIC and path.is_file() and path.parent == tmp_path:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, made
