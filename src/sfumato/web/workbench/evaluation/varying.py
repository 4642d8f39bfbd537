"""The part of the form that lets one parameter of the method vary."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from sfumato.errors import CallerError, ParameterError
from sfumato.experiments.definition.file_tables import VaryTable
from sfumato.params import Parameter, Value
from sfumato.web.interface.form_fields import shown
from sfumato.web.interface.parameter_forms import FormErrors, parsed

__all__ = ["VaryingForm"]

_MOST = 50  # values of one run


class VaryingForm:
    """The varying parameter: none, or its values by start, end and step, or one by one."""

    def __init__(self, method: Any, post: QueryDict | None, known: dict[str, Any] | None) -> None:
        self.method, self.post = method, post
        self.known = known or {}

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters that can vary: numbers and choices."""
        declared = [] if self.method is None else self.method.parameters()
        return [parameter for parameter in declared if not issubclass(parameter.type, Value) and _varies(parameter)]

    @property
    def chosen(self) -> str:
        """The name of the varying parameter; an empty text for none."""
        asked = self.post.get("vary", "") if self.post is not None else self.known.get("parameter", "")
        return asked if asked in [parameter.name for parameter in self.parameters] else ""

    @property
    def by_range(self) -> bool:
        """Whether the values are given by start, end and step."""
        return not self.known.get("values") if self.post is None else self.post.get("vary-by", "range") == "range"

    @property
    def values(self) -> str:
        """The text in the field of the values."""
        if self.post is not None:
            return str(self.post.get("vary-values", ""))
        return ", ".join(map(shown, self.known.get("values", [])))

    @property
    def start(self) -> str:
        return self._text("start")

    @property
    def end(self) -> str:
        return self._text("end")

    @property
    def step(self) -> str:
        return self._text("step")

    def _text(self, name: str) -> str:
        return "" if self.post is None else str(self.post.get(f"vary-{name}", "")).strip()

    def definition(self, parameters: dict[str, Any]) -> dict[str, Any] | None:
        """The parameter and its values, each checked with the other parameters; raises `FormErrors`."""
        if not self.chosen:
            return None
        declared = next(parameter for parameter in self.parameters if parameter.name == self.chosen)
        try:
            values = self._range() if self.by_range else [part.strip() for part in self.values.split(",")]
            values = [parsed(self.method.__name__, declared, shown(value)) for value in values if shown(value)]
            if len(values) < 2 or len(set(values)) < len(values):
                raise ParameterError(_("Give at least two values that differ from each other."))
            if len(values) > _MOST:
                raise ParameterError(_("At most %(count)s values; choose a larger step.") % {"count": _MOST})
            for value in values:
                self.method.from_json({**parameters, declared.name: value})
        except CallerError as error:
            raise FormErrors({"vary": str(error)}) from None
        return {"parameter": declared.name, "values": values}

    def _range(self) -> list[Any]:
        numbers: dict[str, float] = {}
        for name in ("start", "end", "step"):
            try:
                numbers[name] = float(self._text(name))
            except ValueError:
                raise ParameterError(_("Give start, end and step as numbers.")) from None
        table = VaryTable(parameter=self.chosen, start=numbers["start"], end=numbers["end"], step=numbers["step"])
        return list(table.all_values)


def _varies(parameter: Parameter) -> bool:
    return parameter.type in (int, float, bool) or parameter.choices is not None
