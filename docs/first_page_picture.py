"""`python -m docs.first_page_picture`: the first page of the workbench as one person sees it, with all examples.

The browser tests run a server for a team, on which examples are made on request.  This starts `sfumato serve` in an
empty private folder, and waits for its examples.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.workbench_pictures import TREE, reduce_picture

__all__ = ["PICTURE"]

PICTURE = TREE / "docs" / "_static" / "workbench" / "home.png"
_EXAMPLES = 6  # one for each kind of data, and a study
_LIMIT_MS = 600_000


def main() -> None:
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(TREE / "tests"))
    from web.browser.driving_pages import PROGRAM

    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "sfumato", "serve", "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "SFUMATO_HOME": str(Path(folder) / "home"), "PYTHONUNBUFFERED": "1"},
        )
        try:
            link = next(filter(None, (re.search(r"http://\S+/start/\S+", line) for line in server.stdout or ())))[0]
            with sync_playwright() as playwright:
                page = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"]).new_page(
                    viewport={"width": 1280, "height": 900}
                )
                page.set_default_timeout(_LIMIT_MS)
                page.goto(link)
                while page.get_by_role("link", name="Example: ").count() < _EXAMPLES:
                    page.wait_for_timeout(5_000)
                    page.reload()
                page.screenshot(path=str(Path(folder) / "home.png"))
            reduce_picture(Path(folder) / "home.png", PICTURE)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
