"""The demo."""

from __future__ import annotations

import json
from pathlib import Path


def test_demo(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("demo")
    assert ran.code == 0, ran.err
    assert "Persons who are unique" in ran.out
    assert run("verify", "demo-release").code == 3, "persons are counted, and files do not name them"
    said = json.loads(run("demo", "--json").out)
    assert said["out"] == "demo-release-2"
    assert said["holds"] is True
    assert said["unique_before"]["2"] > said["unique_after"]["2"] == 0
