"""From a draft to the folder of a run: an experiment file, and beside it everything that it names.

The folder repeats the comparison without this server: ``sfumato compare experiment.toml --out results``.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404

from sfumato.catalogue import method_class
from sfumato.errors import ParameterError
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.experiment_text import experiment_text
from sfumato.io.atomic_writes import write_text
from sfumato.web.accounts.models import Event
from sfumato.web.home import private_folder
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.comparison.drafts import title_of, version_of
from sfumato.web.workbench.models import Asset, Project, Run, Version
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["FILE", "enqueue_runs", "start_comparison"]

FILE = "experiment.toml"
_READING = ("kind", "columns", "items", "quasi_identifiers", "sensitive", "missing", "dates", "split_jumps")
_POLICIES = ("privacy_policy", "utility_policy")


def start_comparison(project: Project, user: Any, draft: dict[str, Any]) -> Run:
    """Write the experiment of a draft, check it, and start its runs."""
    version = version_of(project, draft)
    if version is None or not draft["configurations"]:
        raise ParameterError("compare: wanted at least one configuration, found none; add one first")
    require_nobody_withdrew(version)
    run = Run(project=project, mode="compare", title=title_of(draft)[:200], version=version, by=user, definition=draft)
    folder = private_folder(run.folder)
    try:
        values = _experiment(folder, version, draft, run.title)
        write_text(experiment_text(values), folder / FILE)
        read_experiment(folder / FILE, inside=project.folder)
        with transaction.atomic():
            run.save()
            enqueue_runs(run, user)
            Event.record(user, "run", f"run {run.id}", project=project)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return run


def enqueue_runs(run: Run, user: Any) -> None:
    """Start the runs that are missing."""
    run.job = enqueue("compare", {"run": run.file}, user=user, project=run.project, title=run.title)
    run.save(update_fields=["job"])


def _experiment(folder: Path, version: Version, draft: dict[str, Any], title: str) -> dict[str, Any]:
    vary = draft["vary"]
    varying = None if vary is None else vary["parameter"]
    configurations = []
    for part in draft["configurations"]:
        names = {parameter.name for parameter in method_class(part["method"]).parameters()}
        is_constant = varying is not None and not varying.startswith("data.") and varying not in names
        configurations.append(
            {
                "name": part["name"],
                "method": part["method"],
                "parameters": {name: value for name, value in part["parameters"].items() if name != varying},
                "promises": part.get("promises") or None,
                "constant": True if is_constant else None,
            }
        )
    measures = [
        {
            "measure": table["measure"],
            "name": _name_of(table, draft["measures"], number),
            "parameters": _with_file(folder, version, table["parameters"]),
        }
        for number, table in enumerate(draft["measures"], start=1)
    ]
    figures = [table["name"] for table in measures]
    return {
        "title": title,
        "repetitions": draft["repetitions"],
        "seed": draft["seed"],
        "measures": measures or None,
        "data": {**_data(folder, version), "sample": draft["sample"]},
        "vary": vary,
        "configuration": configurations,
        "chart": _charts(draft, figures) or None,
    }


def _name_of(table: dict[str, Any], tables: list[dict[str, Any]], number: int) -> str:
    """The name of a figure: that of its measure, with a number where the measure is taken several times."""
    same = [other for other in tables[:number] if other["measure"] == table["measure"]]
    return str(table["measure"]) if len(same) == 1 else f"{table['measure']}-{len(same)}"


def _charts(draft: dict[str, Any], figures: list[str]) -> list[dict[str, Any]]:
    """What is drawn: every measure and the seconds, with what the person expects of them."""
    names = [part["name"] for part in draft["configurations"]]
    numbers = draft["vary"] is not None
    charts = []
    for figure in [*figures, "seconds", *(name for name in draft["drawn"] if name not in (*figures, "seconds"))]:
        claim = draft["claims"].get(figure)
        expects: dict[str, Any] | None = None
        if claim == "ordering" and len(names) > 1:
            expects = {"ordering": names}
        elif claim in ("rising", "falling") and numbers:
            expects = {"monotone": claim}
        charts.append({"y": figure, "expects": expects})
    return charts if any(chart["expects"] for chart in charts) or draft["drawn"] else []


def _data(folder: Path, version: Version) -> dict[str, Any]:
    """The table [data]: the version with its side knowledge, as files of the folder `inputs`."""
    inputs = private_folder(folder / "inputs")
    _copy(version.path, inputs / "data.parquet")
    reading = version.reading
    data: dict[str, Any] = {"file": "inputs/data.parquet", "typed": True}
    data |= {name: reading[name] for name in _READING if reading.get(name) not in (None, "")}
    source = version.source()["assets"]
    root = version.dataset.project.folder
    for number, (column, file) in enumerate(source.pop("hierarchies", {}).items(), start=1):
        _copy(root / file, inputs / f"hierarchy-{number}.csv")
        data.setdefault("hierarchies", {})[column] = f"inputs/hierarchy-{number}.csv"
    for kind, file in source.items():
        if kind in _POLICIES and ":" in file:
            data[kind] = file
            continue
        name = f"{kind}{Path(file).suffix}"
        _copy(root / file, inputs / name)
        data[kind] = f"inputs/{name}"
    if data.get("kind") not in ("transactions", "mixed"):
        data = {name: value for name, value in data.items() if name not in _POLICIES}
    return data


def _with_file(folder: Path, version: Version, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a measure, with a workload as a file of the folder `inputs`."""
    if not parameters.get("workload"):
        return parameters
    asset = get_object_or_404(Asset, pk=parameters["workload"], kind="workload", dataset=version.dataset)
    name = f"workload-{asset.id}{asset.path.suffix}"
    _copy(asset.path, folder / "inputs" / name)
    return {**parameters, "workload": f"inputs/{name}"}


def _copy(source: Path, target: Path) -> None:
    """A copy that needs no room where the system can link files; later changes make new files, so it stays as it is."""
    if source.is_dir():
        shutil.copytree(source, target, copy_function=_linked, dirs_exist_ok=True)
    elif not target.exists():
        _linked(str(source), str(target))


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
