"""Pages of a real browser that watch for errors, and the check of accessibility."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

HERE = Path(__file__).parent
TREE = HERE.parents[2]
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
PROGRAM = (
    next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if find_spec("playwright")
    else None
)
# a refused request is an answer of the server, which tests expect in places; its status is looked at instead.  A test
# that takes the connection away sees requests fail
_ANSWERED = re.compile(
    r"Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DISCONNECTED)"
    r"|Response Status Error Code 4"
)
_LISTENED_TO = """text => {
    const form = document.querySelector("#panel-form");
    return form?.querySelector("textarea[name=text-en]")?.value === text && form["htmx-internal-data"]?.initHash;
}"""
_WIDTH = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Site:
    """The server: its address, its process, and what scenes it can set."""

    def __init__(self, home: Path) -> None:
        source = os.pathsep.join([str(TREE / "src"), str(TREE / "tests")])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.browser.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=TREE,
            env={
                **os.environ,
                "SFUMATO_HOME": str(home),
                "SFUMATO_SECRET": "browser-tests",
                "PYTHONPATH": source,
            },
        )
        self.home = home
        self.url = f"http://127.0.0.1:{self._line()['port']}"
        with urlopen(f"{self.url}/sign-in/", timeout=120):  # the first page loads what all pages need
            pass

    def scene(self, name: str, **arguments: Any) -> Any:
        """What a function of `scenes` answers in the process of the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"scene": name, "arguments": arguments}) + "\n")
        self.process.stdin.flush()
        line = self._line()
        assert "error" not in line, line["error"]
        return line["answer"]

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()  # type: ignore[union-attr]
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]

    def _line(self) -> dict[str, Any]:
        line = self.process.stdout.readline()  # type: ignore[union-attr]
        assert line, "the server of the browser tests ended"
        answer: dict[str, Any] = json.loads(line)
        return answer


class Watched:
    """A page, and what went wrong on it: errors of scripts, violated policy, status 500, requests to elsewhere."""

    def __init__(self, page: Any, site: Site) -> None:
        self.page, self.site, self.problems = page, site, list[str]()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        page.on("response", self._response)
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type == "error" and not _ANSWERED.search(message.text):
            self.problems.append(f"console: {message.text}")

    def _response(self, response: Any) -> None:
        path = response.url.removeprefix(self.site.url)
        part = response.request.resource_type in ("script", "stylesheet", "image", "font")
        if response.status >= 500 or (part and response.status >= 400):
            self.problems.append(f"status {response.status} of {path}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.site.url + "/", "data:", "blob:" + self.site.url)):
            self.problems.append(f"a request to elsewhere: {request.url}")


def assert_accessible(page: Any, *, only: Sequence[str] = ()) -> None:
    """Fail with every rule of axe-core (WCAG 2.2 AA) that the page breaks; also if it is wider than its window.

    only : names of rules, if not all are looked at, as for a page in other colours.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate((HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8") + "\n;undefined")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    options = {
        "runOnly": {"type": "rule", "values": list(only)} if only else {"type": "tag", "values": tags},
        "resultTypes": ["violations"],
    }
    outcome = page.evaluate("options => axe.run(document, options)", options)
    broken = [
        f"{rule['id']}: {rule['help']} at " + ", ".join(str(node["target"][0]) for node in rule["nodes"][:5])
        for rule in outcome["violations"]
    ]
    wider = page.evaluate(_WIDTH)
    if wider > 0:
        broken.append(f"the page is {wider} px wider than the window")
    assert not broken, f"{page.url}\n" + "\n".join(broken)


def in_the_dark(page: Any) -> None:
    """Look at the page in dark colours, and put it back."""
    page.emulate_media(color_scheme="dark")
    assert_accessible(page, only=["color-contrast"])
    page.emulate_media(color_scheme="light")


def button(page: Any, name: str) -> Any:
    """The first button of this name."""
    return page.get_by_role("button", name=name, exact=True).first


def press(page: Any, role: str, name: str) -> None:
    """Reach a link or a button by the Tab key alone, see that the focus is visible, and press Enter."""
    wanted = page.get_by_role(role, name=name, exact=True).first
    wanted.wait_for()
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            break
    else:
        raise AssertionError(f"the Tab key does not reach the {role} {name}")
    style = wanted.evaluate("element => getComputedStyle(element).outlineStyle")
    assert style != "none", f"the focus on {name} is not visible"
    page.keyboard.press("Enter")


def panel_of(page: Any, text: str) -> None:
    """Wait for the panel of the question with this text, and until changes of its fields are listened to."""
    page.wait_for_function(_LISTENED_TO, arg=text)


def keep_picture(page: Any, name: str, *, begin: Any = None, height: int | None = None) -> None:
    """A screenshot in the folder that SFUMATO_SCREENSHOTS names, if it does; the documentation shows some of them.

    begin : the element with which it begins, if not with the page.  height : in pixels, if not that of the window.
    """
    if folder := os.environ.get("SFUMATO_SCREENSHOTS"):
        width = page.viewport_size["width"]
        page.wait_for_load_state("networkidle")
        page.evaluate("window.scrollTo(0, 0)")
        if begin is not None:
            begin.evaluate("element => scrollTo(0, element.getBoundingClientRect().top - 80)")  # below what is fixed
        page.screenshot(
            path=str(Path(folder) / f"{name}-{'phone' if width < 640 else 'desktop'}.png"),
            full_page=height is not None,
            clip={"x": 0, "y": 0, "width": width, "height": height} if height is not None else None,
        )
