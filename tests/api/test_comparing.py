"""`sfumato.compare`: methods and releases beside each other, and experiment files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.walks import walks, walks_file
from sfumato import SeqAnon, anonymize, compare, verify
from sfumato.errors import CallerError, ParameterError

EXPERIMENT = """
title = "k"
seeds = [1]
measures = ["generalized"]

[data]
file = "visits.csv"

[[configuration]]
name = "SeqAnon"
method = "seqanon"
parameters = { k = 2, m = 1 }
"""


def test_methods_and_releases(tmp_path: Path) -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    folder = release.write(tmp_path / "published")
    candidates = [SeqAnon(k=2, m=2), release, folder, release.data, SeqAnon(k=7, m=1)]
    result = compare(walks_file(tmp_path), candidates, ["generalized"])
    names = [
        "SeqAnon(k=2, m=2, rounds=False, suppression=0.0)",
        "SeqAnon(k=2, m=2, rounds=False, suppression=0.0) (2)",
        "published",
        "release 4",
    ]
    assert result.to_polars()["candidate"].to_list() == names
    assert result.to_polars()["value"].n_unique() == 1
    assert len(result.infeasible) == 1
    assert list(result.releases) == names[:1]
    assert json.loads(json.dumps(result.to_json()))["private"] is True
    assert "needs at least 7" in result._repr_html_()
    assert "concat" in result.chart().to_dict()


def test_candidates_by_name() -> None:
    result = compare(walks(), {"small": SeqAnon(k=2, m=1), "large": SeqAnon(k=3, m=1)}, ["generalized"])
    assert list(result.evaluations) == ["small", "large"]


def test_an_experiment_file(tmp_path: Path) -> None:
    walks_file(tmp_path)
    (tmp_path / "k.toml").write_text(EXPERIMENT)
    result = compare(tmp_path / "k.toml", out=tmp_path / "out", jobs=1, keep_releases=True)
    assert [verify(folder).code for folder in result.releases] == [0]
    assert result.to_polars().equals(result.summary)
    assert json.loads(json.dumps(result.to_json()))["runs"] == 1
    assert "1 runs" in result._repr_html_()
    with pytest.raises(ParameterError, match="has 0 charts, got 1"):
        result.chart()


def test_refusals() -> None:
    with pytest.raises(CallerError, match="an experiment file and out=DIR"):
        compare("k.toml")  # type: ignore[call-overload]
    with pytest.raises(CallerError, match="at least one candidate"):
        compare(walks(), [])
