"""`sfumato restore`: what it prints and refuses; the work itself is tested in tests/web/serving."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.web.serving import backups, team


def test_it_prints_what_the_library_returns(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls = []

    def work(home: Path, file: Path) -> backups.Backup:
        calls.append((home, file))
        return backups.Backup(3, 2000)

    monkeypatch.setattr(team, "prepared_restore", lambda: tmp_path)
    monkeypatch.setattr(backups, "restore", work)
    ran = run("restore", "x.tar", "--json")
    assert json.loads(ran.out) == {"file": "x.tar", "files": 3, "bytes": 2000}
    assert run("restore", "x.tar").out.startswith("✓ 3 files")
    assert calls == [(tmp_path, Path("x.tar"))] * 2


def test_a_missing_package_is_one_sentence(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.web.serving.starting.find_spec", lambda _: None)
    ran = run("restore", "x.tar")
    assert (ran.code, ran.err.startswith("sfumato: Django is not installed: pip install 'sfumato[web]'")) == (2, True)
