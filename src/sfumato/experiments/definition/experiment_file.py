"""Reading an experiment file: everything that is wrong with it is named before anything runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.catalogue import GENERATORS, MEASURES, METHODS
from sfumato.errors import CallerError, FileError, did_you_mean
from sfumato.experiments.definition.chart_declarations import read_charts
from sfumato.experiments.definition.experiment import Configuration, Experiment, Figure, Vary
from sfumato.experiments.definition.field_types import Fields
from sfumato.experiments.definition.file_tables import (
    ConfigurationTable,
    Data,
    ExperimentTable,
    MeasureTable,
    VaryTable,
)
from sfumato.experiments.definition.knowledge_sources import POLICIES, SOURCES, source_name
from sfumato.experiments.definition.path_jail import require_inside
from sfumato.experiments.definition.sections import read_section
from sfumato.experiments.miners import is_miner, require_miner, subject_class
from sfumato.io.files import read_text
from sfumato.methods.promise_texts import promise_of_text
from sfumato.params import Declared
from sfumato.registry import no_own_code
from sfumato.remedies import keep_remedy
from sfumato.utility.measure_texts import measure_values

__all__ = ["read_experiment"]


def read_experiment(path: str | Path, *, inside: str | Path | None = None) -> Experiment:
    """The experiment in a TOML file, with every name and parameter checked; files are sought beside it.

    inside : a folder in which every file that it names must be, for a file whose author is not trusted; `module:Class`
    is refused then.
    """
    if inside is None:
        return _read(Path(path))
    with no_own_code():
        experiment = _read(Path(path))
    require_inside(experiment, inside)
    return experiment


def _read(path: Path) -> Experiment:
    text = read_text(path)
    top = read_section(ExperimentTable, path, "", _toml(path, text))
    data = _data(path, top)
    configurations = _configurations(path, top, data)
    vary = None if top.vary is None else _vary(path, top.vary, data, configurations)
    if vary is None and any(configuration.constant for configuration in configurations):
        raise FileError(path, "constant belongs to a comparison over a varying parameter; leave it out")
    _try_every_setting(path, data, configurations, vary)
    figures = _figures(path, top)
    if figures and any(is_miner(configuration.method) for configuration in configurations):
        raise FileError(path, "measures belong to methods, which publish something; leave them out for miners")
    return Experiment(
        file=path,
        text=text,
        title=top.title,
        about=top.about,
        data=data,
        configurations=configurations,
        vary=vary,
        seeds=top.all_seeds,
        figures=figures,
        charts=read_charts(path, top.chart, vary, configurations, figures),
    )


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = re.search(r"\(at line (\d+)", message)
        problem = message.partition(" (at ")[0]
        raise FileError(
            path, f"wanted TOML: {problem}", line=int(line[1]) if line else len(text.splitlines())
        ) from None


def _data(path: Path, top: ExperimentTable) -> Data:
    data = read_section(Data, path, "[data]", top.data)
    if data.generate is None:
        return data
    declared = _checked(path, "[data]", GENERATORS.choose, data.generate)
    if declared.makes_posts:
        raise FileError(path, "[data]: posts are no trajectories yet; find their stops first, then name the file")
    return replace(data, arguments=Fields(_located(declared, data.arguments, path.parent)))


def _located(declared: type[Declared], parameters: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The parameters, with those that name a file beside the experiment file as whole paths."""
    free = {
        parameter.name for parameter in declared.parameters() if parameter.type is str and parameter.choices is None
    }
    located = dict(parameters)
    for name in free & set(located):
        if isinstance(located[name], str) and (folder / located[name]).exists():
            located[name] = str((folder / located[name]).resolve())
    return located


def _configurations(path: Path, top: ExperimentTable, data: Data) -> tuple[Configuration, ...]:
    configurations: dict[str, Configuration] = {}
    for number, values in enumerate(top.configuration, start=1):
        where = f"configuration {number}"
        table = read_section(ConfigurationTable, path, where, values)
        method = table.miner or table.method or ""
        declared = _checked(path, where, METHODS.choose if table.miner is None else require_miner, method)
        name = table.name or declared.name
        if name in configurations:
            raise FileError(path, f"{where}: the name {name!r} is taken by another configuration; give each its own")
        parameters = _located(declared, table.arguments, path.parent)
        for promise in table.promises:
            _checked(path, where, promise_of_text, promise)
        taken = set(declared.side_knowledge()) if table.miner is None else set()
        for policy in POLICIES:
            if policy in table.knowledge and policy not in taken:
                raise FileError(path, f"{where}: {policy} does not apply to {declared.name}; leave it out")
        knowledge = {policy: rule for policy, rule in data.policies.items() if policy in taken} | table.knowledge
        shared = {**data.knowledge, **data.options}
        sources = {source: shared[source] for source in taken & shared.keys()} | knowledge
        configurations[name] = Configuration(
            name,
            method,
            parameters,
            knowledge,
            table.constant,
            {source: source_name(sources[source], path.parent) for source in SOURCES if source in sources},
            tuple(table.promises),
        )
    if not configurations:
        raise FileError(path, "wanted at least one [[configuration]] with a method, found none")
    if len({is_miner(other.method) for other in configurations.values()}) > 1:
        raise FileError(path, "wanted methods or miners, found both; compare them in two experiments")
    return tuple(configurations.values())


def _vary(path: Path, fields: Mapping[str, Any], data: Data, configurations: tuple[Configuration, ...]) -> Vary:
    table = read_section(VaryTable, path, "[vary]", fields)
    parameter = table.parameter
    _require_varying(
        path, parameter, data, [configuration for configuration in configurations if not configuration.constant]
    )
    vary = Vary(parameter, table.all_values, table.label or parameter)
    fixed = {
        f"configuration {configuration.name!r}": set(configuration.parameters)
        for configuration in configurations
        if not configuration.constant
    }
    if vary.of_data:
        fixed = {"[data]": set(data.arguments) | ({"sample"} if data.sample is not None else set())}
    for configuration in configurations:
        if configuration.constant and (vary.of_data or vary.field in _names(subject_class(configuration.method))):
            why = "the data vary" if vary.of_data else f"it has the varying parameter {parameter}"
            raise FileError(
                path, f"[vary]: configuration {configuration.name!r} cannot be constant: {why}; leave constant out"
            )
    for where, names in fixed.items():
        if vary.field in names:
            raise FileError(path, f"[vary]: {parameter} varies, but {where} fixes it; leave it out there")
    if parameter == "data.sample" and not all(isinstance(value, int) and value >= 1 for value in vary.values):
        raise FileError(path, "[vary]: data.sample must be a whole number of at least 1 everywhere")
    return vary


def _require_varying(path: Path, parameter: str, data: Data, varied: list[Configuration]) -> None:
    """Refuse a parameter that is a parameter neither of all these configurations nor of the data."""
    of_methods = [_names(subject_class(configuration.method)) for configuration in varied]
    of_data = {"sample"} | (set() if data.generate is None else _names(GENERATORS.choose(data.generate)))
    known = set.intersection(*of_methods or [set()]) | {f"data.{name}" for name in of_data}
    if parameter in known:
        return
    for configuration, names in zip(varied, of_methods, strict=True):
        if parameter not in names and any(parameter in others for others in of_methods):
            raise FileError(
                path,
                f"[vary]: {parameter} must be a parameter of every configuration, {configuration.name!r} has none; "
                "with constant = true it is drawn as a horizontal line",
            )
    raise FileError(path, f"[vary]: no parameter is called {parameter!r}; {did_you_mean(parameter, known)}")


def _names(declared: type[Declared]) -> set[str]:
    return {parameter.name for parameter in declared.parameters()}


def _try_every_setting(path: Path, data: Data, configurations: tuple[Configuration, ...], vary: Vary | None) -> None:
    """Every method and generator that will be used can be made."""
    for value in (None,) if vary is None else vary.values:
        for configuration in configurations:
            extra = {} if vary is None or vary.of_data or configuration.constant else {vary.field: value}
            where = f"configuration {configuration.name!r}"
            _checked(path, where, subject_class(configuration.method).from_json, {**configuration.parameters, **extra})
        if data.generate is not None:
            extra = {vary.field: value} if vary is not None and vary.of_data and vary.field != "sample" else {}
            _checked(path, "[data]", GENERATORS.choose(data.generate).from_json, {**data.arguments, **extra})


def _figures(path: Path, top: ExperimentTable) -> tuple[Figure, ...]:
    figures: dict[str, Figure] = {}
    names = [wanted.partition(":")[0] for wanted in top.measures if isinstance(wanted, str)]
    for number, wanted in enumerate(top.measures, start=1):
        where = f"measure {number}"
        fields = wanted
        if isinstance(wanted, str):
            measure, given = _checked(path, where, measure_values, wanted)
            fields = {"measure": measure, "parameters": given}
        table = read_section(MeasureTable, path, where, fields)
        declared = _checked(path, where, MEASURES.choose, table.measure)
        parameters = _located(declared, table.arguments, path.parent)
        if table.seeded_by == "repetition":
            _require_own_seed(path, where, declared, parameters)
        _checked(path, where, declared.from_json, parameters)
        name = table.name or declared.name
        if isinstance(wanted, str) and names.count(table.measure) > 1:
            name = wanted  # with its parameters
        if name in figures or name == "seconds" or name.startswith(("seconds.", "counts.")):
            raise FileError(path, f"{where}: the name {name!r} is taken; give it another with name = ...")
        title = declared.title if name == declared.name else f"{declared.title} ({name})"
        figures[name] = Figure(
            name, table.measure, parameters, title, declared.better, table.hierarchy, table.seeded_by
        )
    return tuple(figures.values())


def _require_own_seed(path: Path, where: str, declared: Any, parameters: Mapping[str, Any]) -> None:
    """Refuse the seeds of repetitions for a measure without a seed, or with one of its own."""
    if not any(parameter.name == "seed" for parameter in declared.parameters()):
        raise FileError(path, f"{where}: {declared.name} has no seed; leave out seeded_by")
    if "seed" in parameters:
        raise FileError(path, f"{where}: wanted a seed or seeded_by, found both")


def _checked(path: Path, where: str, make: Callable[..., Any], *args: Any) -> Any:
    """What somebody else refuses is said with the place in this file."""
    try:
        return make(*args)
    except CallerError as error:
        raise FileError(path, keep_remedy(f"{where}: {error}", error)) from None
