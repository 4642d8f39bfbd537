"""--threads: the same files and words with any number, refusals, and errors and interruptions inside threads."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

VISITS = "trajectory,location\n" + "".join(
    f"{person},{place}\n" for person in range(30) for place in ("a", "bc"[person % 2], "c")
)
PLACES = "location,x,y\na,0,0\nb,1,0\nc,1,1\n"
DIVIDE = "from sfumato.kernels.verify.prefixes import divided\ndivided._RECORDS = divided._EMBEDDINGS = 1\n"
MAIN = "import sys\nfrom sfumato.cli import main\nmain(sys.argv[1:])\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "places.csv").write_text(PLACES)
    return tmp_path


def run(folder: Path, *args: str, code: str = MAIN, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_THREADS")} | variables
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def anonymize(folder: Path, out: str, *more: str, **variables: str) -> subprocess.CompletedProcess[str]:
    words = ("anonymize", "seqanon", "visits.csv", "--places", "places.csv", "--k", "3", "--m", "2", "--out", out)
    return run(folder, *words, *more, **variables)


def test_the_files_are_the_same(files: Path) -> None:
    for number in ("1", "2"):
        assert anonymize(files, number, "--threads", number).returncode == 0
    assert anonymize(files, "3", SFUMATO_THREADS="3").returncode == 0
    for number in ("2", "3"):
        for file in (files / "1").iterdir():
            assert file.read_bytes() == (files / number / file.name).read_bytes()
    checks = [run(files, "verify", "1", f"--threads={number}") for number in (1, 2)]
    assert checks[0].returncode == 0
    assert checks[0].stdout == checks[1].stdout


def test_polars_obeys(files: Path) -> None:
    code = (
        "import sys\nfrom sfumato.cli import main\ntry:\n    main(sys.argv[1:])\n"
        "finally:\n    import polars\n    print('polars', polars.thread_pool_size())\n"
    )
    for words in (("describe", "visits.csv"), ("anonymize", "seqanon", "--help")):
        assert "polars 1\n" in run(files, *words, "--threads", "1", code=code).stdout


@pytest.mark.parametrize(
    ("wrong", "found"), [("0", "0 is not in the range x>=1"), ("x", "'x' is not a valid integer range")]
)
def test_a_wrong_number_is_refused(files: Path, wrong: str, found: str) -> None:
    done = run(files, "describe", "visits.csv", "--threads", wrong)
    assert done.returncode == 2
    assert done.stderr == f"sfumato: describe: Invalid value for '--threads': {found}.\n"


def test_a_wrong_variable_is_refused(files: Path) -> None:
    done = run(files, "audit", "visits.csv", SFUMATO_THREADS="many")
    assert done.returncode == 2
    assert done.stderr == "sfumato: SFUMATO_THREADS: wanted a whole number of threads of 1 or more, got 'many'\n"


@pytest.mark.parametrize(
    ("error", "sentence", "code"),
    [
        ("__import__('sfumato.errors').errors.DataError('too odd')", "sfumato: too odd\n", 2),
        ("ZeroDivisionError('of Bob')", "sfumato: ZeroDivisionError inside sfumato; this is a bug", 1),
    ],
)
def test_an_error_inside_a_thread_is_one_sentence(files: Path, error: str, sentence: str, code: int) -> None:
    spoiled = f"{DIVIDE}def fail(*_):\n    raise {error}\ndivided.supports_of_part = fail\n{MAIN}"
    words = ("verify", "visits.csv", "--model", "km", "--k", "2", "--m", "2", "--threads", "3")
    done = run(files, *words, code=spoiled)
    assert done.returncode == code
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert "Bob" not in done.stderr


def test_an_interrupted_run_ends_promptly(files: Path) -> None:
    """Also if threads are inside code that does not notice."""
    slow = (
        f"{DIVIDE}import os, signal, threading, time\n"
        "def sleep(*_):\n"
        "    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    time.sleep(40)\n"
        f"divided.supports_of_part = sleep\n{MAIN}"
    )
    begun = time.monotonic()
    done = run(files, "verify", "visits.csv", "--model", "km", "--k", "2", "--m", "2", "--threads", "2", code=slow)
    assert (done.returncode, done.stderr.strip()) == (130, "sfumato: interrupted, nothing was written")
    assert time.monotonic() - begun < 30
