"""The demo."""

from __future__ import annotations

import json
from pathlib import Path


def test_demo(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("demo")
    assert ran.code == 0, ran.err
    assert "Persons who are unique" in ran.out
    assert "demo-release.png shows who is unique, before and after." in ran.out
    picture = tmp_path / "demo-release.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_mode & 0o777 == 0o600
    assert run("verify", "demo-release").code == 3, "persons are counted, and files do not name them"
    said = json.loads(run("demo", "--json").out)
    assert said["out"] == "demo-release-2"
    assert said["chart"] == "demo-release-2.png"
    assert said["holds"] is True
    assert said["unique_before"]["2"] > said["unique_after"]["2"] == 0


def test_without_charts_the_demo_names_what_to_install(tmp_path: Path, monkeypatch) -> None:
    from sfumato.cli.demo import _draw
    from sfumato.errors import MissingExtra
    from sfumato.experiments.reports import charts

    def absent() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(charts, "require_charts", absent)
    file, why = _draw({1: 0.5}, {1: 0.0}, tmp_path / "out")
    assert file is None
    assert "'.[report]'" in why
