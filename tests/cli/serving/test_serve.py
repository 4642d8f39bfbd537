"""`sfumato serve`: a real server, opened by its link."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are watched by signals")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "sfumato", "serve", "--no-browser", "--json", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SFUMATO_HOME": str(tmp_path / "home"), "SFUMATO_SECRET": "", "SFUMATO_WARM": "0"},
    )
    assert process.stdout is not None
    text = ""
    while not text.endswith("}\n"):
        line = process.stdout.readline()
        assert line, "the server ended"
        text += line
    yield process, json.loads(text)
    process.kill()
    process.wait()
    process.stdout.close()


def browser() -> OpenerDirector:
    return build_opener(HTTPCookieProcessor(CookieJar()))


def workers_of(server: int) -> list[int]:
    """The worker is started by a thread of the server."""
    tasks = Path(f"/proc/{server}/task").iterdir()
    return [int(word) for task in tasks for word in (task / "children").read_text().split()]


def waited_for(what: Any, seconds: float = 15) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := what():
            return answer
        time.sleep(0.1)
    raise AssertionError("it did not happen in time")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed by /proc")
def test_the_link_opens_signed_in_once_and_the_worker_is_started_again(
    served: tuple[subprocess.Popen[str], dict[str, str]],
) -> None:
    process, printed = served
    person = browser()
    assert person.open(printed["link"]).status == 200
    assert "Projects" in person.open(printed["address"]).read().decode()
    with pytest.raises(HTTPError, match="404"):
        browser().open(printed["link"])
    private = {path.name: oct(path.stat().st_mode)[-3:] for path in Path(printed["home"]).iterdir() if path.is_file()}
    assert set(private.values()) == {"600"}

    def ready() -> bool:
        try:
            return browser().open(printed["address"] + "/readyz").status == 200
        except HTTPError:
            return False

    waited_for(ready)
    (first,) = workers_of(process.pid)
    os.kill(first, signal.SIGKILL)
    (second,) = waited_for(lambda: [pid for pid in workers_of(process.pid) if pid != first])
    process.send_signal(signal.SIGTERM)
    assert process.wait(15) == 0
    assert not Path(f"/proc/{second}").exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed by /proc")
def test_a_killed_server_leaves_no_worker(served: tuple[subprocess.Popen[str], dict[str, str]]) -> None:
    process, printed = served
    (worker,) = waited_for(lambda: workers_of(process.pid))
    process.kill()
    process.wait()
    waited_for(
        lambda: not Path(f"/proc/{worker}").exists() or "Z" in Path(f"/proc/{worker}/stat").read_text().split()[2]
    )
    with closing(sqlite3.connect(Path(printed["home"]) / "sfumato.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        states = {state for (state,) in database.execute("SELECT state FROM jobs_job")}
    assert states <= {"waiting", "running", "done"}


def test_a_port_in_use_is_one_sentence(run: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = run("serve", "--port", port, "--no-browser")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"sfumato: port {port} is in use; choose another one, or leave the port out\n"


def test_a_missing_package_is_one_sentence(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.web.serving import starting

    monkeypatch.setattr(starting, "find_spec", lambda name: None)
    ran = run("serve", "--port", 0, "--no-browser")
    assert ran.code == 2
    assert ran.err.startswith("sfumato: Django is not installed: pip install 'sfumato[web]'")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--processes", "3"], "--processes is for a team's server; add --team, or leave it out"),
        (["--team", "--port", "9"], "--port and --no-browser are for one person's server; with --team use --bind"),
    ],
)
def test_options_of_the_other_server_are_refused(run: Any, words: list[str], sentence: str) -> None:
    ran = run("serve", *words)
    assert (ran.code, ran.err) == (2, f"sfumato: serve: {sentence}\n")
