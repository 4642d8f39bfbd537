"""`python -m docs.workbench_pictures [TEST ...]`: make the pictures of docs/workbench.md anew.

The pictures are what the browser tests see, reduced to 64 colours.  All tests run, or those whose
names are given, as after `pytest -k`.  That of the first page is made by `python -m docs.first_page_picture`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

TREE = Path(__file__).parents[1]
_STATIC = TREE / "docs" / "_static"
PICTURES = {  # of the documentation: of the tests
    "looks-right": "looks-right-desktop",
    "advice": "advice-desktop",
    "evaluation": "evaluation-desktop",
    "release": "release-desktop",
    "comparison": "compared-desktop",
    "dataset": "dataset-edited-desktop",
    "hierarchy": "hierarchy-desktop",
    "queries": "queries-desktop",
    "audit": "audit-desktop",
    "people": "people-desktop",
    "phone": "page-certificate-phone",
}
_COLOURS = 64


def keep_pictures(folder: str, pictures: Mapping[str, str], tests: list[str], names: list[str]) -> int:
    """Run the tests and keep the pictures in a folder of `docs/_static`; returns the exit code of the tests.

    tests : what pytest runs.  names : of tests, if not all of them are to run.
    """
    with tempfile.TemporaryDirectory() as seen:
        chosen = ["-k", " or ".join(names)] if names else []
        code = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, *chosen],
            cwd=TREE,
            env={**os.environ, "SFUMATO_SCREENSHOTS": seen},
            check=False,
        ).returncode
        target = _STATIC / folder
        target.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            source = Path(seen) / f"{picture}.png"
            if source.is_file():
                reduce_picture(source, target / f"{name}.png")
            elif not names:
                sys.stderr.write(f"no test made {picture}.png\n")
                code = code or 1
    return code


def reduce_picture(source: Path, target: Path) -> None:
    """A picture in few colours."""
    with Image.open(source) as picture:
        reduced = picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        reduced.save(target, optimize=True)
    sys.stdout.write(f"{target.relative_to(TREE)}: {target.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    of_workbench = ["tests/web/browser", "--ignore=tests/web/browser/studies"]
    sys.exit(keep_pictures("workbench", PICTURES, of_workbench, sys.argv[1:]))
