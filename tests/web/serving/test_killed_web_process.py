"""A web process that is killed in the middle of saves loses nothing that it acknowledged, on PostgreSQL."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from serving_processes import SOURCE, answer, free_port, running
from web.serving.study_callers import PREPARE, Caller

ROOT = Path(__file__).parents[3]
PEOPLE, KILLS = 4, 4
KEPT = """
import json
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Cell, Entry, Study
study = Study.objects.get()
def words():
    return sorted(Cell.objects.values_list("entry_id", "question__key", "word"))
index = words()
index_entries(study.entries.all(), Form.from_json(study.form_version.tree), question_rows(study))
kept = {}
for entry in Entry.objects.select_related("author"):
    values = [change["value"] for row in entry.revisions.order_by("number") for change in row.patch]
    numbers = [row.number for row in entry.revisions.order_by("number")]
    rows = kept.setdefault(entry.author.username, {})
    rows[entry.client_key] = [entry.answers["values"]["name"], values, numbers]
print(json.dumps({"kept": kept, "index": index == words()}))
"""


def web_processes(parent: int) -> list[int]:
    """The processes that answer requests, which gunicorn starts anew when one dies."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children]


def test_a_killed_web_process_loses_nothing_that_was_acknowledged(
    migrated_team: dict[str, str], script: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    places = os.pathsep.join([SOURCE, str(ROOT / "tests")])
    lines = f"{PREPARE}\nprint(prepared({PEOPLE}))"
    prepared = json.loads(script(lines, **migrated_team, SFUMATO_TEAM="1", PYTHONPATH=places).splitlines()[-1])
    port, over = free_port(), threading.Event()
    callers = [Caller(port, prepared["study"], *person) for person in prepared["people"]]
    words = ("serve", "--team", "--bind", f"127.0.0.1:{port}", "--processes", "2")
    with running(*words, **migrated_team) as (server, _printed):
        assert answer(f"http://127.0.0.1:{port}/healthz")[0] == 200
        threads = [threading.Thread(target=caller.work, args=(over,)) for caller in callers]
        for thread in threads:
            thread.start()
        killed = []
        while len(killed) < KILLS:
            time.sleep(0.5)
            victims = [process for process in web_processes(server.pid) if process not in killed]
            os.kill(victims[len(killed) % len(victims)], signal.SIGKILL)
            killed.append(victims[len(killed) % len(victims)])
        time.sleep(0.5)
        over.set()
        for thread in threads:
            thread.join(60)
    assert sum(caller.failures for caller in callers) > 0, "no request was under way when a process was killed"
    stored = json.loads(script(KEPT, **migrated_team))
    assert stored["index"]
    for caller in callers:
        kept = stored["kept"][caller.name]
        assert caller.acknowledged.keys() <= kept.keys()
        for key, values in caller.acknowledged.items():
            last, history, numbers = kept[key]
            assert [value for value in history if value in values] == values
            assert last == history[-1]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(history) <= len(values) + 1  # at most the save that was under way at the end
