"""The command that repeats an evaluation without the workbench."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.catalogue import method_class
from sfumato.methods.preparation_texts import step_of_text
from sfumato.methods.promise_texts import promise_of_text, text_of_promise
from sfumato.prepare.base import Preparation
from sfumato.prepare.splitting import Split
from sfumato.web.interface.form_fields import shown
from sfumato.web.workbench.models import Version

__all__ = ["command_of", "reading_words"]

_COMMANDS = {
    "grid": ("grid",),
    "regions-of-interest": ("regions",),
    "split-by-day": ("split", "--by", "day"),
    "split-by-week": ("split", "--by", "week"),
    "stays-at-places": ("stops", "--by", "places"),
}
_LISTS = ("quasi_identifiers", "sensitive", "missing")


def command_of(version: Version, definition: Mapping[str, Any]) -> str:
    """A line of a shell: `sfumato anonymize`, in a loop where a parameter varies."""
    method = method_class(definition["method"])
    vary = definition.get("vary")
    parameters = dict(definition.get("parameters", {}))
    steps = [step_of_text(text) for text in definition.get("preparation") or ()]
    words = ["sfumato", "anonymize", definition["method"], "prepared.csv" if steps else f"{file_name(version)}.parquet"]
    for parameter in method.parameters():
        if vary and parameter.name == vary["parameter"]:
            words += [f"--{parameter.name.replace('_', '-')}", "$value"]
        elif parameter.name in parameters and (
            parameter.required or parameters[parameter.name] not in (parameter.default, None)
        ):
            words += [f"--{parameter.name.replace('_', '-')}", _text(parameters[parameter.name])]
    if all(isinstance(step, Split) for step in steps):  # side files are about locations, which splitting keeps
        words += reading_words(version, set(method.side_knowledge()), prepared=bool(steps))
    for table in definition.get("measures", []):
        words += ["--measure", _measure_text(table)]
    for promise in definition.get("promises", []):
        words += ["--promise", text_of_promise(promise_of_text(promise))]
    if definition.get("seed") is not None:
        words += ["--seed", str(definition["seed"])]
    words += [
        "--out",
        "release-$value" if vary else "release",
        "--report",
        "report-$value.json" if vary else "report.json",
    ]
    line = shlex.join(words)
    if vary:
        line = re.sub(r"'([\w-]*)\$value([\w.]*)'", r"\1$value\2", line)
        line = f"for value in {' '.join(map(shown, vary['values']))}; do {line}; done"
    return " && ".join([*_preparing(version, steps), line])


def _preparing(version: Version, steps: Sequence[Preparation]) -> list[str]:
    """The commands that write prepared.csv."""
    lines, read = [], f"{file_name(version)}.parquet"
    for number, step in enumerate(steps, start=1):
        out = "prepared.csv" if number == len(steps) else f"prepared-{number}.csv"
        values = {parameter.name: getattr(step, parameter.name) for parameter in step.parameters()}
        options = [
            word
            for parameter in step.parameters()
            if (value := values[parameter.name]) != parameter.default
            for word in (f"--{parameter.name.replace('_', '-')}", *([] if value is True else [str(value)]))
        ]
        reading = reading_words(version, set(), plain=True) if number == 1 else []
        lines.append(shlex.join(["sfumato", "prepare", *_COMMANDS[step.name], read, *options, *reading, "--out", out]))
        read = out
    return lines


def file_name(version: Version) -> str:
    """The name of the dataset as the name of a file."""
    return re.sub(r"[^\w.-]+", "-", version.dataset.name).strip("-.") or "data"


def reading_words(version: Version, sides: set[str], *, plain: bool = False, prepared: bool = False) -> list[str]:
    """The options that read the file as the workbench does; sides : the side knowledge that the command takes.

    plain : for a command that takes columns and places alone.  prepared : for a file whose columns have their names.
    """
    words: list[str] = []
    source = version.source()
    reading = {} if prepared else source["reading"]
    for name, value in (reading if not plain else {"columns": reading.get("columns")}).items():
        if name == "columns" and value:
            words += ["--columns", ",".join(f"{role}={column}" for role, column in value.items())]
        elif name in _LISTS and value:
            words += [f"--{name.replace('_', '-')}", ",".join(value)]
        elif name in ("items", "dates") and value:
            words += [f"--{name}", str(value)]
        elif name == "split_jumps" and value:
            words += ["--split-jumps"]
    for name, value in source["assets"].items():
        if name == "hierarchies":
            words += ["--hierarchies", "hierarchies"] if "hierarchies" in sides else []
        elif name in sides or name in ("places", *(() if plain else ("network",))):
            words += [
                f"--{name.replace('_', '-')}",
                value if ":" in value else f"{name}.csv" if name != "network" else name,
            ]
    return words


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else shown(value)


def _measure_text(table: Mapping[str, Any]) -> str:
    from sfumato.catalogue import measure_class

    declared = {parameter.name: parameter for parameter in measure_class(table["measure"]).parameters()}
    changed = {
        name: "workload.json" if name == "workload" else shown(value)
        for name, value in table["parameters"].items()
        if value != declared[name].default and value is not None
    }
    words = ",".join(f"{name}={value}" for name, value in changed.items())
    return f"{table['measure']}:{words}" if words else str(table["measure"])
