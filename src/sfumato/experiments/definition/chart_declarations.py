"""Reading the charts of an experiment file, and the claims about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sfumato.errors import FileError, did_you_mean
from sfumato.experiments.definition.chart_tables import ChartTable, ExpectsTable
from sfumato.experiments.definition.experiment import Better, Chart, Configuration, Expectation, Figure, Vary
from sfumato.experiments.definition.sections import read_section
from sfumato.utility.base import usual_direction

__all__ = ["chart_of", "read_charts"]

_SECONDS = ("seconds", "seconds.publishing", "seconds.verifying", "seconds.measuring")


def read_charts(
    file: Path,
    tables: Sequence[Any] | None,
    vary: Vary | None,
    configurations: tuple[Configuration, ...],
    figures: tuple[Figure, ...],
) -> tuple[Chart, ...]:
    """The charts of the file; without any, one for each measure and one for the seconds.

    A single configuration has no charts by default: the report shows a table and histograms.
    """
    titles = {figure.name: figure.title for figure in figures} | {"seconds": "seconds"}
    if tables is None and vary is None and len(configurations) == 1:
        return ()
    if tables is None:
        return tuple(Chart(title=_sentence(title), y=name, label=title) for name, title in titles.items())
    return tuple(
        _chart(_Place(file, f"chart {number}"), values, vary, configurations, figures, titles)
        for number, values in enumerate(tables, start=1)
    )


def chart_of(figure: str, figures: Sequence[Figure], *, log_x: bool = False, log_y: bool = False) -> Chart:
    """A chart of any figure that runs have: a measure, the seconds, a phase or a count.

    >>> chart_of("seconds.verifying", ()).title
    'Seconds of verifying'
    """
    label = {measured.name: measured.title for measured in figures}.get(figure, _plain(figure))
    return Chart(title=_sentence(label), y=figure, label=label, log_x=log_x, log_y=log_y)


@dataclass(frozen=True)
class _Place:
    """A table of the file, for errors."""

    file: Path
    where: str

    def error(self, problem: str) -> FileError:
        return FileError(self.file, f"{self.where}: {problem}")


def _chart(
    place: _Place,
    values: Any,
    vary: Vary | None,
    configurations: tuple[Configuration, ...],
    figures: tuple[Figure, ...],
    titles: dict[str, str],
) -> Chart:
    table = read_section(ChartTable, place.file, place.where, values)
    y, known = table.y, (*titles, *_SECONDS)
    # phases and counts are known once a run has named them
    if y not in known and not (y.startswith(("seconds.", "counts.")) and y.partition(".")[2]):
        raise place.error(f"no figure of this experiment is called {y!r}; {did_you_mean(y, known)}")
    log_x = table.x_scale == "log"
    if log_x and (vary is None or not all(_is_number(value) and value > 0 for value in vary.values)):
        raise place.error("x_scale = 'log' needs a varying parameter with numbers above 0")
    label = table.label or titles.get(y, _plain(y))
    names = tuple(configuration.name for configuration in configurations)
    of = names if table.of is None else tuple(table.of)
    _require_names(place, of, names)
    declared = (
        "lower" if y.startswith("seconds") else next((figure.better for figure in figures if figure.name == y), None)
    )
    better = None if declared is None else usual_direction(declared)
    inside = _Place(place.file, f"{place.where}, expects")
    return Chart(
        title=table.title or _sentence(label),
        y=y,
        label=label,
        of=() if table.of is None else of,
        log_x=log_x,
        log_y=table.y_scale == "log",
        claim=table.claim,
        expects=tuple(_expectation(inside, claimed, vary, of, better) for claimed in table.expects),
    )


def _expectation(
    place: _Place, values: Any, vary: Vary | None, names: tuple[str, ...], better: Better | None
) -> Expectation:
    table = read_section(ExpectsTable, place.file, place.where, values)
    for name, limit in (("from", table.start), ("to", table.end)):
        if limit is not None and (vary is None or not all(_is_number(value) for value in vary.values)):
            raise place.error(f"{name} needs a varying parameter with numbers")
    of = table.compared or (names if table.of is None else tuple(table.of))
    _require_names(place, of, names)
    common: dict[str, Any] = {"claim": table.claim, "start": table.start, "end": table.end}
    if table.ordering is not None:
        best = cast("Better | None", table.better) or better
        if best is None:
            raise place.error("better is required for a count: 'lower' or 'higher'")
        return Expectation("ordering", of, better=best, factor=table.factor, **common)
    if table.equal is not None:
        return Expectation("equal", of, within=table.within, **common)
    if table.monotone is not None:
        if vary is None or len(vary.values) < 2:
            raise place.error("monotone needs a varying parameter with at least two values")
        return Expectation("monotone", of, direction=cast("Any", table.monotone), **common)
    return Expectation("bounds", of, at_least=table.at_least, at_most=table.at_most, **common)


def _require_names(place: _Place, wanted: Sequence[str], names: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in names:
            raise place.error(f"no configuration is called {name!r}; {did_you_mean(name, names)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _plain(figure: str) -> str:
    """A phase or a count in words.

    >>> _plain("seconds.verifying"), _plain("counts.suppressed_visits")
    ('seconds of verifying', 'suppressed visits')
    """
    return figure.removeprefix("counts.").replace("seconds.", "seconds of ").replace("_", " ")
