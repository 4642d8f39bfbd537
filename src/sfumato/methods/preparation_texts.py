"""Preparations as texts that can be read back, such as ``grid:cells=20``, and in words."""

from __future__ import annotations

from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import value_pairs
from sfumato.prepare.base import Preparation
from sfumato.prepare.grid import Grid
from sfumato.prepare.regions import RegionsOfInterest
from sfumato.prepare.splitting import SplitByDay, SplitByWeek
from sfumato.prepare.stops import StaysAtPlaces

__all__ = ["step_of_text", "step_words", "text_of_step"]

_STEPS: dict[str, type[Preparation]] = {
    declared.name: declared for declared in (Grid, RegionsOfInterest, SplitByDay, SplitByWeek, StaysAtPlaces)
}


def step_of_text(text: str) -> Preparation:
    """The preparation that a text names: a name, a colon, and parameters separated by commas.

    >>> step_of_text("grid:cells=20")
    Grid(cells=20, cell_m=None, west=None, south=None, east=None, north=None, keep_repeats=False, unvisited=False)
    """
    name, _, given = text.partition(":")
    if name not in _STEPS:
        raise ParameterError(f"preparation: no preparation is called {name!r}; {did_you_mean(name, _STEPS)}")
    declared = _STEPS[name]
    parameters = {parameter.name: parameter for parameter in declared.parameters()}
    values = {key: parameters[key].parse(name, value) for key, value in value_pairs(name, given or None, parameters)}
    return declared.from_json(values)


def text_of_step(step: Preparation) -> str:
    """The text that `step_of_text` reads back.

    >>> text_of_step(Grid(cell_m=500)), text_of_step(SplitByDay())
    ('grid:cell_m=500.0', 'split-by-day')
    """
    changed = [
        f"{parameter.name}={str(value).lower() if isinstance(value, bool) else value}"
        for parameter in step.parameters()
        if (value := getattr(step, parameter.name)) != parameter.default
    ]
    return f"{step.name}:{','.join(changed)}" if changed else step.name


def step_words(step: Preparation) -> str:
    """What the method runs on after this step.

    >>> step_words(Grid(cells=20)), step_words(SplitByDay())
    ('a grid of 20 x 20 cells', 'single days')
    >>> step_words(RegionsOfInterest(cells=100, density=0.02))
    'regions that 2 % of the trajectories cross'
    >>> step_words(StaysAtPlaces())
    'stops of at least 30 minutes at a place'
    """
    if isinstance(step, Grid):
        cells = step.cells or 10
        return f"cells of {step.cell_m:g} m" if step.cell_m is not None else f"a grid of {cells} x {cells} cells"
    if isinstance(step, RegionsOfInterest):
        return f"regions that {100 * step.density:g} % of the trajectories cross"
    if isinstance(step, StaysAtPlaces):
        return f"stops of at least {step.shortest_s / 60:g} minutes at a place"
    return {"split-by-day": "single days", "split-by-week": "single weeks"}[step.name]
