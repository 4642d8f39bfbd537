"""The folder of a comparison: the same data as everywhere else, and no file from outside."""

from __future__ import annotations

import tomllib
from typing import Any

import polars as pl
import pytest

from sfumato.errors import SfumatoError
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.web.workbench.comparison.drafts import EMPTY, add_configuration, draft_of
from sfumato.web.workbench.comparison.experiments import FILE, start_comparison
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Asset, Run
from sfumato.web.workbench.versions import new_dataset
from web.workbench.comparison.conftest import definition_of

TREE = "node,parent,sensitive\nAny,,false\n{}"


def asset(dataset: Any, kind: str, content: str, *, attribute: str = "", text: str = "") -> Asset:
    row = Asset.objects.create(dataset=dataset, kind=kind, attribute=attribute, name=kind, text=text)
    if content:
        row.file = f"assets/{row.id}.csv"
        row.save()
        row.path.write_text(content)
    return row


def table(project: Any) -> tuple[Any, str, dict[str, Any]]:
    frame = pl.DataFrame({"my age": ["01", "02", "03", "?"], "age": [1, 2, 3, 4], "x": ["NA", "b", "c", "2020-01-01"]})
    reading = {"kind": "table", "quasi_identifiers": ["my age", "age"], "sensitive": ["x"]}
    version = new_dataset(project, "ages", frame, reading)
    for column, values in (("my age", ["01", "02", "03", "?"]), ("age", ["1", "2", "3", "4"])):
        lines = "".join(f"{value},Any,false\n" for value in values)
        asset(version.dataset, "hierarchy", TREE.format(lines), attribute=column)
    return version, "cluster", {"k": 2}


def walks(project: Any) -> tuple[Any, str, dict[str, Any]]:
    frame = pl.DataFrame({"tid": ["1", "1", "2", "2"], "poi": ["a", "b", "a", "b"], "person": ["p", "p", "q", "q"]})
    version = new_dataset(
        project, "walks", frame, {"kind": "trajectories", "columns": {"trajectory": "tid", "location": "poi"}}
    )
    asset(version.dataset, "places", "location,x,y\na,0,0\nb,1,0\n")
    asset(version.dataset, "constraints", "location,constraint\na,1\nb,1\n")
    return version, "seqanon", {"k": 2, "m": 1}


def baskets(project: Any) -> tuple[Any, str, dict[str, Any]]:
    frame = pl.DataFrame({"record": [1, 1, 2, 2, 3], "item": ["a", "b", "a", "b", "a"]})
    version = new_dataset(project, "baskets", frame, {"kind": "transactions", "sensitive": ["b"]})
    asset(version.dataset, "taxonomy", TREE.format("a,Any,false\nb,Any,false\n"))
    asset(version.dataset, "privacy_policy", "", text="all:2")
    return version, "coat", {"k": 2}


def mixed(project: Any) -> tuple[Any, str, dict[str, Any]]:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "items": ["a b", "a", "b", "a b"]})
    reading = {"kind": "mixed", "items": "items", "quasi_identifiers": ["age"]}
    version = new_dataset(project, "mixed", frame, reading)
    asset(version.dataset, "taxonomy", TREE.format("a,Any,false\nb,Any,false\n"))
    return version, "rum-bound", {"k": 2, "m": 1, "delta": 0.5, "relational": "cluster", "transaction": "apriori"}


@pytest.mark.parametrize("make", [table, walks, baskets, mixed], ids=lambda make: make.__name__)
def test_the_data_are_those_of_an_evaluation(project: Any, owner: Any, make: Any) -> None:
    version, method, parameters = make(project)
    add_configuration(project, owner, definition_of(version, method, **parameters))
    run = start_comparison(project, owner, draft_of(project, owner))
    experiment = read_experiment(run.folder / FILE, inside=run.folder)
    compared, loaded = make_base(experiment.data), load(version.source(), project.folder)
    assert compared.to_polars().equals(loaded.to_polars())
    assert compared.to_polars().schema == loaded.to_polars().schema
    for name in ("taxonomy", "places", "constraints", "hierarchies", "quasi_identifiers", "sensitive"):
        there, here = getattr(loaded, name, None), getattr(compared, name, None)
        assert (here is None) == (there is None), name
        if name in ("quasi_identifiers", "sensitive"):
            assert here == there
    knowledge = experiment.configurations[0].knowledge
    assert knowledge == ({"privacy_policy": "all:2"} if method == "coat" else {})
    assert run.job.kind == "compare"


def test_the_folder_is_left_when_the_version_changes(project: Any, owner: Any, draft: dict[str, Any]) -> None:
    run = start_comparison(project, owner, draft)
    run.version.path.unlink()
    assert pl.read_parquet(run.folder / "inputs" / "data.parquet").height == 12
    values = tomllib.loads((run.folder / FILE).read_text())
    assert values["data"]["file"] == "inputs/data.parquet"
    assert values["vary"] == {"parameter": "k", "values": [2, 3, 40]}
    assert values["chart"] == [{"y": "ncp", "expects": {"monotone": "rising"}}, {"y": "seconds"}]
    assert [part["parameters"] for part in values["configuration"]] == [{}, {}]


def test_a_refused_draft_leaves_nothing(project: Any, owner: Any, draft: dict[str, Any]) -> None:
    draft["vary"] = {"parameter": "k", "values": [1]}
    with pytest.raises(SfumatoError, match="k must be a whole number of at least 2"):
        start_comparison(project, owner, draft)
    with pytest.raises(SfumatoError, match="wanted at least one configuration"):
        start_comparison(project, owner, dict(EMPTY))
    assert not Run.objects.exists()
    assert not list((project.folder / "runs").iterdir())


def test_a_configuration_without_the_parameter_is_constant(project: Any, owner: Any, version: Any) -> None:
    add_configuration(project, owner, definition_of(version))
    add_configuration(project, owner, definition_of(version, "incognito") | {"vary": {"parameter": "k", "values": [2]}})
    add_configuration(project, owner, definition_of(version, "incognito") | {"promises": ["l-diversity:l=2"]})
    draft = draft_of(project, owner)
    draft["vary"] = {"parameter": "intervals", "values": ["equal"]}
    assert [part["name"] for part in draft["configurations"]] == ["cluster", "incognito", "incognito 2"]
    run = start_comparison(project, owner, draft | {"vary": {"parameter": "k", "start": 2, "end": 4, "step": 1}})
    experiment = read_experiment(run.folder / FILE)
    assert experiment.vary is not None
    assert experiment.vary.values == (2, 3, 4)
    assert experiment.configurations[2].promises == ("l-diversity:l=2",)
