"""The work of an evaluation, called directly: what it leaves in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.errors import MissingKnowledge
from sfumato.io.published.directory import as_published
from sfumato.web.workbench.evaluation.results import Results
from sfumato.web.workbench.evaluation.work import evaluate


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _table(folder: Path) -> dict[str, Any]:
    ages = [31, 32, 33, 41, 42, 43, 51, 52, 53, 61, 62, 63]
    pl.DataFrame({"age": ages, "illness": ["flu", "hiv", "cold"] * 4}).write_parquet(folder / "t.parquet")
    return {
        "file": "t.parquet",
        "reading": {"kind": "table", "quasi_identifiers": ["age"], "sensitive": ["illness"]},
        "assets": {},
    }


def _evaluate(source: dict[str, Any], method: str, **parameters: Any) -> tuple[dict[str, Any], list[str]]:
    phases: list[str] = []
    options: dict[str, Any] = {"measures": [], "promises": [], "seed": None, "vary": None, "out": "runs/r"}
    options |= {name: parameters.pop(name) for name in list(parameters) if name in options}
    figures = evaluate(
        source=source,
        method=method,
        parameters=parameters,
        progress=lambda phase, *_: phases.append(phase),
        **options,
    )
    return figures, phases


def test_a_run_leaves_a_release_that_can_be_verified_and_its_private_figures(folder: Path) -> None:
    figures, phases = _evaluate(
        _table(folder), "cluster", k=3, measures=[{"measure": "ncp", "parameters": {}}], promises=["l-diversity:l=2"]
    )
    assert figures["holds"] is True
    assert figures["measures"]["ncp"] > 0
    assert {"reading", "verifying", "measuring ncp", "writing"} <= set(phases)
    run = folder / "runs" / "r"
    published = as_published(run / "release")
    assert not published.problems
    assert [model.name for model in published.models] == ["k-anonymity", "l-diversity"]
    assert json.loads((run / "report.json").read_text())["measures"]["ncp"] == figures["measures"]["ncp"]
    results = Results(run)
    assert results.attributes == ["age", "illness"]
    assert len(results.labels("age")) == 4
    window = results.window(0)
    assert window.linked
    for row, original in zip(window.published, window.original, strict=True):
        assert row[1] == (original[1], False)
        assert row[0][1]
    assert window.after is None


def test_a_promise_that_does_not_hold_leaves_a_refused_directory(folder: Path) -> None:
    figures, _ = _evaluate(_table(folder), "cluster", k=2, promises=["l-diversity:l=3"], seed=1)
    assert figures["holds"] is False
    assert sorted(path.name for path in (folder / "runs" / "r").iterdir() if path.is_dir()) == ["refused"]


def test_one_parameter_varies_and_what_is_infeasible_is_a_gap(folder: Path) -> None:
    source = _table(folder)
    vary = {"parameter": "k", "values": [3, 6, 50]}
    figures, _ = _evaluate(source, "cluster", k=2, vary=vary, measures=[{"measure": "ncp", "parameters": {}}])
    assert (figures["varying"], figures["values"], figures["done"]) == ("k", 3, 2)
    rows = Results(folder / "runs" / "r").varying["rows"]
    assert [("sentence" in row, row["value"]) for row in rows] == [(False, 3), (False, 6), (True, 50)]
    assert rows[1]["measures"]["ncp"] > rows[0]["measures"]["ncp"]
    before = (folder / "runs/r/settings/0/release/certificate.json").stat().st_mtime_ns
    _evaluate(source, "cluster", k=2, vary=vary, measures=[{"measure": "ncp", "parameters": {}}])
    assert (folder / "runs/r/settings/0/release/certificate.json").stat().st_mtime_ns == before


def test_chunks_stand_beside_the_original_without_a_link(folder: Path) -> None:
    rows = [(record, item) for record, items in enumerate(["ab", "ab", "abc", "c"]) for item in items]
    pl.DataFrame(rows, schema=["record", "item"], orient="row").write_parquet(folder / "b.parquet")
    source = {"file": "b.parquet", "reading": {"kind": "transactions"}, "assets": {}}
    figures, _ = _evaluate(source, "disassociate", k=2, m=1, refine=False)
    assert figures["holds"] is True
    window = Results(folder / "runs" / "r").window(0)
    assert not window.linked
    assert window.original_rows == 4
    with pytest.raises(MissingKnowledge):
        _evaluate(source, "apriori", k=2, m=1)
