"""What can be chosen for a version of a dataset: methods, measures, promises, and the knowledge that is missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl
from django.utils.translation import gettext as _

from sfumato.catalogue import METHODS, MODELS, measure_class, method_class, model_class
from sfumato.errors import CallerError
from sfumato.experiments.evaluation import measures_for
from sfumato.web.interface.parameter_forms import Offered
from sfumato.web.workbench.models import Version

__all__ = ["Choices", "MeasureChoice"]

_COORDINATES = (("lat", "lon"), ("x", "y"))


@dataclass(frozen=True)
class MeasureChoice:
    """A measure, and why it cannot be taken; nothing where it can."""

    name: str
    declared: Any
    misfit: str


class Choices:
    """What fits a version."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.kind: str = version.reading["kind"]

    @property
    def methods(self) -> list[tuple[str, Any]]:
        """The methods for data of this kind, by name."""
        return [(name, method_class(name)) for name in METHODS if method_class(name).kind == self.kind]

    @property
    def models(self) -> list[tuple[str, Any]]:
        """The privacy models for data of this kind, by name."""
        return [(name, model_class(name)) for name in MODELS if self.kind in model_class(name).kinds]

    def measures(self, method: Any) -> list[MeasureChoice]:
        """The measures for data of this kind, those that fit the method first."""
        every = [(name, measure_class(name)) for name in measures_for(self.kind)]
        listed = [MeasureChoice(name, declared, self._misfit(declared, method)) for name, declared in every]
        return sorted(listed, key=lambda choice: bool(choice.misfit))

    def _misfit(self, measure: Any, method: Any) -> str:
        taken = measure()
        try:
            taken.require_shape(method.publishes or method.kind)
            if not method.traces:
                taken.require_origin(method.name)
        except CallerError as refusal:
            return str(refusal)
        lacking = [self.need_in_words(need) for need in measure.needs if need not in self.known]
        return _("needs %(what)s") % {"what": ", ".join(lacking)} if lacking else ""

    @cached_property
    def columns(self) -> list[str]:
        """The columns of the file."""
        return list(pl.read_parquet_schema(self.version.path))

    @cached_property
    def known(self) -> set[str]:
        """The side knowledge of these data, as methods name what they need."""
        source = self.version.source()
        known = {name for name, value in source["assets"].items() if value}
        names = {*(column.lower() for column in self.columns), *source["reading"].get("columns", {})}
        if any(set(pair) <= names for pair in _COORDINATES):
            known.add("places")
        if source["reading"].get("sensitive"):
            known.add("sensitive")
        for need, column in (("owners", "owner"), ("sensitive", "sensitive")):
            if any(column in self._first_line(source["assets"].get(name, "")) for name in ("places", "taxonomy")):
                known.add(need)
        return known

    def missing(self, method: Any, parameters: dict[str, Any]) -> list[str]:
        """What a method needs and these data lack, in words."""
        needs = list(method.requirements())
        for value in parameters.values():  # a method in a method
            name = value.get("method") if isinstance(value, dict) else value
            if isinstance(name, str) and name in METHODS and method.kind == "mixed":
                needs += [one_of for one_of in method_class(name).requirements() if one_of not in needs]
        lacking = [one_of for one_of in needs if not self.known & set(one_of)]
        return [_(" or ").join(map(self.need_in_words, one_of)) for one_of in lacking]

    @staticmethod
    def need_in_words(need: str) -> str:
        """What a method needs, in words."""
        words = {
            "places": _("places with coordinates"),
            "taxonomy": _("a taxonomy"),
            "constraints": _("utility constraints"),
            "owners": _("places with an owner"),
            "sensitive": _("sensitive places or items"),
            "privacy_policy": _("a privacy policy"),
            "hierarchies": _("hierarchies"),
            "network": _("the network of the roads"),
        }
        return words.get(need, need)

    @cached_property
    def offered(self) -> Offered:
        """The values of parameters that name a column or a workload."""
        workloads = self.version.dataset.assets.filter(kind="workload").exclude(file="")
        columns = [(name, name) for name in self.columns]
        return {
            "workload": [(str(asset.id), asset.name) for asset in workloads],
            "column": columns,
            "class_column": columns,
        }

    @property
    def unit(self) -> str:
        """What promises count, as far as the reading of the file shows."""
        names = {*self.columns, *self.version.reading.get("columns", {})}
        return "person" if "person" in names else "record"

    def _first_line(self, file: str) -> str:
        if not file:
            return ""
        path = self.version.dataset.project.folder / file
        if not path.is_file():
            return ""
        with path.open("rb") as content:
            return content.readline(10_000).decode("utf-8", "replace").lower()
