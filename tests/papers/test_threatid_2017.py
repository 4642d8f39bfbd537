"""Worked examples of Terrovitis et al., IEEE TKDE 29(7), 2017, about who can conclude what.

Figure 2 counts (a1, b1) once, although t5 and t6 both hold a1: by Definition 7 it is 2 of 3.  So there are 14
problematic pairs, and N is 19.
"""

from __future__ import annotations

import pytest

from sfumato import Places, Trajectories
from sfumato.privacy import ProjectionSafety

PLACES = Places.from_frame({"location": ["a1", "a2", "a3", "b1", "b2", "b3"], "owner": list("AAABBB")})
FIGURE_1A = ["a1 b2 b3", "b1 a2 b2 a3", "a2 b3 a3", "a2 a3 b1", "a3 a1 b1", "a3 a1 b1", "a3 b2 a1", "a3 b2 b3"]
SAFE = {
    "1c, global suppression": ["a1 b2 b3", "b1 a3", "a3", "a3 b1", "a1 b1", "a1 b1", "a1", "a3 b2 b3"],
    "1d, local suppression": ["b2 b3", *["a2 a3"] * 3, *["a3 a1"] * 3, "b2 b3"],
    "1e, splitting": [
        *("a1 b2 b3", "b1", "a2 b2", "a3", "a2", "b3", "a3", "a2 a3"),
        *("b1", "a3", "a1 b1", "a3 a1", "b1", "a3 b2 a1", "a3 b2 b3"),
    ],
    # as printed, with one a2 -> a3 too many
    "1f, both": [
        *("a1 b2 b3", "b1", "a2", "b2", "a3", "a2 a3", "a2 a3", "a2 a3"),
        *("b1", "a3", "a1 b1", "a3 a1", "b1", "a3 b2 a1", "a3 b2 b3"),
    ],
    "4b, naive splitting": [
        *("a1", "b2 b3", "b1", "a2", "b2", "a3", "a2", "b3", "a3", "a2 a3"),
        *("b1", "a3 a1", "b1", "a3 a1", "b1", "a3", "b2", "a1", "a3", "b2 b3"),
    ],
}


def trajectories(rows: list[str]) -> Trajectories:
    return Trajectories.from_lists([row.split() for row in rows], places=PLACES)


def test_figure_1a_is_refused_with_14_pairs_and_19_problems() -> None:
    verdict = ProjectionSafety(threshold=0.5).check(trajectories(FIGURE_1A))
    assert verdict.holds is False
    assert verdict.measured == {
        "unit": "record",
        "adversaries": 2,
        "projections": 9,
        "problematic_pairs": 14,
        "problems": 19,
        "worst_probability": 1.0,
    }
    assert verdict.witnesses[0] == {
        "owner": "A",
        "projection": ["a1"],
        "location": "b2",
        "count": 1,
        "of": 1,
        "unit": "record",
        "probability": 1.0,
    }
    assert [witness["projection"] for witness in verdict.witnesses] == [["a1"], ["a3"], ["b1"], ["b2"], ["b3"]]


def test_figure_2_but_for_its_error() -> None:
    found = ProjectionSafety(threshold=0.5).threats(trajectories(FIGURE_1A))
    pairs = {(place, " ".join(seen)): (n, size) for seen, place, n, size in found.select(
        "projection", "location", "records", "of_records"
    ).iter_rows()}  # fmt: skip
    assert pairs == {
        ("b2", "a1"): (1, 1),
        ("b3", "a1"): (1, 1),
        ("b1", "a2 a3"): (2, 3),
        ("a2", "b1 b2"): (1, 1),
        ("a3", "b1 b2"): (1, 1),
        ("a2", "b3"): (1, 1),
        ("a3", "b3"): (1, 1),
        ("a3", "b1"): (3, 3),
        ("b1", "a3 a1"): (2, 3),
        ("a1", "b1"): (2, 3),  # printed as 1 of 3
        ("a1", "b2"): (1, 1),
        ("a3", "b2"): (1, 1),
        ("b2", "a3"): (1, 1),
        ("b3", "a3"): (1, 1),
    }


@pytest.mark.parametrize("figure", SAFE)
def test_the_printed_outputs_are_accepted(figure: str) -> None:
    verdict = ProjectionSafety(threshold=0.5).check(trajectories(SAFE[figure]))
    assert verdict.holds is True
    assert verdict.measured["problems"] == 0
    assert verdict.measured["worst_probability"] <= 0.5


def test_example_of_section_2_2_a_repair_can_break_something_again() -> None:
    """a1 -> a2 -> b1 with a2 suppressed is a1 -> b1, which was unsafe before."""
    half = ProjectionSafety(threshold=0.5)
    assert half.threats(trajectories(["a1 b1"])).height == 2
    assert half.check(trajectories(["b1", "b1", "a1 a2", "a1 a2"])).holds is True
    assert half.check(trajectories(["b1", "b1", "a1 b1"])).holds is False
