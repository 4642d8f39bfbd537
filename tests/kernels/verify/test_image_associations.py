"""Supports over all images of original places: the kernel beside brute force, in every figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import overlapping_records, persons
from sfumato import Places, Trajectories, Transactions
from sfumato.privacy.checks.sensitive_associations import Associations, associations, nonsensitive_images
from twins.images import image_figures

PLACES = Places.planar(dict.fromkeys("abcdyz", (0, 0))).with_sensitive("yz")


def dataset(rows: Any, members: Any, who: Any, *, ordered: bool) -> Any:
    if ordered:
        return replace(Trajectories.from_lists(rows, places=PLACES, persons=who), members=members)
    return replace(Transactions.from_lists(rows, persons=who), members=members, sensitive=frozenset("yz"))


@settings(max_examples=300, deadline=None)
@given(
    drawn=overlapping_records(),
    k=st.integers(1, 3),
    l=st.integers(1, 4),
    m=st.integers(1, 3),
    ordered=st.booleans(),
    draw=st.data(),
)
def test_every_figure_is_that_of_brute_force(
    drawn: Any,
    k: int,
    l: int,  # noqa: E741
    m: int,
    ordered: bool,
    draw: Any,
) -> None:
    rows, members = drawn
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    who = draw.draw(persons(len(rows)))
    data = dataset(rows, members, who, ordered=ordered)
    counted = Associations(data, k, l, m, nonsensitive_images(data))
    expected = image_figures(rows, members, set("yz"), who or range(len(rows)), k=k, l=l, m=m, ordered=ordered)
    largest, worst = expected.pop("worst"), counted.measured.pop("worst_association")
    assert counted.measured == expected
    assert (
        largest == 0
        if worst is None
        else worst["together"] * largest.denominator == (worst["support"] * largest.numerator)
    )
    assert counted.holds is (expected["violating_patterns"] + expected["violating_associations"] == 0)
    assert counted.holds is not bool(counted.witnesses)
    assert associations(data, k, l, m).holds is counted.holds


@settings(max_examples=100, deadline=None)
@given(drawn=overlapping_records(), ordered=st.booleans(), draw=st.data())
def test_the_order_of_records_does_not_matter(drawn: Any, ordered: bool, draw: Any) -> None:
    rows, members = drawn
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    order = draw.draw(st.permutations(range(len(rows))))
    some, others = (
        dataset([rows[at] for at in places], members, None, ordered=ordered) for places in (range(len(rows)), order)
    )
    first, second = (Associations(data, 2, 2, 3, nonsensitive_images(data)) for data in (some, others))
    assert (first.measured, first.witnesses) == (second.measured, second.witnesses)


def test_nested_labels_on_three_levels_in_large() -> None:
    """A place alone, its small group and its large group, in different records: 64 places, 1 to 3 labels each."""
    names = [f"p{number:02}" for number in range(64)]
    members = {f"s{number:02}": tuple(names[4 * number : 4 * number + 4]) for number in range(16)}
    members |= {f"t{number}": tuple(names[16 * number : 16 * number + 16]) for number in range(4)}
    rows = [[names[at], names[63 - at]] for at in range(0, 64, 2)]
    rows += [[f"s{at:02}", f"s{15 - at:02}"] for at in range(16)] * 2
    rows += [[f"t{at}", f"t{3 - at}", "y"] for at in range(4)]
    places = Places.planar(dict.fromkeys([*names, "y"], (0, 0))).with_sensitive("y")
    data = replace(Trajectories.from_lists(rows, places=places), members=members)
    counted = Associations(data, 2, 2, 2, nonsensitive_images(data)).measured
    expected = image_figures(rows, members, {"y"}, range(len(rows)), k=2, l=2, m=2, ordered=True)
    assert {name: counted[name] for name in expected if name != "worst"} == {
        name: value for name, value in expected.items() if name != "worst"
    }
    assert counted["worst_association"]["probability"] == pytest.approx(float(expected["worst"]))


def test_counts_of_patterns_do_not_overflow() -> None:
    """Every sequence of 12 places of 40, each place a profile of its own: far more than an integer holds."""
    names = [f"p{number:02}" for number in range(40)]
    places = Places.planar(dict.fromkeys([*names, "y"], (0, 0))).with_sensitive("y")
    rows = [["g1"] * 14, ["g1"] * 14, *([name] * 2 for name in names for _ in range(2))]
    data = replace(Trajectories.from_lists(rows, places=places), members={"g1": tuple(names)})
    counted = Associations(data, 2, 2, 12, nonsensitive_images(data))
    assert counted.holds
    assert counted.measured["patterns"] > 1 << 32
