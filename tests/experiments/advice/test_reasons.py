"""One sentence of reason for each candidate."""

from __future__ import annotations

from sfumato import Cluster, Local
from sfumato.catalogue import measure_class
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.candidates import Candidate
from sfumato.experiments.advice.reasons import reason_of
from sfumato.privacy import KAnonymity


def reasons(*figures: dict[str, float], recommended: int = 0, cared: tuple[str, ...] = ("ncp", "are")) -> list[str]:
    """The reasons of candidates with these figures; an empty one did not run."""
    methods = (Cluster(k=2), Local(k=2), Cluster(k=3), Local(k=3))
    trials = tuple(
        Trial(
            Candidate(methods[number]),
            "ran" if values else "stopped",
            why="" if values else "it needs more time",
            figures={name: (value, "") for name, value in values.items()},
            recommended=number == recommended,
        )
        for number, values in enumerate(figures)
    )
    measures = tuple(measure_class(name)() for name in cared)
    advice = Advice((KAnonymity(k=2),), measures, trials, (), 0, 5.0, 1.0)
    return [reason_of(trial, advice) for trial in trials]


def test_the_best_and_the_dominated() -> None:
    assert reasons({"ncp": 0.1, "are": 0.1}, {"ncp": 0.2, "are": 0.1}, {}) == [
        "No candidate is better on every measure.",
        "Cluster is better on every measure, or equal.",
        "It needs more time.",
    ]


def test_a_compromise_names_what_each_is_best_on() -> None:
    assert reasons({"ncp": 0.2, "are": 0.2}, {"ncp": 0.1, "are": 0.9}, {"ncp": 0.9, "are": 0.1}) == [
        "It has the smallest loss on its worst measure.",
        "No candidate is better on all; it is the best on ncp.",
        "No candidate is better on all; it is the best on are.",
    ]


def test_one_measure() -> None:
    assert reasons({"ncp": 0.1}, {"ncp": 0.2}, cared=("ncp",)) == [
        "No candidate is better on ncp.",
        "Cluster is better on ncp.",
    ]
