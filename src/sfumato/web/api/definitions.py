"""What a caller asks for, checked: methods, measures and promises with their parameters."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Field, Schema

from sfumato.catalogue import measure_class, method_class
from sfumato.errors import ParameterError
from sfumato.experiments.definition.file_tables import VaryTable
from sfumato.methods.promise_texts import promise_of_text
from sfumato.web.workbench.models import Version

__all__ = ["ChosenMeasure", "Configuration", "Vary", "checked_measures", "checked_method", "checked_vary"]

_FILES = ("workload", "network")  # parameters that name a file on the command line
_MOST = 50  # values of a varying parameter


class ChosenMeasure(Schema):
    """A measure with its parameters; a workload is given by the id of the asset."""

    measure: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Configuration(Schema):
    """A method with its parameters, and further promises to check."""

    method: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    promises: list[str] = Field(default_factory=list, description="such as k-anonymity:k=5")
    name: str = Field("", max_length=100, description="in a comparison")


class Vary(Schema):
    """A parameter that varies: its values one by one, or start, end and step."""

    parameter: str
    values: list[bool | int | float | str] | None = Field(None, min_length=1, max_length=_MOST)
    start: float | None = Field(None, allow_inf_nan=False)
    end: float | None = Field(None, allow_inf_nan=False, description="the value that is not exceeded")
    step: float | None = Field(None, allow_inf_nan=False)

    def all_values(self) -> list[Any]:
        """Every value; refuses a range that leads nowhere, and too many values."""
        given = {name: value for name, value in self.dict().items() if value is not None}
        values = list(VaryTable.from_json(given).all_values)
        if len(values) > _MOST:
            raise ParameterError(f"vary: wanted at most {_MOST} values, found {len(values):,}; choose a larger step")
        return values


def checked_method(configuration: Configuration, kind: str, vary: Vary | None = None) -> None:
    """Refuse an unknown method, one for other data, a parameter out of its range, or one that names a file."""
    declared = method_class(configuration.method)
    _refuse_files(configuration.method, configuration.parameters)
    if declared.kind != kind:
        raise ParameterError(f"{configuration.method}: wanted a method for {kind}, found one for {declared.kind}")
    names = [parameter.name for parameter in declared.parameters()]
    if vary is not None and vary.parameter in names:
        for value in vary.all_values():
            declared.from_json({**configuration.parameters, vary.parameter: value})
    else:
        declared.from_json(configuration.parameters)
    for promise in configuration.promises:
        promise_of_text(promise)


def checked_vary(configuration: Configuration, vary: Vary) -> dict[str, Any]:
    """The varying parameter of an evaluation, which the method must have."""
    names = [parameter.name for parameter in method_class(configuration.method).parameters()]
    if vary.parameter not in names or vary.parameter in _FILES:
        raise ParameterError(f"{configuration.method}: wanted a parameter that can vary, found {vary.parameter!r}")
    return {"parameter": vary.parameter, "values": vary.all_values()}


def checked_measures(measures: list[ChosenMeasure], version: Version) -> list[dict[str, Any]]:
    """The measures as JSON; a workload must be one of the dataset."""
    for chosen in measures:
        parameters = dict(chosen.parameters)
        workload = parameters.pop("workload", None)
        _refuse_files(chosen.measure, parameters)
        measure_class(chosen.measure).from_json(parameters)
        if workload is not None and not _is_workload(workload, version):
            raise ParameterError(f"{chosen.measure}: wanted the id of a workload of this dataset, found another value")
    return [chosen.dict() for chosen in measures]


def _is_workload(identity: object, version: Version) -> bool:
    try:
        asset = UUID(str(identity))
    except ValueError:
        return False
    return bool(version.dataset.assets.filter(pk=asset, kind="workload").exists())


def _refuse_files(name: str, parameters: dict[str, Any]) -> None:
    """Refuse a parameter that names a file, also one of a method in a method."""
    for parameter, value in parameters.items():
        if parameter in _FILES and value is not None:
            raise ParameterError(f"{name}: {parameter} names a file; wanted side knowledge of the dataset instead")
        if isinstance(value, dict):
            _refuse_files(name, value)
