"""Equivalence classes that an attacker cannot tell apart, beside all pairs of rows and classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Table
from sfumato.privacy.checks.fitting_classes import classes_together
from sfumato.privacy.checks.mixed_classes import class_of_rows

AGES = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(sorted)


def text(span: Any) -> str:
    return str(span[0]) if span[0] == span[1] else f"[{span[0]}:{span[1]}]"


@given(
    rows=st.lists(st.tuples(AGES, AGES, st.sampled_from("uvw")), min_size=1, max_size=7),
    points=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=6),
)
def test_agrees_with_all_pairs(rows: Any, points: Any) -> None:
    published = Table({"age": [text(one) for one, _, _ in rows], "pay": [text(other) for _, other, _ in rows]})
    ends = [(end, end) for end in range(1, 7)]  # every label stands for a value of the original
    original = Table({"age": [one for one, _ in [*points, *ends]], "pay": [other for _, other in [*points, *ends]]})
    number = class_of_rows(published)
    persons = np.array(["uvw".index(who) for _, _, who in rows])
    expected = set()
    for age, pay in {*points, *ends}:
        fits = {
            int(at)
            for at, (one, other, _) in zip(number, rows, strict=True)
            if one[0] <= age <= one[1] and other[0] <= pay <= other[1]
        }
        theirs = [{rows[at][2] for at in np.flatnonzero(number == each)} for each in fits]
        if sum(map(len, theirs)) > len(set().union(*theirs)):
            expected.add(frozenset(fits))
    found = classes_together(published, number, persons, original)
    assert {frozenset(classes.tolist()) for classes in found} == expected
    assert len(found) == len(expected)
