"""`sfumato compare`: what it says, and what is left when it is stopped."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXPERIMENT = """
title = "Walks"
repetitions = 2
measures = ["intact"]
[data]
file = "visits.csv"
person = "person"
[[configuration]]
method = "seqanon"
parameters = { m = 1 }
[[configuration]]
method = "seqanon-f"
parameters = { m = 1 }
[vary]
parameter = "k"
values = [2, 6]
[[chart]]
y = "intact"
claim = "It falls."
expects = { monotone = "falling" }
"""


@pytest.fixture
def experiment(visits: Path) -> Path:
    path = visits.with_name("walks.toml")
    path.write_text(EXPERIMENT)
    return path


def test_a_person_and_a_machine_are_told(run, experiment: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = run("compare", experiment, "--out", out, "--jobs", 1, "--keep-releases")
    assert ran.code == 0, ran.err
    assert ran.err == ""
    assert "Walks: medians over 2 repetitions" in ran.out
    # two to five of the six persons visit each of the five places
    assert (
        "✓ Locations published intact: Holds: seqanon falls from 100 (k = 2) to 0 (k = 6) and never rises;" in ran.out
    )
    assert "8 of 8 runs were made now" in ran.out
    assert "report.html, results.csv and summary.csv are private" in ran.out
    assert "name-" not in ran.out + (out / "report.html").read_text() + (out / "results.csv").read_text()
    assert f"8 releases kept in {out / 'releases'}. Publish at most one" in ran.out
    assert stat.S_IMODE((out / "releases").stat().st_mode) == 0o700
    said = json.loads(run("compare", experiment, "--out", out, "--json").out)
    names = [f"{name}-k-{k}-run-{seed}" for name in ("seqanon", "seqanon-f") for k in (2, 6) for seed in (1, 2)]
    assert sorted(said["releases"]) == [str(out / "releases" / name) for name in sorted(names)]
    assert run("verify", said["releases"][0], "--original", experiment.with_name("visits.csv")).code in (0, 3)
    assert (said["runs"], said["ran"], said["private"]) == (8, 0, True)
    assert said["charts"][0]["claims"][0]["claim"] == "It falls."
    assert said["charts"][0]["claims"][0]["verdict"] == "holds"
    assert {row["figure"] for row in said["summary"]} >= {"intact", "seconds", "holds", "counts.published_records"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("seqanon-f", "seqanonf"), "configuration 2: no method is called 'seqanonf'; did you mean 'seqanon-f'?"),
        (("intact", "intakt"), "measure 1: no measure is called 'intakt'; did you mean 'intact'?"),
        (('person = "person"', 'person = "who"'), "visits.csv: wanted a column 'who' for person, found none; "),
        (("visits.csv", "visit.csv"), "visit.csv: no such file"),
        (("[vary]", "[vary"), "walks.toml, line 14: wanted TOML: "),
    ],
)
def test_refusals(run, experiment: Path, tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    experiment.write_text(EXPERIMENT.replace(*change))
    before = sorted(tmp_path.iterdir())
    ran = run("compare", experiment, "--out", tmp_path / "out")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert sentence in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_promise_that_does_not_hold_is_an_error(run, experiment: Path, tmp_path: Path, monkeypatch) -> None:
    from sfumato.experiments.result_store import Store

    # the workers are other processes: the outcome is spoiled on its way into the store
    keep = Store.keep
    monkeypatch.setattr(Store, "keep", lambda self, key, outcome: keep(self, key, outcome | {"holds": [False]}))
    monkeypatch.setattr("sfumato.experiments.comparison._why_no_charts", lambda: "no charts today")
    ran = run("compare", experiment, "--out", tmp_path / "out", "--jobs", 1)
    assert ran.code == 1
    assert "✗ seqanon at 2, seed 1: a promise does not hold" in ran.out
    assert "No charts: no charts today" in ran.out


SLOW = """
title = "Slow"
repetitions = 1
[data]
generate = "checkins"
parameters = { locations = 3000, zipf = 0.3 }
[[configuration]]
method = "seqanon"
parameters = { k = 5, m = 2 }
[vary]
parameter = "data.trajectories"
values = [300, 200000]
"""


@pytest.fixture
def start(tmp_path: Path):
    """Starts the comparison, and ends it with the test."""
    started = []

    def starting() -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "sfumato", "compare", "slow.toml", "--out", "out", "--jobs", "2"]
        pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
        started.append(subprocess.Popen(command, cwd=tmp_path, text=True, **pipes))
        return started[-1]

    yield starting
    for process in started:
        process.kill()
        process.communicate()


def wait_for(what, seconds: float = 240) -> None:
    for _ in range(int(seconds * 20)):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("waited too long")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_a_stopped_comparison_keeps_what_is_finished_and_leaves_nobody_behind(start, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    cells = tmp_path / "out" / "cells"
    running = start()
    wait_for(lambda: list(cells.glob("*.json")))
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=240)
    assert running.returncode == 130
    assert (
        err.strip()
        == "sfumato: interrupted; 1 finished runs are kept in out, and the same command continues from there"
    )
    (kept,) = cells.glob("*.json")
    before = kept.stat().st_mtime_ns

    running = start()
    wait_for(lambda: len(workers_of(running.pid)) > 0)
    workers = workers_of(running.pid)
    time.sleep(0.5)
    running.kill()
    running.communicate(timeout=240)
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    assert kept.stat().st_mtime_ns == before
    assert not (tmp_path / "out" / "results.csv").exists()


def workers_of(parent: int) -> list[int]:
    """The processes that were started by this one to work, not the one that tracks their resources."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                is_child = f"\nPPid:\t{parent}\n" in (folder / "status").read_text()
                if is_child and b"spawn_main" in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    assert os.getpid() not in found
    return found


def test_an_unknown_order_of_dates_names_the_field_of_the_file(run, tmp_path) -> None:
    (tmp_path / "days.csv").write_text("age,day\n30,01/02/2020\n31,02/03/2020\n30,03/04/2020\n")
    definition = tmp_path / "days.toml"
    definition.write_text(
        'title = "x"\nrepetitions = 1\nmeasures = ["ncp"]\n[data]\nfile = "days.csv"\n'
        'quasi_identifiers = ["age", "day"]\n[[configuration]]\nmethod = "cluster"\nparameters = {k = 2}\n'
    )
    refused = run("compare", definition, "--out", tmp_path / "out")
    assert (refused.code, "--dates" in refused.err) == (2, False)
    assert 'dates = "day-first", "month-first" or "text" under [data]' in refused.err
