"""The common trial of measures: each agrees with its literal program on random releases of every shape it fits."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest

from random_releases import KINDS, Case, cases
from sfumato.catalogue import MEASURES, METHODS, measure_class, method_class
from sfumato.errors import CallerError
from sfumato.utility.base import Better, Measure
from twins.measures.every import TWINS

PATTERNS: dict[str, list[Any]] = {"support": [2, 0.3], "largest": [2]}
PROJECTED: dict[str, list[Any]] = {**PATTERNS, "projections": [0, 3]}
SUBGRAPHS: dict[str, list[Any]] = {"support": [1, 2], "largest": [3]}
# values to try beside the defaults; the values of a choice and of a switch are tried without being named here
TRIED: dict[str, dict[str, list[Any]]] = {
    "are": {"largest": [1, 3], "seed": [4], "values": [1], "items": [2], "visits": [1, 2]},
    "arel": {"pairs": [3]},
    "frequencies": {"column": ["age", "town"]},
    "guessed-places": {"known": [1]},
    "inference-routes": {"k": [3]},
    "kl": {"patterns": [8], "largest": [2]},
    "ncp": {"weights": ["age=0.5,town=0"]},
    "pattern-count": PATTERNS,
    "pattern-coverage": PATTERNS,
    "pattern-distance": PATTERNS,
    "patterns-preserved": PROJECTED,
    "patterns-spurious": PROJECTED,
    "re": {"first": [0], "number": [3], "reconstructions": [0, 2]},
    "re-a": {"first": [0], "number": [3]},
    "road-patterns": {"support": [2]},
    "sim1": PROJECTED,
    "sim2": PROJECTED,
    "subgraphs-preserved": SUBGRAPHS,
    "subgraphs-spurious": SUBGRAPHS,
    "subtrajectories": {"size": [1, 3]},
    "tkd": {"top": [5]},
    "tkd-a": {"top": [5]},
    "tkd-ml2": {"top": [5]},
    "tlost": {"k": [1]},
    "ul": {"weights": ["a=0.5,f=0"]},
}
# enough for a comparison, and fast
SMALL: dict[str, dict[str, Any]] = {
    "are": {"queries": 10},
    "guessed-places": {"attackers": 20_000},
    "subgraphs-preserved": {"largest": 2},
    "subgraphs-spurious": {"largest": 2},
}
SAMPLED = {"guessed-places": 0.02}  # the twin has the exact mean over attackers: five standard errors of 20,000
FEWEST = 8
WORDED_UNITS = {"displacement", "combined-displacement"}  # metres, or the unit of the coordinates


def variants(measure: type[Measure]) -> list[dict[str, Any]]:
    """The defaults, then other values, one parameter at a time."""
    small = SMALL.get(measure.name, {})
    found = [small]
    for parameter in measure.parameters():
        tried = TRIED.get(measure.name, {}).get(parameter.name, [])
        others = [True, False] if parameter.type is bool else [*(parameter.choices or ()), *tried]
        used = small.get(parameter.name, parameter.default)
        found += [{**small, parameter.name: value} for value in others if value != used]
    return found


def value_of(measure: Measure, case: Case) -> float | None:
    """The value, or None where the measure does not fit the release; it must lie in the declared bounds."""
    try:
        score = measure(case.original, case.release)
    except CallerError:
        return None
    low, high = measure.bounds
    assert low - 1e-9 <= score.value <= high + 1e-9, f"{case.name}: {measure} is {score}"
    assert score.unit == measure.unit or (measure.name in WORDED_UNITS and score.unit in ("", "m"))
    return score.value


@pytest.mark.parametrize("name", MEASURES.built_in)
def test_a_measure_agrees_with_its_literal_program(name: str) -> None:
    """Every release with the defaults, and with one of the other values in turn."""
    declared, twin = measure_class(name), TWINS[name]
    first, *others = variants(declared)
    compared: dict[str, int] = dict.fromkeys(map(str, (first, *others)), 0)
    every = [case for kind in declared.kinds for case in cases(kind)]
    for number, case in enumerate(every):
        for chosen in [first, *others[number % len(others) :][:1]] if others else [first]:
            value = value_of(declared(**chosen), case)
            if value is None:
                continue
            wanted = pytest.approx(twin(case.original, case.release, **chosen), abs=SAMPLED.get(name, 1e-9), rel=1e-9)
            assert value == wanted, f"{name} with {chosen} on {case.name}"
            compared[str(chosen)] += 1
    assert compared[str(first)] >= FEWEST
    assert all(compared.values()), compared


@pytest.mark.parametrize("name", MEASURES.built_in)
def test_a_measure_declares_formula_unit_range_and_paper(name: str) -> None:
    measure = measure_class(name)
    for fact in (measure.meaning, measure.formula, measure.paper):
        assert fact
        assert fact == " ".join(fact.split())
    assert isinstance(measure.unit, str)
    low, high = measure.bounds
    assert low < high
    assert not math.isnan(low + high)
    assert measure.range_text().endswith(measure.unit)
    assert measure.better in get_args(Better)


@pytest.mark.parametrize(
    ("bounds", "unit", "words"),
    [
        ((0.0, 1.0), "", "0 to 1"),
        ((0.0, math.inf), "visits", "at least 0 visits"),
        ((-math.inf, 100.0), "%", "at most 100 %"),
        ((-math.inf, math.inf), "", "any number"),
    ],
)
def test_a_range_in_words(bounds: tuple[float, float], unit: str, words: str) -> None:
    declared = type("Declared", (Measure,), {"bounds": bounds, "unit": unit})
    assert declared.range_text() == words


def test_every_measure_has_a_literal_program() -> None:
    assert set(TWINS) == set(MEASURES.built_in)


@pytest.mark.parametrize("kind", KINDS)
def test_releases_have_every_shape(kind: str) -> None:
    """Persons and none, labels and none, fewer and more records; by methods and by hand."""
    found = cases(kind)
    assert len({case.name for case in found}) == len(found) >= 20
    methods = {name for name in METHODS.built_in if method_class(name).kind == kind}
    assert methods <= {case.name.partition(": ")[2] for case in found}
    assert {case.original.persons is None for case in found} == {True, False}
    if kind != "roads":
        assert {bool(labels(case.release.data)) for case in found} == {True, False}
    sizes = {math.copysign(1, len(case.release.data) - len(case.original)) for case in found}
    assert sizes == {1, -1}


def labels(data: Any) -> Any:
    """The generalized labels of a release."""
    return getattr(getattr(data, "table", data), "members", {})
