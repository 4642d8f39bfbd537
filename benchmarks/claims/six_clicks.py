"""The workbench from a cold start: from `sfumato serve` in an empty private folder to a certified release of a CSV file
of 5,000 patients, by six clicks in a real browser, with 20 s for advice.  With compiled methods under two minutes; with
nothing compiled (cold) under four.  Server, worker, browser and the example projects share the cores.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import Judged

CASES = [{"compiled": True}, {"compiled": False}]
LIMITS_S = {True: 120, False: 240}
_ADVICE_S = 20
_ROWS = 5_000
_STEPS = {
    "looks-right": "file read, s",
    "advise": "looks right, s",
    "advice": "advised, s",
    "evaluation": "run, s",
    "release": "published, s",
}


def patients() -> bytes:
    """Made-up patients as CSV."""
    illnesses = ["flu", "cold", "asthma", "hiv", "flu", "cold", "flu"]
    lines = [
        f"{20 + number * 7919 % 60},{'fm'[number * 31 % 2]},{4300 + number * 104729 % 40},{illnesses[number * 13 % 7]}"
        for number in range(_ROWS)
    ]
    return "\n".join(["age,sex,zip,illness", *lines, ""]).encode()


def measure(case: dict[str, Any]) -> dict[str, Any]:
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "compiled"
        if case["compiled"]:
            _run(Path(folder) / "before", compiled)
        return {**case, **_run(Path(folder) / "home", compiled)}


def _run(home: Path, compiled: Path) -> dict[str, Any]:
    """The seconds of each step."""
    from playwright.sync_api import sync_playwright

    from web.browser.driving_pages import PROGRAM
    from web.browser.six_clicks import six_clicks

    begun = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "sfumato", "serve", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "SFUMATO_HOME": str(home), "NUMBA_CACHE_DIR": str(compiled), "PYTHONUNBUFFERED": "1"},
    )
    try:
        link = next(filter(None, (re.search(r"http://\S+/start/\S+", line) for line in server.stdout or ())))[0]
        steps, last = {"started, s": time.perf_counter() - begun}, time.perf_counter()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(120_000)
            page.goto(link)

            def shown(name: str) -> None:
                nonlocal last
                now = time.perf_counter()
                steps[_STEPS.get(name, "first page, s")] = now - last
                last = now

            clicks = six_clicks(page, patients(), shown, seconds=_ADVICE_S)
            total = time.perf_counter() - begun
            browser.close()
    finally:
        server.terminate()
        server.wait(30)
    return {"clicks": clicks, **steps, "together, s": total}


def judge(rows: list[dict[str, Any]]) -> list[Judged]:
    verdicts = []
    for row in rows:
        limit, seconds, state = LIMITS_S[row["compiled"]], row["together, s"], "compiled" if row["compiled"] else "cold"
        sentence = f"{row['clicks']} clicks, {state}: {seconds:.0f} s, under {limit} s"
        verdicts.append(Judged(sentence, seconds < limit and row["clicks"] <= 6))
    return verdicts
