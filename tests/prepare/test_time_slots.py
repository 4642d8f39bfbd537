"""Time slots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Places, Positions, Taxonomy, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare import TimeSlots

VISITS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3 * 86_400)), max_size=12)


@given(VISITS, st.sampled_from([15, 60, 120, 1440]), st.sampled_from([-3.5, 0, 14]))
def test_agrees_with_naming_by_hand(visits: list[tuple[str, int]], minutes: int, offset: float) -> None:
    visits = sorted(visits, key=lambda visit: visit[1])
    walks = Trajectories.from_lists([[place for place, _ in visits]])
    walks = Trajectories(
        offsets=walks.offsets, codes=walks.codes, names=walks.names, times=np.array([time for _, time in visits])
    )
    wanted = []
    for place, time in visits:
        minute = int((time + offset * 3600) // 60) % 1440 // minutes * minutes
        wanted.append(f"{place}@{minute // 60:02}" + ("" if minutes % 60 == 0 else f":{minute % 60:02}"))
    done = TimeSlots(minutes=minutes, offset_h=offset).apply(walks)
    assert done.data.to_lists() == [wanted]
    assert done.counts == {"locations": len(set(wanted))}
    assert done.data.times.tolist() == walks.times.tolist()


def test_slots_keep_what_is_known_about_their_place() -> None:
    places = Places.from_frame(
        {"location": ["bar", "home"], "x": [0, 3], "y": [0, 4], "owner": ["b", "h"], "sensitive": [True, False]}
    )
    tree = Taxonomy({"town": None, "fun": "town", "bar": "fun", "home": "town"}, sensitive=["fun"])
    walks = Trajectories.from_frame(
        {"trajectory": [1, 1, 1], "location": ["home", "bar", "home"], "time": [0, 3600, 7200]},
        places=places,
        taxonomy=tree,
    )
    made = TimeSlots().apply(walks).data
    assert made.to_lists() == [["home@00", "bar@01", "home@02"]]
    assert made.places is places
    assert made.places.distance("home@00", "bar@01") == 5.0
    assert made.places.distance("home@00", "home@02") == 0.0
    assert made.taxonomy.ancestors("bar@01") == ("bar", "fun", "town")
    assert made.taxonomy.common_ancestor(["home@00", "home@02"]) == "home"
    assert "bar@01" in made.taxonomy.sensitive
    assert "home@00" not in made.taxonomy.sensitive


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"^TimeSlots: minutes must divide a day of 1440, got 7$"):
        TimeSlots(minutes=7)
    with pytest.raises(MissingKnowledge, match=r"^TimeSlots: wanted the time of each visit"):
        TimeSlots().apply(Trajectories.from_lists([["a"]]))
    points = Positions(offsets=[0], times=[], where=np.empty((0, 2)), geographic=False)
    with pytest.raises(DataError, match=r"^TimeSlots: wanted trajectories"):
        TimeSlots().apply(points)
