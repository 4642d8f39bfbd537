"""Who sees which place."""

from __future__ import annotations

from sfumato import Places, Trajectories
from sfumato.privacy.checks.place_owners import Adversaries

PLACES = Places.from_frame(
    {"location": ["a", "b", "c", "d", "e"], "owner": ["Ann", "Bob", "Cy", None, ""], "x": [0] * 5, "y": [0] * 5}
)


def test_owners_of_visited_places_are_adversaries_and_the_others_are_silent() -> None:
    found = Adversaries.of(Trajectories.from_lists([["a", "d", "unheard-of"], ["b", "e"]], places=PLACES))
    assert found.names == ("Ann", "Bob")
    assert len(found) == 2
    assert found.of_label.tolist() == [0, 1, -1, -1, -1]
    assert found.silent == ("Cy",)


def test_a_name_that_no_record_carries_makes_nobody_an_adversary() -> None:
    whole = Trajectories.from_lists([["a"], ["b"]], places=PLACES)
    found = Adversaries.of(whole.take(whole.units[:1]))
    assert found.names == ("Ann",)
    assert found.of_label.tolist() == [0, -1]
    assert found.silent == ("Bob", "Cy")


def test_a_coalition_is_one_adversary_even_if_one_of_it_sees_nothing() -> None:
    found = Adversaries.of(Trajectories.from_lists([["a", "b"]], places=PLACES), "Cy, Ann")
    assert found.names == ("Ann+Cy", "Bob")
    assert found.of_label.tolist() == [0, 1]


def test_owners_may_be_numbers() -> None:
    places = Places.from_frame({"location": ["a", "b"], "owner": [7, 12]})
    found = Adversaries.of(Trajectories.from_lists([["a", "b"]], places=places), "7,12")
    assert found.names == ("12+7",)


def test_a_coalition_is_not_mistaken_for_somebody_of_its_name() -> None:
    places = Places.from_frame({"location": list("abcde"), "owner": ["A", "B", "A+B", "C", "B+C"]})
    data = Trajectories.from_lists([list("abcde")], places=places)
    found = Adversaries.of(data, "A,B")
    assert found.names == ("A+B", "A+B+", "B+C", "C")
    assert found.of_label.tolist() == [1, 1, 0, 3, 2]
    two = Adversaries.of(data, "A,B+C; A+B,C")
    assert two.names == ("A+B+C", "A+B+C+", "B")
    assert two.of_label.tolist() == [0, 2, 1, 1, 0]
