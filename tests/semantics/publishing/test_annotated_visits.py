"""Visits of linked stops and positions: persons, trails, times, the choice among several links; and anonymized."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from sfumato import Cast, SdSeqAnon, Zga
from sfumato.errors import DataError
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.publishing.annotated_visits import AnnotatedVisits
from sfumato.semantics.vocabulary import BQ
from tests.semantics.publishing.small_city import EX, city_movement, city_places

POSITIONS = {"object": ["a"] * 4 + ["b"] * 2, "begin": [0, 60, 4000, 5000, 0, 60], "x": [10.0] * 6, "y": [50.0] * 6}
OBJECTS = {"object": ["a", "b"], "person": ["ann", "ann"]}
SEGMENTS = {
    "object": ["a", "a", "a", "b", "b"],
    "type": ["TRAIL", "STOP", "STOP", "TRAIL", "STOP"],
    "first": [0, 0, 2, 4, 4],
    "last": [3, 1, 3, 5, 5],
}


def link(
    target: int, place: str, *, on: str = "segment", metres: float = 1.0, similarity: float = 1.0, by: str = "visits"
):
    return {"target_kind": on, "target": target, "property": BQ + by, "kind": "resource", "value": EX + place,
            "metres": metres, "similarity": similarity}  # fmt: skip


def movement(*links: dict[str, object], segments: object = SEGMENTS) -> Movement:
    return Movement.of(OBJECTS, POSITIONS, segments, annotations=pl.DataFrame(list(links)))


def rows(moved: Movement, **options: str) -> list[tuple[str, str, float]]:
    walks = AnnotatedVisits(**options).apply(moved, city_places()).trajectories
    return walks.to_polars().select("person", "location", "time").rows()


def test_two_moving_objects_of_one_person() -> None:
    visits = AnnotatedVisits().apply(movement(link(1, "cafe1"), link(2, "clinic1"), link(4, "cafe1")), city_places())
    walks = visits.trajectories
    assert walks.to_lists() == [["Cafe 1", "Clinic 1"], ["Cafe 1"]]
    assert walks.times.tolist() == [0.0, 4000.0, 0.0]
    assert visits.counts["persons"] == len(walks.persons) == 1
    assert walks.sensitive == {"Clinic 1"}
    assert walks.taxonomy.parent("Cafe 1") == "Cafe"


def test_of_several_places_one_is_chosen_by_rule() -> None:
    several = [
        link(1, "cafe1", metres=9, similarity=0.9),
        link(1, "cafe2", metres=2, similarity=0.8),
        link(1, "cafe3", metres=2, similarity=0.8),
        link(2, "cafe4"),
    ]
    assert [row[1] for row in rows(movement(*several))] == ["Cafe 2", "Cafe 4"]
    assert [row[1] for row in rows(movement(*several), choose="similar")] == ["Cafe 1", "Cafe 4"]
    assert [row[1] for row in rows(movement(*several), choose="drop")] == ["Cafe 4"]
    visits = AnnotatedVisits(choose="drop").apply(movement(*several), city_places())
    assert (visits.counts["ambiguous"], visits.counts["dropped"], visits.counts["targets"]) == (1, 1, 3)
    assert "1 of them are linked to several places: dropped." in visits.sentences


def test_of_places_that_contain_each_other_the_smallest_is_chosen() -> None:
    inside = [link(1, place, metres=0, similarity=1) for place in ("cafe1", "cafe2", "cafe3")]
    places = replace(city_places(), areas={EX + "cafe1": 9.0, EX + "cafe2": 1.0, EX + "cafe3": 4.0})
    for choose in ("near", "similar"):
        visits = AnnotatedVisits(choose=choose).apply(movement(*inside), places)
        assert visits.trajectories.to_lists() == [["Cafe 2"]]


def test_links_of_positions_count_for_their_stop() -> None:
    moved = movement(link(1, "cafe1", on="position"), link(2, "cafe2", on="position"), link(3, "cafe2", on="position"))
    assert rows(moved) == [("ann", "Cafe 1", 0.0), ("ann", "Cafe 2", 4000.0)]
    assert rows(moved, of="positions") == [("ann", "Cafe 1", 60.0), ("ann", "Cafe 2", 4000.0)]
    assert AnnotatedVisits(of="positions").apply(moved, city_places()).counts["repeated"] == 1


def test_a_mention_is_no_visit_and_an_unknown_resource_is_counted() -> None:
    visits = AnnotatedVisits().apply(
        movement(link(1, "cafe1"), link(2, "cafe2", by="mentions"), link(4, "elsewhere")), city_places()
    )
    assert visits.trajectories.to_lists() == [["Cafe 1"]]
    assert visits.counts["unknown"] == 1
    with pytest.raises(DataError, match="wanted stops that are linked to places of the knowledge base, found none"):
        AnnotatedVisits().apply(movement(link(1, "elsewhere")), city_places())


def test_only_the_innermost_stops_are_visits() -> None:
    segments = {name: [*values, new] for (name, values), new in zip(SEGMENTS.items(), ("a", "STOP", 2, 2), strict=True)}
    assert [row[1] for row in rows(movement(link(2, "cafe1"), link(5, "cafe2"), segments=segments))] == ["Cafe 2"]


def test_one_of_several_segmentations_is_named() -> None:
    segments = {**SEGMENTS, "tree": ["x", "x", "x", "y", "y"]}
    moved = movement(link(1, "cafe1"), link(4, "cafe2"), segments=segments)
    assert rows(moved, tree="y") == [("ann", "Cafe 2", 0.0)]
    with pytest.raises(DataError, match="found several"):
        rows(moved)
    with pytest.raises(DataError, match="no segmentation is called 'z'"):
        rows(moved, tree="z")


@pytest.mark.parametrize(
    "method", [Cast(c=0.5, group_size=5), SdSeqAnon(k=3, m=2), Zga(k=2, l=2, m=2)], ids=lambda m: m.name
)
def test_visits_are_anonymized_and_the_promise_holds(method) -> None:
    walks = AnnotatedVisits().apply(city_movement(accounts=2, people=20), city_places()).trajectories
    assert (len(walks), len(walks.persons)) == (80, 20)
    release = method.anonymize(walks)
    assert [verdict.holds for _, verdict in release.verdicts] == [True] * len(release.verdicts)
    assert release.data.times is None
    assert release.data.persons is None
