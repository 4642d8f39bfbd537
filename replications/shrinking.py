"""Experiments made small: fewer records, at most three values of the varying parameter, one repetition."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.experiments.definition.experiment_text import experiment_text
from sfumato.experiments.definition.file_tables import VaryTable

__all__ = ["shrunk"]

# the parameter of each generator that says how many records there are
_RECORDS = {
    "city": "objects",
    "roads": "vehicles",
    "checkins": "trajectories",
    "semantic": "trajectories",
    "baskets": "records",
    "mixed": "people",
}


def shrunk(text: str, quick: Mapping[str, Any], settings: int = 3) -> str:
    """The text of an experiment file, made small.

    quick : ``size``, the number of records; ``values`` of the varying parameter; ``data``, fields to replace in [data];
    ``parameters``, to replace in the configurations that have them.
    settings : how many values of the varying parameter are kept: the first, the last, and some between them.
    """
    values = tomllib.loads(text)
    data: dict[str, Any] = {**values["data"], **quick.get("data", {})}
    size = quick.get("size")
    vary = values.get("vary")
    varied = vary["parameter"].removeprefix("data.") if vary else ""
    records = _RECORDS.get(data.get("generate", ""), "sample")
    of_size = vary is not None and varied in (records, "sample")
    if size is not None and data.get("generate") in _RECORDS:
        given = data.get("parameters", {})
        if varied != records:
            data["parameters"] = {**given, records: min(size, given.get(records, size))}
    elif size is not None and varied != "sample" and data.get("file"):
        data["sample"] = min(size, data.get("sample", size))
    if "sample" in data and size is not None:
        data["sample"] = min(size, data["sample"])
    values["data"] = data
    if vary is not None:
        kept = list(VaryTable.from_json(vary).all_values)
        if of_size and size is not None:
            share = size / max(kept)
            kept = [max(2, round(value * share)) for value in kept]
            _scale_claims(values.get("chart", []), share)
        kept = _some(quick.get("values", kept), settings)
        named = {name: value for name, value in vary.items() if name not in ("start", "end", "step", "values")}
        values["vary"] = {**named, "values": kept}
    for configuration in values["configuration"]:
        given = configuration.get("parameters", {})
        given |= {name: value for name, value in quick.get("parameters", {}).items() if name in given}
    values.pop("seeds", None)
    values["repetitions"] = 1
    return experiment_text(values)


def _scale_claims(charts: Sequence[dict[str, Any]], share: float) -> None:
    """Let claims about a part of the sizes be about the same part of the small ones."""
    for chart in charts:
        claims = chart.get("expects", [])
        tables: Sequence[dict[str, Any]] = claims if isinstance(claims, list) else [claims]
        for claim in tables:
            claim |= {end: round(claim[end] * share) for end in ("from", "to") if end in claim}


def _some(values: Sequence[Any], most: int) -> list[Any]:
    """The first, the last and some between them.

    >>> _some([2, 5, 10, 25, 50, 100], 3), _some([1, 2], 3), _some([1, 2, 3], 1)
    ([2, 25, 100], [1, 2], [1])
    """
    if len(values) <= most:
        return list(values)
    if most == 1:
        return [values[0]]
    places = [round(number * (len(values) - 1) / (most - 1) + 1e-9) for number in range(most)]
    return [values[place] for place in places]
