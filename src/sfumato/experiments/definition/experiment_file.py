"""Reading an experiment file: whatever is wrong with it is said before anything runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from sfumato.catalogue import measure_class, method_class
from sfumato.errors import CallerError, FileError, did_you_mean
from sfumato.experiments.definition.chart_declarations import read_charts
from sfumato.experiments.definition.data_sources import generators
from sfumato.experiments.definition.experiment import Configuration, Data, Experiment, Figure, Vary
from sfumato.experiments.definition.sections import Section, toml_value
from sfumato.experiments.definition.side_knowledge import BUILT, read_flags, read_knowledge
from sfumato.experiments.miners import MINERS, require_miner, subject_class
from sfumato.io.files import read_text
from sfumato.params import Declared

__all__ = ["read_experiment"]

_TOP = ("title", "about", "data", "configuration", "vary", "repetitions", "seed", "seeds", "measures", "chart")
_FILE = (
    "kind",
    "columns",
    "person",
    "places",
    "hierarchies",
    "items",
    "quasi_identifiers",
    "sensitive",
    "network",
    "nodes",
    "directed",
)
_PATHS = ("places", "hierarchies", "network", "nodes")
_DATA = ("file", *_FILE, *BUILT, "generate", "parameters", "seed", "sample")
_MOST_VALUES = 1_000


def read_experiment(path: str | Path) -> Experiment:
    """The experiment in a TOML file, with every name and parameter checked; files are sought beside it."""
    path = Path(path)
    text = read_text(path)
    top = Section(path, "", _toml(path, text), _TOP)
    data = _data(Section(path, "[data]", top.get("data", dict), _DATA))
    configurations = _configurations(top)
    vary = _vary(top, data, configurations) if "vary" in top else None
    if vary is None and any(made.constant for made in configurations):
        raise top.error("constant belongs to a comparison over a varying parameter; leave it out")
    _try_every_setting(top, data, configurations, vary)
    figures = _figures(top)
    if figures and any(made.method in MINERS for made in configurations):
        raise top.error("measures belong to methods, which publish something; leave them out for miners")
    return Experiment(
        file=path,
        text=text,
        title=top.get("title", str),
        about=top.get("about", str, ""),
        data=data,
        configurations=configurations,
        vary=vary,
        seeds=_seeds(top),
        figures=figures,
        charts=read_charts(top, vary, configurations, figures),
    )


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        line = re.search(r"\(at line (\d+)", said)
        problem = said.partition(" (at ")[0]
        raise FileError(
            path, f"wanted TOML: {problem}", line=int(line[1]) if line else len(text.splitlines())
        ) from None


def _data(section: Section) -> Data:
    folder = section.file.parent
    if ("file" in section) == ("generate" in section):
        raise section.error("wanted one of file and generate, found " + ("both" if "file" in section else "neither"))
    sample = section.whole("sample", None, at_least=1)
    flags = read_flags(section)
    knowledge = read_knowledge(section) | flags
    if "file" in section:
        _refuse(section, ("parameters", "seed"), "belongs to generate, not to a file")
        options: dict[str, Any] = {
            "kind": section.get("kind", str, None),
            "columns": _columns(section),
            "items": section.get("items", str, None),
            "quasi_identifiers": section.texts("quasi_identifiers"),
            "sensitive": () if flags else section.texts("sensitive"),
            "directed": section.get("directed", bool, False),
        }
        options |= {name: folder / section.get(name, str) for name in _PATHS if name in section}
        options |= {name: knowledge.pop(name) for name in BUILT if isinstance(knowledge.get(name), Path)}
        return Data(file=folder / section.get("file", str), options=options, sample=sample, knowledge=knowledge)
    _refuse(section, tuple(name for name in _FILE if name not in flags), "belongs to a file, not to generate")
    name, known = section.get("generate", str), generators()
    if name not in known:
        raise section.error(f"no generator is called {name!r}; {did_you_mean(name, known)}")
    parameters = _located(known[name], section.get("parameters", dict, {}), folder)
    seed = section.whole("seed", None)
    return Data(generate=name, parameters=parameters, seed=seed, sample=sample, knowledge=knowledge)


def _refuse(section: Section, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in section:
            raise section.error(f"{name} {why}; leave it out")


def _columns(section: Section) -> dict[str, str]:
    columns = dict(section.get("columns", dict, {}))
    for role, column in columns.items():
        if not isinstance(column, str):
            raise section.error(f"columns must name columns, got {toml_value(column)} for {role}")
    if "person" in section:
        columns["person"] = section.get("person", str)
    return columns


def _located(declared: type[Declared], parameters: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The parameters, with those that name a file beside the experiment file as whole paths."""
    free = {one.name for one in declared.parameters() if one.type is str and one.choices is None}
    found = dict(parameters)
    for name in free & set(found):
        if isinstance(found[name], str) and (folder / found[name]).exists():
            found[name] = str((folder / found[name]).resolve())
    return found


def _configurations(top: Section) -> tuple[Configuration, ...]:
    made: dict[str, Configuration] = {}
    for number, values in enumerate(top.tables("configuration"), start=1):
        known = ("name", "method", "miner", "parameters", *BUILT, "constant")
        section = Section(top.file, f"configuration {number}", values, known)
        kind, maker = ("miner", require_miner) if "miner" in section else ("method", method_class)
        if "method" in section and "miner" in section:
            raise section.error("wanted one of method and miner, found both")
        method = section.get(kind, str)
        declared = _checked(section, maker, method)
        name = section.get("name", str, method)
        if name in made:
            raise section.error(f"the name {name!r} is taken by another configuration; give each its own")
        parameters = _located(declared, section.get("parameters", dict, {}), top.file.parent)
        constant = section.get("constant", bool, False)
        made[name] = Configuration(name, method, parameters, read_knowledge(section), constant)
    if not made:
        raise top.error("wanted at least one [[configuration]] with a method, found none")
    if len({one.method in MINERS for one in made.values()}) > 1:
        raise top.error("wanted methods or miners, found both; compare them in two experiments")
    return tuple(made.values())


def _vary(top: Section, data: Data, configurations: tuple[Configuration, ...]) -> Vary:
    section = Section(
        top.file, "[vary]", top.get("vary", dict), ("parameter", "values", "start", "end", "step", "label")
    )
    parameter = section.get("parameter", str)
    varied = [made for made in configurations if not made.constant]
    of_methods = [_names(subject_class(made.method)) for made in varied]
    of_data = {"sample"} | (set() if data.generate is None else _names(generators()[data.generate]))
    known = set.intersection(*of_methods or [set()]) | {f"data.{name}" for name in of_data}
    if parameter not in known:
        for made, names in zip(varied, of_methods, strict=True):
            if parameter not in names and any(parameter in others for others in of_methods):
                raise section.error(
                    f"{parameter} must be a parameter of every configuration, {made.name!r} has none; "
                    "constant = true in it draws it as a level line"
                )
        raise section.error(f"no parameter is called {parameter!r}; {did_you_mean(parameter, known)}")
    vary = Vary(parameter, _values(section), section.get("label", str, parameter))
    fixed = {f"configuration {made.name!r}": set(made.parameters) for made in varied}
    if vary.of_data:
        fixed = {"[data]": set(data.parameters) | ({"sample"} if data.sample is not None else set())}
    for made in configurations:
        if made.constant and (vary.of_data or vary.field in _names(subject_class(made.method))):
            why = "the data vary" if vary.of_data else f"it has the varying parameter {parameter}"
            raise section.error(f"configuration {made.name!r} cannot be constant: {why}; leave constant out")
    for where, names in fixed.items():
        if vary.field in names:
            raise section.error(f"{parameter} varies, but {where} fixes it; leave it out there")
    if parameter == "data.sample" and not all(isinstance(value, int) and value >= 1 for value in vary.values):
        raise section.error("data.sample must be a whole number of at least 1 everywhere")
    return vary


def _names(declared: type[Declared]) -> set[str]:
    return {parameter.name for parameter in declared.parameters()}


def _values(section: Section) -> tuple[Any, ...]:
    if "values" in section:
        _refuse(section, ("start", "end", "step"), "cannot stand beside values")
        values = section.get("values", list)
    else:
        start, end, step = (Decimal(str(section.get(name, float))) for name in ("start", "end", "step"))
        if step == 0 or (end - start) / step < 0:
            raise section.error(f"step must lead from start to end, got {step}")
        if (end - start) / step > _MOST_VALUES:
            raise section.error(f"wanted at most {_MOST_VALUES:,} values, found more; choose a larger step")
        found = [start + step * index for index in range(int((end - start) / step) + 1)]
        values = [int(value) if value == int(value) else float(value) for value in found]
    kinds = {type(value) for value in values}
    if kinds == {int, float}:
        values, kinds = [float(value) for value in values], {float}
    if not values or len(kinds) != 1 or not kinds <= {int, float, str, bool}:
        raise section.error("values must be a list of numbers, of texts or of true and false, and not empty")
    if len(set(values)) < len(values):
        raise section.error("values must differ from each other, found one twice")
    return tuple(values)


def _try_every_setting(top: Section, data: Data, configurations: tuple[Configuration, ...], vary: Vary | None) -> None:
    """Every method and generator that will be used can be made."""
    for value in (None,) if vary is None else vary.values:
        for made in configurations:
            extra = {} if vary is None or vary.of_data or made.constant else {vary.field: value}
            where = Section(top.file, f"configuration {made.name!r}", {}, ())
            _checked(where, subject_class(made.method).from_json, {**made.parameters, **extra})
        if data.generate is not None:
            extra = {vary.field: value} if vary is not None and vary.of_data and vary.field != "sample" else {}
            where = Section(top.file, "[data]", {}, ())
            _checked(where, generators()[data.generate].from_json, {**data.parameters, **extra})


def _seeds(top: Section) -> tuple[int, ...]:
    if "seeds" not in top:
        first = top.whole("seed", 1)
        return tuple(range(first, first + top.whole("repetitions", 3, at_least=1)))
    _refuse(top, ("seed", "repetitions"), "cannot stand beside seeds")
    seeds = top.get("seeds", list)
    if not seeds or not all(isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in seeds):
        raise top.error("seeds must be a list of whole numbers of at least 0, and not empty")
    if len(set(seeds)) < len(seeds):
        raise top.error("seeds must differ from each other, found one twice")
    return tuple(seeds)


def _figures(top: Section) -> tuple[Figure, ...]:
    made: dict[str, Figure] = {}
    for number, wanted in enumerate(top.get("measures", list, []), start=1):
        values = {"measure": wanted} if isinstance(wanted, str) else wanted
        section = Section(top.file, f"measure {number}", values, ("measure", "name", "parameters"))
        measure = section.get("measure", str)
        declared = _checked(section, measure_class, measure)
        parameters = _located(declared, section.get("parameters", dict, {}), top.file.parent)
        _checked(section, declared.from_json, parameters)
        name = section.get("name", str, measure)
        if name in made or name == "seconds" or name.startswith(("seconds.", "counts.")):
            raise section.error(f"the name {name!r} is taken; give it another with name = ...")
        made[name] = Figure(
            name,
            measure,
            parameters,
            declared.title if name == measure else f"{declared.title} ({name})",
            declared.better,
        )
    return tuple(made.values())


def _checked(section: Section, make: Callable[..., Any], *args: Any) -> Any:
    """What somebody else refuses is said with the place in this file."""
    try:
        return make(*args)
    except CallerError as error:
        raise section.error(str(error)) from None
