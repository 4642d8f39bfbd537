"""Processes of a server in tests: their environment, commands that go on, and what they answer."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import sfumato

SOURCE = str(Path(sfumato.__file__).parents[1])

# lines that make a study with an answer, and lines that print what is left of it; `user` is whose it is
ADD_STUDY = """
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.entry.saving import new_entry, save
from sfumato.web.studies.models import Study
form = {"languages": ["en"], "questions": [{"key": "age", "type": "integer", "texts": {"en": "Age"}}]}
study = Study.objects.create(name="Infections", state="open", languages=["en"], draft=form)
publish_version(study, user)
save(new_entry(study, user, client_key="1"), [{"question": "age", "value": "63"}], user, base=0)
"""
CHECK_STUDY = """
from sfumato.web.studies.models import Cell, Entry
entry = Entry.objects.get()
print(entry.answers["values"], entry.revisions.get().patch[0]["value"], Cell.objects.get().number)
"""
STUDY_KEPT = "{'age': '63'} 63 63.0"


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without settings of a server, with those that are given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SFUMATO_", "DJANGO_"))}
    return {**kept, "PYTHONPATH": SOURCE, "SFUMATO_WARM": "0", **more}


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def running(*words: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A command that goes on; what it prints first is JSON."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sfumato", *words, "--json"],
        env=clean_environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        text = ""
        while not text.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the command ended"
            text += line
        yield process, json.loads(text)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        process.stdout.close()


def answer(url: str) -> tuple[int, Any]:
    """The status and the content, from a client that names the public host; waits until the server answers."""
    for _ in range(150):
        try:
            with urlopen(Request(url, headers={"Host": "sfumato.example"})) as response:
                return response.status, response.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError("the server does not answer")
