"""The workbench on one process with SQLite, on loopback: 100 pages a second, of which 95 % take under 150 ms; ten
people who filter a million rows at the same time wait under 300 ms at the median; an upload of 1 GB needs less than
200 MB of memory more than the server had.  Server and callers share the cores.
"""

from __future__ import annotations

import http.client
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.measure import Judged

CASES = [
    {"what": "pages", "people": 4, "requests": 400},
    {"what": "filtering a million rows", "people": 10, "requests": 50},
    {"what": "upload of 1 GB", "people": 1, "requests": 1},
]
_LONGEST_S = 120
_BLOCK = 1 << 20
_UPLOAD = 1000 * _BLOCK


class Caller:
    """A person with a session and a kept connection."""

    def __init__(self, site: Any, name: str) -> None:
        cookie = site.scene("person", username=name)
        self.cookies = {cookie["name"]: cookie["value"]}
        self.connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=_LONGEST_S)
        self.csrf = ""

    def get(self, path: str) -> float:
        """Open a page; returns the seconds."""
        begun = time.perf_counter()
        answer = self._sent("GET", path)
        assert answer.status == 200, (path, answer.status)
        return time.perf_counter() - begun

    def post(self, path: str, body: Any, **headers: str) -> float:
        """Send a form; returns the seconds."""
        if not self.csrf:
            self._sent("GET", "/")
        begun = time.perf_counter()
        answer = self._sent("POST", path, body, {"X-CSRFToken": self.csrf, **headers})
        assert answer.status == 302, (path, answer.status)
        return time.perf_counter() - begun

    def _sent(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, path, body, {"Cookie": cookie, **(headers or {})})
        answer = self.connection.getresponse()
        answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        self.csrf = self.cookies.get("csrftoken", "")
        return answer


def measure(case):
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from web.browser.driving_pages import Site

    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        try:
            callers = [Caller(site, f"person-{number}") for number in range(case["people"])]
            members = {f"person-{number}": "member" for number in range(1, case["people"])}
            project = site.scene("project", owner="person-0", people=members)
            return {
                "what": case["what"],
                "people": case["people"],
                **MEASURES[case["what"]](callers, project, case, site),
            }
        finally:
            site.close()


def pages(callers, project, case, _site):
    paths = ["/", f"/p/{project}/", f"/p/{project}/data/", f"/p/{project}/runs/", f"/p/{project}/releases/"]
    for path in paths:
        callers[0].get(path)
    return _together(callers, case["requests"], lambda caller, number: caller.get(paths[number % len(paths)]))


def filtering(callers, project, case, site):
    dataset = site.scene("large_dataset", project_id=project, rows=1_000_000)
    address = f"/p/{project}/data/{dataset}/"

    def turn(caller: Caller, number: int) -> float:
        form = {"look": "filter", "column": "cost", "test": "between", "low": str(number), "high": str(number + 40)}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        cleared = {"look": "all"}
        seconds = caller.post(f"{address}look/", urlencode(form), **kind) + caller.get(address)
        caller.post(f"{address}look/", urlencode(cleared), **kind)
        return seconds

    turn(callers[0], 0)
    return _together(callers, case["requests"], turn)


def upload(callers, project, _case, site):
    callers[0].get(f"/p/{project}/data/new/")
    before = _memory(site.process.pid, "VmRSS")
    boundary = "0123456789abcdef"
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    ).encode()
    foot = f"\r\n--{boundary}--\r\n".encode()
    line = b"31,4310,flu\n"
    block = line * (_BLOCK // len(line))
    count = _UPLOAD // len(block)

    def body() -> Iterator[bytes]:
        yield head
        for _ in range(count):
            yield block
        yield foot

    length = len(head) + count * len(block) + len(foot)
    kind = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(length)}
    seconds = callers[0].post(f"/p/{project}/data/new/", body(), **kind)
    return {
        "requests": 1,
        "seconds": seconds,
        "memory before, MB": before,
        "peak memory, MB": _memory(site.process.pid, "VmHWM"),
    }


MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "pages": pages,
    "filtering a million rows": filtering,
    "upload of 1 GB": upload,
}


def _together(callers: list[Caller], requests: int, turn: Callable[[Caller, int], float]) -> dict[str, Any]:
    """Every caller takes turns at the same time as the others; bounded in number and time."""
    seconds: list[float] = []
    numbers = iter(range(1, requests + 1))
    lock = threading.Lock()
    end = time.monotonic() + _LONGEST_S

    def work(caller: Caller) -> None:
        while time.monotonic() < end:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            taken = turn(caller, number)
            with lock:
                seconds.append(taken)

    begun = time.perf_counter()
    threads = [threading.Thread(target=work, args=(caller,)) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed = time.perf_counter() - begun
    return {
        "requests": len(seconds),
        "a second": len(seconds) / passed,
        "median, ms": 1000 * statistics.median(seconds),
        "p95, ms": 1000 * statistics.quantiles(seconds, n=20)[-1],
    }


def _memory(process: int, name: str) -> int:
    """A figure of a process in MB: VmRSS, what it holds, or VmHWM, the most that it held."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return round(int(line.split()[1]) / 1024)
    raise KeyError(name)


def judge(rows):
    of = {row["what"]: row for row in rows}
    shown, filtered, sent = (of[case["what"]] for case in CASES)
    growth = sent["peak memory, MB"] - sent["memory before, MB"]
    return [
        Judged(f"{shown['a second']:.0f} pages a second: at least 100", shown["a second"] >= 100),
        Judged(f"the slowest page of twenty: {shown['p95, ms']:.0f} ms, under 150 ms", shown["p95, ms"] < 150),
        Judged(
            f"ten people filter: median {filtered['median, ms']:.0f} ms, under 300 ms", filtered["median, ms"] < 300
        ),
        Judged(f"an upload of 1 GB needs {growth} MB more memory: under 200 MB", growth < 200),
    ]
