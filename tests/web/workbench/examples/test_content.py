"""Examples: every method of a kind runs on the example of that kind, through the files that a job writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sfumato.api.anonymizing import anonymize
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Dataset
from sfumato.web.workbench.examples.content import BUILDERS
from sfumato.web.workbench.examples.making import make_files
from sfumato.web.workbench.loading import load

VALUES = {"k": 5, "m": 2, "l": 2, "delta": 0.2, "epsilon": 1.0, "c": 0.5, "group_size": 5}


def made(example: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    for name in ("versions", "assets"):
        (folder / name).mkdir()
    monkeypatch.chdir(folder)
    result = make_files(example=example, progress=lambda *_: None)
    assets: dict[str, Any] = {}
    for asset in result["assets"]:
        if asset["kind"] == "hierarchy":
            assets.setdefault("hierarchies", {})[asset["attribute"]] = asset["file"]
        else:
            assets[asset["kind"]] = asset.get("text") or asset["file"]
    return load({"file": result["file"], "reading": result["reading"], "assets": assets}, folder)


@pytest.mark.parametrize("example", BUILDERS)
def test_an_example_carries_what_every_method_of_its_kind_needs(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = made(example, tmp_path, monkeypatch)
    assert data.kind == example
    assert 300 < len(data) <= 5_000
    methods = [method_class(name) for name in METHODS if method_class(name).kind == example]
    assert methods
    for method in methods:
        values = {p.name: VALUES[p.name] for p in method.parameters() if p.required or p.name in ("k", "l")}
        method.from_json(values)._require(data)
        required = {p.name: VALUES[p.name] for p in method.parameters() if p.required}
        if "delta" in required:  # it refuses data for which the bound is too low
            assert anonymize(data, method.from_json(required)).holds
