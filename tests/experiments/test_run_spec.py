"""What one run is: checked when it is made, and the same again after JSON."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from experiments.conftest import DATA, TOP, TWO, VARY
from sfumato.errors import ParameterError
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.file_tables import Data
from sfumato.experiments.run_spec import RunSpec
from sfumato.experiments.single_run import cells_of


def spec(**fields: Any) -> RunSpec:
    return RunSpec(**{"dataset": "walks", "method": "seqanon", "arguments": {"k": 2, "m": 1}, **fields})


SPECS = {
    "least": {},
    "limits": {"limit_s": 1.5, "limit_mb": 100, "seed": 7, "sample": 3},
    "measures": {"measures": [{"measure": "are", "name": "asked", "parameters": {"queries": 3}}]},
    "a generator": {"dataset": None, "data": Data(generate="checkins", arguments={"locations": 9}, seed=1)},
    "a file": {
        "dataset": None,
        "data": {
            "file": "walks.csv", "person": "who", "columns": {"location": "poi"}, "places": "places.csv",
            "taxonomy": {"fanout": 3, "shuffled": 1}, "constraints": "parts.csv", "sensitive": {"random": 2},
            "quasi_identifiers": ["a", "b"],
        },
    },
    "knowledge": {"knowledge": {"taxonomy": "tree.csv", "constraints": {"parts": 2}}},
    "a method in a method": {"method": "rum-bound", "arguments": {"k": 2, "m": 1, "delta": 0.5}},
    "a miner": {"method": "subgraphs", "arguments": {"support": 2}},
}  # fmt: skip


@pytest.mark.parametrize("name", SPECS)
def test_json_and_back(name: str) -> None:
    one = spec(**SPECS[name])
    again = RunSpec.from_json(json.loads(json.dumps(one.to_json())))
    assert again == one
    assert hash(again) == hash(one)
    assert again.source == one.source
    with pytest.raises(FrozenInstanceError):
        one.seed = 3


def test_every_run_of_an_experiment(write) -> None:
    cells = cells_of(read_experiment(write(TOP, DATA, "sample = 4\ntaxonomy = { fanout = 2 }\n", VARY, TWO)))
    for cell in cells:
        assert RunSpec.from_json(json.loads(json.dumps(cell.spec.to_json()))) == cell.spec
    assert len({cell.spec.source for cell in cells}) == 1
    assert {cell.spec.sample for cell in cells} == {4}
    assert len({cell.spec for cell in cells}) == len(cells)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"dataset": None}, "RunSpec: wanted one of data and dataset, found neither"),
        ({"data": Data(file=Path("x.csv"))}, "RunSpec: wanted one of data and dataset, found both"),
        (
            {"dataset": None, "data": Data(file=Path("x.csv"), sample=3)},
            "RunSpec: sample belongs to the run; leave it out of data",
        ),
        ({"dataset": None, "data": Data(generate="checkin")}, "no generator is called 'checkin'; did you mean"),
        (
            {"dataset": None, "data": Data(generate="checkins", arguments={"locations": -1})},
            "Checkins: locations must be a whole number",
        ),
        ({"method": "seqannon"}, "no method is called 'seqannon'; did you mean 'seqanon'?"),
        ({"arguments": {"k": 2}}, "SeqAnon: m is required: a whole number of at least 1"),
        ({"measures": [{"measure": "ar"}]}, "no measure is called 'ar'"),
        ({"measures": [{"measure": "are"}] * 2}, "RunSpec: measures must have different names, found one twice"),
        ({"seed": -1}, "RunSpec: seed must be a whole number of at least 0, got -1"),
        ({"limit_s": -1}, "RunSpec: limit_s must be a number of at least 0"),
        ({"limit_mb": 0}, "RunSpec: limit_mb must be a number above 0"),
    ],
)
def test_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        spec(**fields)
    assert str(refused.value).startswith(sentence)


def test_json_of_something_else_is_refused_with_the_field() -> None:
    with pytest.raises(ParameterError, match="no field is called 'metod'; did you mean 'method'"):
        RunSpec.from_json({"metod": "seqanon"})
    with pytest.raises(ParameterError, match="data: no field is called 'fil'; did you mean 'file'"):
        RunSpec.from_json({"data": {"fil": "x.csv"}, "method": "seqanon"})
    with pytest.raises(ParameterError, match="method is required: a text"):
        RunSpec.from_json({"dataset": "walks"})
