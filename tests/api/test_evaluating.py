"""`sfumato.evaluate`, and measures on datasets that are no release."""

from __future__ import annotations

import builtins
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from api.walks import walks, walks_file
from sfumato import anonymize, evaluate
from sfumato.errors import DataError, MissingExtra
from sfumato.utility.places.generalization import Displacement
from sfumato.utility.queries import Are


def test_a_release_a_directory_and_a_dataset(tmp_path: Path) -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    folder = release.write(tmp_path / "out")
    by_run, by_files, by_data = (evaluate(walks_file(tmp_path), one) for one in (release, folder, release.data))
    assert "displacement" in by_files.unmeasured
    assert "displacement" not in by_run.unmeasured
    scores = [{measure.name: score.value for measure, score in one.scores} for one in (by_run, by_files, by_data)]
    assert scores[1].items() <= scores[0].items()
    assert scores[2].items() <= scores[0].items()
    assert by_files.unmeasured.keys() - by_run.unmeasured.keys() == scores[0].keys() - scores[1].keys()
    assert json.loads(json.dumps(by_run.to_json()))["private"] is True
    assert by_run.to_pandas().shape == by_run.to_polars().shape
    assert "<th>measure</th>" in by_run._repr_html_()
    assert "hconcat" in by_run.chart().to_dict()


def test_measures_by_name_and_as_objects() -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    result = evaluate(walks(), release, ["generalized", Are(queries=20)])
    assert [measure.name for measure, _ in result.scores] == ["generalized", "are"]


def test_a_measure_takes_a_dataset_unless_it_needs_the_origin() -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    assert Are(queries=20)(walks(), release.data) == Are(queries=20)(walks(), release)
    with pytest.raises(DataError, match="needs the release, which knows where each published value is from"):
        Displacement()(walks(), release.data)


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    result = evaluate(walks(), anonymize(walks(), "seqanon", k=2, m=2), ["generalized"])
    real = builtins.__import__

    def without_altair(name: str, *rest: Any, **more: Any) -> Any:
        if name == "altair":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "altair", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_altair)
    with pytest.raises(MissingExtra, match=r"altair is not installed: pip install 'sfumato\[report\]'"):
        result.chart()


def test_one_measure_needs_no_list() -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    for one in ("are", Are()):
        assert [*evaluate(walks(), release, one).to_json()["measures"]] == ["are"]
