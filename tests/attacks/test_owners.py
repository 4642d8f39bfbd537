"""What owners could do, against brute force and by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import PLACES, persons, records
from sfumato import Places, Table, Trajectories
from sfumato.attacks import OwnerAudit
from sfumato.attacks.owners import CLASSES
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from twins.threats import merged, projection, shares

OWNERS = {"a": "A", "b": "A", "c": "B", "d": "B", "e": "C"}


def walks(rows: Any, who: Any = None) -> Trajectories:
    return Trajectories.from_lists([list(row) for row in rows], persons=who, places=PLACES)


@settings(max_examples=150, deadline=None)
@given(rows=records(), collude=st.sampled_from([None, "A,C"]), draw=st.data())
def test_every_certainty_is_that_of_brute_force(rows: Any, collude: str | None, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    data = walks(rows, who)
    units, owners = data.units.tolist(), merged(OWNERS, collude)
    chance: dict[Any, float] = {}
    for (owner, seen, _), (n, size, people, crowd) in shares(rows, units, owners).items():
        chance[owner, seen] = max(n / size, people / crowd, chance.get((owner, seen), 0.0))
    found = OwnerAudit(collude=collude).run(data)
    frame = found.owners
    assert frame["owner"].to_list() == sorted({owners[place] for row in rows for place in row if place in owners})
    for at, row in enumerate(frame.iter_rows(named=True)):
        best: dict[Any, float] = {}
        for record, unit in zip(rows, units, strict=True):
            seen = projection(record, owners, row["owner"])
            if seen:
                best[unit] = max(best.get(unit, 0.0), chance.get((row["owner"], seen), 0.0))
        assert sorted(found.certainty[found.who == at]) == sorted(best.values())
        assert row["sees"] == len(best)
        assert row["placed"] == sum(value > 0 for value in best.values())
        assert row["over_half"] == sum(value > 0.5 for value in best.values())
        assert row["certain"] == sum(value == 1 for value in best.values())
        assert row["mean_certainty"] == pytest.approx(sum(best.values()) / len(best))
        assert row["locations"] == len({p for record in rows for p in record if owners.get(p) == row["owner"]})
        classes = found.certainties.filter(owner=row["owner"])
        assert classes["certainty"].to_list() == list(CLASSES)
        assert classes["people"].sum() == row["sees"]
    json.dumps(found.to_json(), allow_nan=False)


def test_the_classes_by_hand() -> None:
    rows = ["ac", "a", "a", "a", "bc", "b", "aac", "aac", "aa", "bbc", "ab"]
    found = OwnerAudit().run(walks(rows))
    assert dict(found.certainties.filter(owner="A").select("certainty", "people").iter_rows()) == {
        "nowhere": 1,
        "to 25%": 4,
        "to 50%": 2,
        "to 75%": 3,
        "<100%": 0,
        "certain": 1,
    }


def test_somebody_with_several_trajectories_is_as_certain_as_the_worst() -> None:
    found = OwnerAudit().run(walks(["a", "bc", "b", "a"], ["ann", "ann", "bob", "bob"]))
    assert found.owners.row(0, named=True)["sees"] == 2
    assert found.certainty[found.who == 0].tolist() == [0.5, 0.5]


def test_with_the_original_whom_elimination_reaches() -> None:
    original, release = walks(["ac", "b"]), walks(["c", "b"])
    assert "by_elimination" not in OwnerAudit().run(release).owners.columns
    found = OwnerAudit().run(release, original=original)
    assert found.owners.select("owner", "certain", "by_elimination").rows() == [("A", 0, 1), ("B", 0, 0)]
    assert any(note.startswith("Matched") for note in found.notes)
    split = OwnerAudit().run(walks(["a", "c", "b"]), original=original)
    assert "by_elimination" not in split.owners.columns
    assert split.notes == [
        "Elimination was not tried: the release has more trajectories than the original: some were split or added.",
        "No place of C occurs in these data.",
    ]


def test_elimination_is_not_tried_where_trajectories_were_split() -> None:
    original, release = walks(["ac", "b"]), walks(["c", "b"])
    found = OwnerAudit().run(release, original=original, split=True)
    assert "by_elimination" not in found.owners.columns
    assert found.notes[0] == "Elimination was not tried: the release has split trajectories."


def test_elimination_counts_persons_where_they_are_known() -> None:
    original = walks(["ac", "ac", "b"], ["ann", "ann", "bob"])
    found = OwnerAudit().run(walks(["c", "c", "b"]), original=original)
    assert found.owners["by_elimination"].to_list() == [1, 0]


def test_an_original_without_places_takes_those_of_the_release() -> None:
    bare = Trajectories.from_lists([["a", "c"], ["b"]])
    assert OwnerAudit().run(walks(["c", "b"]), original=bare).owners["by_elimination"].to_list() == [1, 0]


def test_what_to_bear_in_mind() -> None:
    places = Places.from_frame({"location": list("abcdez"), "owner": ["A", "B", "C", "D", "E", "F"]})
    notes = OwnerAudit().run(Trajectories.from_lists([["a"]], places=places)).notes
    assert notes == [
        "No place of B, C, D and 2 more occurs in these data.",
        "Nothing to protect: A owns every visited place.",
    ]
    nobody = OwnerAudit().run(walks(["f", "ff"]))
    assert nobody.summary == "No visited place has an owner."
    assert nobody.owners.is_empty()
    assert nobody.to_json()["owners"] == []
    blurred = replace(walks(["a"]), members={"a": ("a", "b")})
    assert any(note.startswith("Labels are compared as they are") for note in OwnerAudit().run(blurred).notes)
    assert OwnerAudit().run(walks(["ac", "b", "c"])).summary == (
        "A sees 2 trajectories. It can infer a visit to a place that it does not own with certainty for 1 of them, and "
        "with a probability above 50% for 1."
    )


def test_refusals() -> None:
    with pytest.raises(DataError, match="OwnerAudit: fits trajectories, got table"):
        OwnerAudit().run(Table({"age": [1]}))
    with pytest.raises(MissingKnowledge, match="audit: needs owners"):
        OwnerAudit().run(Trajectories.from_lists(["ab"]))
    with pytest.raises(ParameterError, match="audit: collude names 'Q', who owns no place"):
        OwnerAudit(collude="A,Q").run(walks(["a"]))
    with pytest.raises(ParameterError, match="audit: collude must be groups of two owners or more"):
        OwnerAudit(collude="A")
