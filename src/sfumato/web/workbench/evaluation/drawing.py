"""The charts of a run by their keys: those of the page, and the same ones to take away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sfumato.catalogue import measure_class
from sfumato.web.workbench.evaluation import figures
from sfumato.web.workbench.evaluation.figures import Figure
from sfumato.web.workbench.evaluation.results import Results

__all__ = ["attribute_figures", "figure_of", "histograms", "phases", "varying_context"]


def phases(results: Results) -> Figure:
    """The seconds of the phases."""
    return replace(figures.phases(results.facts["seconds"]), key="phases")


def histograms(results: Results) -> list[Figure]:
    """Lengths of records and sizes of labels, in the original and in the release."""
    return [
        replace(figures.histogram(part["title"], part["bars"]), key=f"histogram-{number}")
        for number, part in enumerate(results.facts["profile"])
    ]


def attribute_figures(results: Results, number: int) -> list[Figure]:
    """What became of the values of an attribute, which its number names; empty for a number too large."""
    names = results.attributes
    if number >= len(names):
        return []
    name, frame = names[number], results.differences(names[number])
    drawn = {
        "counts": figures.counts(name, frame, numbers=name in results.facts["numbers"]),
        "labels": figures.labels(name, results.labels(name)),
        "differences": figures.differences(name, frame),
    }
    return [replace(figure, key=f"{key}-{number}") for key, figure in drawn.items()]


def varying_context(results: Results) -> dict[str, Any]:
    """The charts and the table over the varying parameter, as far as they are done."""
    content = results.varying
    if not content:
        return {}
    name, done = content["parameter"], content["rows"]
    measures = list(dict.fromkeys(measure for row in done for measure in row.get("measures", {})))
    units = {measure: unit for row in done for measure, unit in row.get("units", {}).items()}
    drawn = [
        figures.over_values(name, measure, measure_class(measure.partition(":")[0]).title, units[measure], done)
        for measure in measures
    ]
    drawn.append(figures.phases_over_values(name, done))
    return {
        "parameter": name,
        "values": content["values"],
        "rows": [{**row, "figures": [row.get("measures", {}).get(measure) for measure in measures]} for row in done],
        "measures": measures,
        "figures": [replace(figure, key=f"over-{number}") for number, figure in enumerate(drawn)],
    }


def figure_of(results: Results, key: str, *, member: bool) -> Figure | None:
    """The chart with this key; charts of values are for members alone."""
    family, _hyphen, number = key.partition("-")
    drawn: list[Figure] = []
    if family == "over":
        drawn = varying_context(results).get("figures", [])
    elif results.facts and family == "phases":
        drawn = [phases(results)]
    elif results.facts and member and family == "histogram":
        drawn = histograms(results)
    elif results.facts and member and number.isascii() and number.isdigit() and len(number) < 6:
        drawn = attribute_figures(results, int(number))
    return next((figure for figure in drawn if figure.key == key and figure.rows), None)
