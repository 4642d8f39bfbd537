"""Many saves at once, on PostgreSQL and on SQLite: none is lost, none is mixed up, and the index is right."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAVES = """
import json, threading
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.db import connection, transaction
from sfumato.web.accounts.models import User
from sfumato.web.studies.design.drafts import DraftConflict, edit_draft, seen_of
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.saving import new_entry, save
from sfumato.web.studies.models import Cell, Entry, Episode, Study

def form(hidden):
    questions = [{"key": f"q{number}", "type": "integer", "texts": {"en": "Q"}} for number in range(8)]
    if hidden:
        questions[5]["when"] = {"rules": [{"question": "q0", "low": "99"}]}
    inner = [{"key": "n", "type": "integer", "texts": {"en": "N"}}]
    group = {"key": "g", "type": "group", "texts": {"en": "G"}, "questions": inner}
    return {"languages": ["en"], "questions": [*questions, group]}

study = Study.objects.create(name="S", languages=["en"], draft=form(False), state="open")
ann = User.objects.create_user("ann")
publish_version(study, ann)
shared = new_entry(study, ann, client_key="shared")
problems = []

def write(number):
    try:
        for turn in range(5):
            key = f"e{number}-{turn}"
            changes = [
                {"question": f"q{number}", "value": str(turn)},
                {"group": "g", "episode": key, "do": "add"},
                {"question": "n", "episode": key, "value": str(number)},
            ]
            outcome = save(shared, changes, ann, base=10_000)
            assert not outcome.refused and not outcome.conflicts
            new_entry(study, ann, client_key=f"{number}-{turn}")
            new_entry(study, ann, client_key=f"same-{turn}")
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
    connection.close()

def publish():
    try:
        for turn in range(4):
            Study.objects.filter(pk=study.pk).update(draft=form(turn % 2 == 0))
            publish_version(study, ann)
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
    connection.close()

threads = [threading.Thread(target=write, args=(number,)) for number in range(6)] + [threading.Thread(target=publish)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]

# two administrators edit the draft at the same time: each edit is refused or kept, and none is overwritten
other = Study.objects.create(name="T", languages=["en"], draft=form(False))
texts = {"q1": [], "q2": []}
def design(key, is_alone):
    try:
        for turn in range(12):
            page = Study.objects.get(pk=other.pk)
            seen = (key, "" if is_alone else seen_of(Form.from_json(page.draft), key))
            text = f"{key} {turn} {is_alone}"
            try:
                change = lambda now: editing.change(now, key, texts={**now.question(key).texts, "el": text})
                edit_draft(page, ann, str(page.draft_revision), change, "change", seen)
                texts[key].append(text)
            except DraftConflict:
                assert is_alone
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
    connection.close()

for is_alone in (False, True):
    threads = [threading.Thread(target=design, args=(key, is_alone)) for key in texts]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
other.refresh_from_db()
last = Form.from_json(other.draft)
edits = all(last.question(key).texts["el"] == texts[key][-1] for key in texts)
edits = edits and len(texts["q1"]) >= 12 and other.draft_revision == sum(map(len, texts.values()))

def index():
    return sorted(map(str, Cell.objects.values_list("question__key", "episode__key", "number"))), sorted(
        map(str, Episode.objects.values_list("key", "position")))

shared.refresh_from_db()
kept = index()
index_entries([shared], current_form(study)[1], question_rows(study))
anew = index()
waits = None
if connection.vendor == "postgresql":  # a new entry that is under way holds back no save
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        def quick():
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '5s'")
            save(shared, [{"question": "q7", "value": "1"}], ann, base=10_000)
            connection.close()
        thread = threading.Thread(target=quick)
        thread.start()
        thread.join(20)
        waits = thread.is_alive()
numbers = sorted(Entry.objects.values_list("number", flat=True))
print(json.dumps({
    "problems": problems,
    "edits": edits,
    "numbers": numbers == list(range(1, len(numbers) + 1)) and len(numbers),
    "values": [shared.answers["values"].get(f"q{number}") for number in range(6)],
    "episodes": len(shared.answers["episodes"]["g"]),
    "revisions": sorted(shared.revisions.values_list("number", flat=True))[:30] == list(range(1, 31)),
    "index": kept == anew and len(kept[0]),
    "waits": waits,
}))
"""


@pytest.mark.parametrize("engine", ["postgresql", "sqlite"])
def test_no_save_is_lost(
    engine: str, request: pytest.FixtureRequest, script: Callable[..., str], tmp_path: Path
) -> None:
    settings: dict[str, str] = {"SFUMATO_HOME": str(tmp_path / "home"), "SFUMATO_SECRET": "tests"}
    (tmp_path / "home").mkdir()
    if engine == "postgresql":
        settings["SFUMATO_DATABASE_URL"] = request.getfixturevalue("migrated")
    outcome: dict[str, Any] = json.loads(script(SAVES, **settings))
    assert outcome == {
        "problems": [],
        "edits": True,
        "numbers": 36,
        "values": ["4"] * 6,
        "episodes": 30,
        "revisions": True,
        "index": 36,
        "waits": False if engine == "postgresql" else None,
    }
