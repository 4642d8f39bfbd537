"""`sfumato worker`: what it refuses; tests of PostgreSQL run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serving_processes import clean_environment


def test_a_database_without_tables_is_one_sentence(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "sfumato", "worker"],
        env=clean_environment(SFUMATO_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("sfumato: the database lacks ")
    assert ran.stderr.endswith(" migrations of this version; start `sfumato serve` once\n")


def test_a_missing_package_is_one_sentence(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.web.serving.starting.find_spec", lambda _: None)
    ran = run("worker")
    assert (ran.code, ran.err.startswith("sfumato: Django is not installed: pip install 'sfumato[web]'")) == (2, True)
