"""Units in the order of their content, whatever the order of the file."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets import persons
from sfumato import Trajectories
from sfumato.methods.trajectories.klm.unit_order import Organized


def organized(rows: Any, who: Any = None) -> Organized:
    data = Trajectories.from_lists(rows, persons=who)
    return Organized(data, np.array([name == "y" for name in data.names], dtype=bool))


@given(st.lists(st.lists(st.sampled_from("abcy"), max_size=4), min_size=1, max_size=12), st.data())
def test_units_are_ordered_by_their_set_of_locations_then_by_their_trajectories(rows: Any, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    units: dict[Any, list[list[str]]] = {}
    for person, row in zip(range(len(rows)) if who is None else who, rows, strict=True):
        units.setdefault(person, []).append(row)
    hiding = [unit for unit in units.values() if any(set(row) - {"y"} for row in unit)]
    found = organized(rows, who)
    expected = sorted((sorted({x for row in unit for x in row}), sorted(unit)) for unit in hiding)
    visits, records = found.in_order(found.by_content())
    assert len(visits) == len(expected)
    for at, (_, trajectories) in enumerate(expected):
        mine = records[visits.unit_offsets[at] : visits.unit_offsets[at + 1]]
        assert sorted(rows[record] for record in mine) == trajectories


def test_visits_secrets_and_others_by_hand() -> None:
    found = organized(["ya", "y", "byyb", ""])
    assert found.others.tolist() == [1, 3]
    visits, records = found.in_order(np.array([1, 0]))
    assert records.tolist() == [2, 0]
    assert visits.codes.tolist() == [1, 1, 0]
    assert visits.offsets.tolist() == [0, 2, 3]
    assert visits.sensitive.tolist() == [2, 2]
    assert visits.sensitive_starts.tolist() == [0, 1, 2]
    part = visits.part(1, 2)
    assert (part.codes.tolist(), part.sensitive_starts.tolist(), len(part)) == ([0], [0, 1], 1)


def test_the_locations_of_units_are_distinct_and_rising() -> None:
    offsets, codes = organized(["bab", "cy"], ["u", "u"]).locations_of_units(np.array([True, True, True, False]))
    assert (offsets.tolist(), codes.tolist()) == ([0, 3], [0, 1, 2])
