"""The form of a comparison: what may vary, which measures fit, and what a browser sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from django.utils.translation import gettext as _

from sfumato.catalogue import MEASURES, METHODS, measure_class, method_class
from sfumato.errors import CallerError, ParameterError
from sfumato.experiments.definition.file_tables import VaryTable
from sfumato.web.interface.parameter_forms import Field, FormErrors, fields_of, parsed, shown, values_of
from sfumato.web.workbench.models import Version

__all__ = [
    "MeasureChoice",
    "Offer",
    "measures_for",
    "methods_for",
    "offered_by",
    "read_settings",
    "vary_texts",
    "varying_parameters",
]

_NUMBERS = {"repetitions": (1, 100), "seed": (0, 2**31)}
_MOST_RUNS = 5_000
CLAIMS = ("", "ordering", "rising", "falling")


@dataclass(frozen=True)
class Offer:
    """A method that fits the data."""

    name: str
    title: str
    summary: str


@dataclass(frozen=True)
class MeasureChoice:
    """A measure that fits the data, whether it is taken, and its fields."""

    name: str
    title: str
    meaning: str
    chosen: bool
    claim: str
    fields: list[Field] = field(default_factory=list)


def methods_for(kind: str) -> list[Offer]:
    """The methods for data of this kind; roads are visits to methods of trajectories."""
    kinds = ("roads", "trajectories") if kind == "roads" else (kind,)
    classes = [METHODS.load(name) for name in METHODS]
    chosen = sorted((one for one in classes if one.kind in kinds), key=lambda one: kinds.index(one.kind))
    return [Offer(one.name, one.title, (one.__doc__ or "").strip().partition("\n")[0]) for one in chosen]


def varying_parameters(draft: Mapping[str, Any]) -> list[str]:
    """The parameters that may vary: those that configurations have, the most common first, and the size of a sample."""
    counts: dict[str, int] = {}
    for part in draft["configurations"]:
        for parameter in method_class(part["method"]).parameters():
            if parameter.type in (int, float, str, bool):
                counts[parameter.name] = counts.get(parameter.name, 0) + 1
    return [*sorted(counts, key=lambda name: -counts[name]), "data.sample"]


def measures_for(version: Version, draft: Mapping[str, Any]) -> list[MeasureChoice]:
    """The measures that fit the data, those that are taken first."""
    taken = {table["measure"]: table["parameters"] for table in draft["measures"]}
    offered = offered_by(version)
    choices = []
    for name in MEASURES:
        declared = measure_class(name)
        if version.dataset.kind not in declared.kinds and not (
            version.dataset.kind == "roads" and "trajectories" in declared.kinds
        ):
            continue
        fields = fields_of(declared, taken.get(name), prefix=f"measure-{name}-", offered=offered)
        claim = draft["claims"].get(name, "")
        choices.append(MeasureChoice(name, declared.title, declared.meaning, name in taken, claim, fields))
    return sorted(choices, key=lambda choice: not choice.chosen)


def offered_by(version: Version) -> dict[str, list[tuple[str, str]]]:
    """The values of parameters that name a workload or a column."""
    workloads = version.dataset.assets.filter(kind="workload", current=True).exclude(file="")
    columns = [(name, name) for name in pl.read_parquet_schema(version.path)]
    return {
        "workload": [(str(asset.id), asset.name) for asset in workloads],
        "column": columns,
        "class_column": columns,
    }


def read_settings(draft: dict[str, Any], post: Mapping[str, Any], version: Version) -> dict[str, str]:
    """Take over what was sent about everything but the configurations; returns a sentence for each field that is wrong.

    What is right is kept, and so is the text of a field that is wrong, where the draft can hold it.
    """
    errors: dict[str, str] = {}
    draft["title"] = str(post.get("title", "")).strip()[:200]
    for name, (low, high) in _NUMBERS.items():
        text = str(post.get(name, "")).strip()
        if text.isdecimal() and low <= int(text) <= high:
            draft[name] = int(text)
        else:
            errors[name] = _("Wanted a whole number from %(low)s to %(high)s.") % {"low": low, "high": high}
    sample = str(post.get("sample", "")).strip()
    draft["sample"] = int(sample) if sample.isdecimal() and int(sample) else None
    if sample and draft["sample"] is None:
        errors["sample"] = _("Wanted a whole number of at least 1, or nothing for all records.")
    _read_varying(draft, post, errors)
    _read_measures(draft, post, version, errors)
    draft["drawn"] = [name for name in ("seconds.publishing", "seconds.verifying") if post.get(f"draw-{name}")]
    figures = [*(table["measure"] for table in draft["measures"]), "seconds"]
    claims = {name: str(post.get(f"claim-{name}", "")) for name in figures}
    draft["claims"] = {name: claim for name, claim in claims.items() if claim in CLAIMS[1:]}
    return errors


def _read_varying(draft: dict[str, Any], post: Mapping[str, Any], errors: dict[str, str]) -> None:
    name = str(post.get("vary", "")).strip()
    if not name:
        draft["vary"] = None
        return
    if name not in varying_parameters(draft):
        errors["vary"] = _("Wanted a parameter of a configuration, found another.")
        return
    vary: dict[str, Any] = {"parameter": name}
    try:
        if values := str(post.get("values", "")).strip():
            vary["values"] = [_value(draft, name, text) for text in values.replace(";", ",").split(",") if text.strip()]
        else:
            for end in ("start", "end", "step"):
                text = str(post.get(end, "")).strip()
                if not text:
                    raise ParameterError(_("Give start, end and step, or a list of values."))
                vary[end] = _number(text)
        table = VaryTable.from_json(vary)
        runs = len(table.all_values) * max(len(draft["configurations"]), 1) * draft["repetitions"]
        if runs > _MOST_RUNS:
            raise ParameterError(f"wanted at most {_MOST_RUNS:,} runs, found {runs:,}; choose a larger step")
        draft["vary"] = vary
    except CallerError as error:
        errors["vary"] = str(error)


def _value(draft: dict[str, Any], name: str, text: str) -> Any:
    """A value of the varying parameter, as the first method that has the parameter reads it."""
    for part in draft["configurations"]:
        declared = method_class(part["method"])
        for parameter in declared.parameters():
            if parameter.name == name:
                return parsed(declared.__name__, parameter, text)
    return _number(text)


def _number(text: str) -> int | float:
    try:
        number = float(text)
        return int(number) if number.is_integer() else number
    except (ValueError, OverflowError):
        raise ParameterError(_("Wanted a number, found another text.")) from None


def _read_measures(draft: dict[str, Any], post: Mapping[str, Any], version: Version, errors: dict[str, str]) -> None:
    offered = offered_by(version)
    tables = []
    for choice in measures_for(version, draft):
        if not post.get(f"measure-{choice.name}"):
            continue
        declared = measure_class(choice.name)
        try:
            values = values_of(declared, post, f"measure-{choice.name}-", offered=offered)
            tables.append({"measure": choice.name, "parameters": values})
        except FormErrors as problem:
            errors |= {f"measure-{choice.name}": "; ".join(problem.errors.values())}
    order = {table["measure"]: place for place, table in enumerate(draft["measures"])}
    draft["measures"] = sorted(tables, key=lambda table: order.get(table["measure"], len(order)))


def vary_texts(draft: Mapping[str, Any]) -> dict[str, str]:
    """The fields of the varying parameter as texts."""
    vary = draft["vary"] or {}
    texts = {name: shown(vary.get(name)) for name in ("start", "end", "step")}
    return {**texts, "parameter": vary.get("parameter", ""), "values": ", ".join(map(shown, vary.get("values", ())))}
