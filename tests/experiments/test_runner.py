"""Runs in processes of their own: limited, watched, cancelled, killed, and started again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments.conftest import DATA, TOP, TWO, VARY
from sfumato import Transactions
from sfumato.errors import Cancelled, MissingExtra
from sfumato.experiments.advice.advising import advise
from sfumato.experiments.comparison import compare
from sfumato.experiments.definition.file_tables import Data
from sfumato.experiments.reports import charts
from sfumato.experiments.run_spec import RunSpec
from sfumato.experiments.runner import RunEnd, Runner, StartedRun, Task, packed
from sfumato.privacy import KmAnonymity

BASKETS = Transactions.from_lists([["ale", "tea"]] * 4 + [["ale"]] * 4)
DATASETS = {"baskets": packed(BASKETS)}
needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks for processes in /proc")


def spec(method: str = "disassociate", k: int = 2, **fields: Any) -> RunSpec:
    fields = {"dataset": "baskets", "measures": [{"measure": "are"}], **fields}
    return RunSpec(method=method, arguments={"k": k, "m": 1}, **fields)


def slow(**fields: Any) -> RunSpec:
    """A run of minutes."""
    data = Data(generate="checkins", arguments={"trajectories": 200_000, "locations": 3_000, "zipf": 0.3}, seed=1)
    return RunSpec(data=data, method="seqanon", arguments={"k": 5, "m": 2}, **fields)


def run_all(*specs: RunSpec, jobs: int = 1, **more: Any) -> list[RunEnd]:
    waiting = [Task(number, one) for number, one in enumerate(specs)]
    ends: dict[int, RunEnd] = {}
    runner = Runner(jobs=jobs, **more)
    runner.run(
        lambda: waiting.pop(0) if waiting else None,
        lambda task, end: ends.update({task.key: end}),
        datasets=DATASETS,
    )
    assert multiprocessing.active_children() == []
    return [ends[number] for number in range(len(specs))]


def wait_for(what: Callable[[], Any], seconds: float = 120) -> None:
    for _ in range(int(seconds * 50)):
        if what():
            return
        time.sleep(0.02)
    raise AssertionError("waited too long")


def test_tasks_run_meet_a_limit_are_refused_and_run_again() -> None:
    """One process does it all: a limit of nothing stops it, and another takes over."""
    ran, late, infeasible, wrong, unknown, again = run_all(
        spec(), spec(limit_s=0.0), spec(k=100), spec("apriori"), spec(dataset="books"), spec()
    )
    assert (ran.state, ran.outcome["holds"]) == ("ran", [True])
    assert (late.state, late.outcome) == ("limit", {})
    assert infeasible.state == "infeasible"
    assert infeasible.reason.startswith("disassociate: k=100 needs at least 100")
    assert (wrong.state, wrong.reason.partition(",")[0]) == ("refused", "apriori: needs taxonomy")
    assert (unknown.state, unknown.reason) == ("refused", "no dataset is called 'books'; give it to the runner")
    assert again.outcome["figures"] == ran.outcome["figures"]
    assert all(end.seconds >= 0 for end in (ran, late, infeasible, wrong, unknown, again))


def test_a_run_generates_its_own_data() -> None:
    data = Data(generate="baskets", arguments={"records": 30, "items": 20}, seed=1)
    (ran,) = run_all(spec(dataset=None, data=data, sample=20))
    assert ran.outcome["counts"]["original_records"] == 20


def test_no_task_starts_no_process() -> None:
    assert run_all(jobs=2) == []


@needs_proc
def test_a_limit_of_memory() -> None:
    small, large = run_all(spec(limit_mb=1), spec(limit_mb=1e6))
    assert (small.state, small.reason) == ("limit", "needs more than 1 MB of memory")
    assert large.state == "ran"


def test_phases_are_watched_and_change_nothing() -> None:
    seen: list[tuple[int, str]] = []
    (watched,) = run_all(spec(), watch=lambda task, phase, *_: seen.append((task.key, phase)))
    (alone,) = run_all(spec())
    phases = list(dict.fromkeys(phase for _, phase in seen))
    assert {key for key, _ in seen} == {0}
    assert phases[-2:] == ["publishing", "verifying"]
    assert len(phases) > 2
    assert watched.outcome["figures"] == alone.outcome["figures"]


def test_who_watches_may_stop_it_all() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(spec(), watch=stop)
    assert multiprocessing.active_children() == []


def test_a_killed_worker_is_said_and_replaced() -> None:
    def kill(task: Task, *_: object) -> None:
        if task.key == 0:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid, signal.SIGKILL)

    dead, alive = run_all(spec(), spec(), watch=kill)
    assert (dead.state, dead.outcome) == ("died", {})
    assert dead.reason == "a worker process ended before its work was done (too little memory?)"
    assert alive.state == "ran"


@needs_proc
def test_an_interruption_reaches_a_process_neither_while_it_starts_nor_while_it_runs() -> None:
    blocked: list[int] = []

    def look(*_: object) -> None:
        for worker in multiprocessing.active_children():
            lines = dict(line.split(":", 1) for line in Path(f"/proc/{worker.pid}/status").read_text().splitlines())
            blocked.append(int(lines["SigBlk"], 16) & 1 << (signal.SIGINT - 1))

    run_all(spec(), watch=look)
    assert blocked
    assert all(blocked)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_started_run_is_waited_for() -> None:
    started = StartedRun(spec(), datasets=DATASETS)
    assert started.wait(0.0) is None
    end = started.wait()
    assert end is not None
    assert end.state == "ran"
    assert started.cancel() == end, "what has ended stays as it ended"
    assert multiprocessing.active_children() == []


def test_a_started_run_is_cancelled_from_another_thread() -> None:
    started = StartedRun(slow())
    threading.Timer(0.5, started.cancel).start()
    end = started.wait(60)
    assert end is not None
    assert (end.state, end.reason) == ("cancelled", "the runs were cancelled")
    assert multiprocessing.active_children() == []


def test_the_error_of_the_one_who_watches_reaches_the_one_who_waits() -> None:
    def fail(*_: object) -> None:
        raise LookupError("watching")

    with pytest.raises(LookupError, match="watching"):
        StartedRun(spec(), datasets=DATASETS, watch=fail).wait()
    assert multiprocessing.active_children() == []


def test_a_cancelled_runner_runs_nothing_more() -> None:
    runner = Runner(jobs=1)
    runner.cancel()
    runner.cancel()
    with pytest.raises(Cancelled):
        runner.run(lambda: pytest.fail("nothing more"), lambda *_: None)
    with pytest.raises(Cancelled):
        advise(BASKETS, KmAnonymity(k=2, m=1), runner=runner)


def test_a_cancelled_comparison_keeps_what_is_finished_and_goes_on(write, tmp_path: Path, monkeypatch) -> None:
    def absent() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(charts, "require_charts", absent)
    path, out, runner = write(TOP, DATA, VARY, TWO), tmp_path / "out", Runner(jobs=1)

    def tell(done: int, *_: object) -> None:
        if done == 3:
            threading.Thread(target=runner.cancel).start()
            wait_for(runner._cancelled.is_set)

    with pytest.raises(
        Cancelled, match=r"compare: cancelled; 3 finished runs are kept in .*, the same command continues"
    ):
        compare(path, out, runner=runner, tell=tell)
    assert multiprocessing.active_children() == []
    assert not (out / "results.csv").exists()
    assert not list(out.rglob("*.partial"))
    assert compare(path, out, jobs=1).ran == 5


SCRIPT = """
from sfumato.experiments.runner import StartedRun
from experiments.test_runner import slow

if __name__ == "__main__":
    StartedRun(slow(), watch=lambda *_: print("runs", flush=True)).wait()
"""


@needs_proc
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_the_run_ends_with_a_killed_parent(tmp_path: Path, by: signal.Signals) -> None:
    (tmp_path / "job.py").write_text(SCRIPT)
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    parent = subprocess.Popen(
        [sys.executable, "job.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE
    )
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"runs\n"
        children = children_of(parent.pid)
        assert children
        parent.send_signal(by)
        parent.wait(30)
        wait_for(lambda: not any(alive(child) for child in children), 30)
    finally:
        parent.kill()
        parent.communicate()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == ["job.py"]


def children_of(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in found for child in file.read_text().split()]


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
