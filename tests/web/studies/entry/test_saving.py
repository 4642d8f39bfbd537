"""Changes of an entry are stored with their history, and never over a change that the writer has not seen."""

from __future__ import annotations

from typing import Any

from sfumato.web.studies.entry.saving import new_entry, save
from sfumato.web.studies.models import Cell, Entry


def test_an_entry_is_saved_with_its_index(study: Any, bob: Any, enter: Any) -> None:
    entry = enter(
        bob,
        {"name": "Ann", "age": "63", "organisms": ["can", "pse"], "drug": "x"},
        episode=[{"diagnosis": "Bacteremia", "from": "1/2/2020"}],
    )
    assert entry.answers["values"]["organisms"] == ["pse", "can"]
    cells = Cell.objects.filter(entry=entry)
    assert sorted(cells.values_list("question__key", "word", "number", "day")) == [
        ("age", None, 63.0, None),
        ("diagnosis", "Bacteremia", None, None),
        ("from", None, None, 737456),
        ("name", "Ann", None, None),
        ("organisms", "can", None, None),
        ("organisms", "pse", None, None),
    ]  # the drug is not asked, as nobody said that drugs were received
    assert entry.episodes.get().starts == 737456


def test_a_change_that_was_not_seen_is_a_conflict(study: Any, bob: Any, owner: Any, enter: Any) -> None:
    entry = enter(bob, {"age": "63"})
    save(entry, [{"question": "age", "value": "64"}], owner, base=1)
    outcome = save(entry, [{"question": "age", "value": "65"}, {"question": "name", "value": "Ann"}], bob, base=1)
    assert [(row["value"], row["theirs"]) for row in outcome.conflicts] == [("65", "64")]
    assert Entry.objects.get(pk=entry.pk).answers["values"] == {"age": "64", "name": "Ann"}


def test_a_wrong_answer_has_a_sentence_and_is_not_stored(study: Any, bob: Any) -> None:
    entry = new_entry(study, bob, client_key="one")
    outcome = save(entry, [{"question": "age", "value": "six"}, {"question": "name", "value": "Ann"}], bob, base=0)
    assert outcome.refused == {("age", ""): "wanted a whole number such as 12"}
    assert new_entry(study, bob, client_key="one").answers["values"] == {"name": "Ann"}
