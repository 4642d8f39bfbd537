"""The index that a save changes is the one that is made anew, after random changes; and saving stays quick."""

from __future__ import annotations

import random
import time
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.entry.saving import new_entry, save
from sfumato.web.studies.models import Cell, Entry, Episode, Study

RULE = {"rules": [{"question": "a", "low": "2"}]}
FORM: dict[str, Any] = {
    "languages": ["en"],
    "questions": [
        {"key": "a", "type": "integer", "required": True},
        {"key": "b", "type": "integer", "when": RULE},
        {"key": "c", "type": "string", "when": {"rules": [{"question": "b", "low": "1", "high": "3"}]}},
        {"key": "m", "type": "many", "choices": [{"key": "x"}, {"key": "y"}]},
        {"key": "sum", "type": "calculated", "formula": "a + b"},
        {"key": "s2", "type": "string", "when": {"rules": [{"question": "sum", "low": "4"}]}},
        {
            "key": "g",
            "type": "group",
            "starts": "d",
            "when": RULE,
            "questions": [
                {"key": "d", "type": "date"},
                {"key": "n", "type": "integer"},
                {"key": "w", "type": "string", "required": True, "when": {"rules": [{"question": "n", "low": "2"}]}},
                {"key": "twice", "type": "calculated", "formula": "n + n"},
            ],
        },
        {"key": "h", "type": "group", "questions": [{"key": "hn", "type": "integer"}]},
    ],
}


def with_texts(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions with a text each."""
    return [
        {**question, "texts": {"en": question["key"]}}
        | ({"questions": with_texts(question["questions"])} if "questions" in question else {})
        | ({"choices": with_texts(question["choices"])} if "choices" in question else {})
        for question in questions
    ]


def index_of(entry: Entry) -> tuple[list[Any], list[Any], int]:
    columns = ("question__key", "episode__key", "episode__group__key", "author_id", "word", "number", "day", "search")
    cells = Cell.objects.filter(entry=entry).values_list(*columns)
    episodes = Episode.objects.filter(entry=entry).values_list("group__key", "key", "position", "starts", "ends")
    return sorted(map(str, cells)), sorted(map(str, episodes)), Entry.objects.get(pk=entry.pk).missing


def random_change(rng: random.Random) -> dict[str, Any]:
    group, key = rng.choice("gh"), f"e{rng.randrange(3)}"
    kinds: list[dict[str, Any]] = [
        {"question": rng.choice("ab"), "value": rng.choice(["0", "1", "2", "3", "x", None])},
        {"question": rng.choice(["c", "s2"]), "value": rng.choice(["Ά", "yes", None])},
        {"question": "m", "value": rng.choice([["x"], ["y", "x"], [], None])},
        {"group": group, "episode": group + key, "do": rng.choice(["add", "add", "retire", "restore"])},
        {"question": "n", "episode": f"g{key}", "value": rng.choice(["1", "2", None])},
        {"question": "w", "episode": f"g{key}", "value": rng.choice(["Ω", None])},
        {"question": "d", "episode": f"g{key}", "value": rng.choice(["1/2/2020", "2021-03-04", None])},
        {"question": "hn", "episode": f"h{key}", "value": rng.choice(["1", "2"])},
    ]
    return rng.choice(kinds)


def test_the_index_is_as_made_anew(study: Study, bob: Any) -> None:
    study.draft = {**FORM, "questions": with_texts(FORM["questions"])}
    study.save()
    publish_version(study, bob)
    current = current_form(study)
    assert current is not None
    rng = random.Random(5)
    for number in range(3):
        entry = new_entry(study, bob, client_key=f"{number}")
        for _ in range(15):
            changes = [random_change(rng) for _ in range(rng.choice([1, 1, 1, 3]))]
            save(entry, changes, bob, base=10_000)
            updated = index_of(entry)
            index_entries([Entry.objects.get(pk=entry.pk)], current[1], question_rows(study))
            assert updated == index_of(entry), changes


def filled(study: Study, user: Any, draft: dict[str, Any], changes: list[dict[str, Any]]) -> Entry:
    study.draft = {**draft, "questions": with_texts(draft["questions"])}
    study.save()
    publish_version(study, user)
    entry = new_entry(study, user, client_key="filled")
    assert not save(entry, changes, user, base=0).refused
    return entry


def require_quick(entry: Entry, change: dict[str, Any], user: Any) -> None:
    """A save of one answer takes few statements, and a small part of the time of making the index anew."""
    save(entry, [change], user, base=10_000)  # the form is read
    current = current_form(entry.study)
    assert current is not None
    start = time.perf_counter()
    index_entries([Entry.objects.get(pk=entry.pk)], current[1], question_rows(entry.study))
    anew = time.perf_counter() - start
    start = time.perf_counter()
    with CaptureQueriesContext(
        connection,
    ) as statements:
        save(entry, [{**change, "value": "8"}], user, base=10_000)
    assert time.perf_counter() - start < anew
    assert len(statements) < 25


def test_an_answer_among_1000_questions_is_saved_quickly(study: Study, bob: Any) -> None:
    questions = [{"key": f"q{number}", "type": "integer"} for number in range(1000)]
    changes = [{"question": f"q{number}", "value": "7"} for number in range(1000)]
    entry = filled(study, bob, {"languages": ["en"], "questions": questions}, changes)
    require_quick(entry, {"question": "q250", "value": "9"}, bob)


def test_an_answer_among_100_episodes_is_saved_quickly(study: Study, bob: Any) -> None:
    inner = [{"key": f"t{number}", "type": "integer"} for number in range(20)]
    group = {"key": "g", "type": "group", "questions": inner}
    changes: list[dict[str, Any]] = []
    for number in range(100):
        changes.append({"group": "g", "episode": f"e{number}", "do": "add"})
        changes += [{"question": question["key"], "episode": f"e{number}", "value": "7"} for question in inner]
    entry = filled(study, bob, {"languages": ["en"], "questions": [group]}, changes)
    require_quick(entry, {"question": "t9", "episode": "e50", "value": "9"}, bob)
