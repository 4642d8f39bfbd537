"""`python -m docs.gallery`: make the pictures of docs/gallery.md anew, with the commands that the page shows.

The files and commands of the page are written and run in an empty directory.  Of each picture
``_static/gallery/NAME.png`` the file NAME.png of that directory is kept, reduced to 64 colours.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.workbench_pictures import reduce_picture

__all__ = ["commands_of", "files_of", "pictures_of"]

PAGE = Path(__file__).parent / "gallery.md"
PICTURES = Path(__file__).parent / "_static" / "gallery"


def files_of(page: str) -> dict[str, str]:
    """The files that the page shows, by name."""
    return dict(re.findall(r"(?s)```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)```", page))


def commands_of(page: str) -> list[list[str]]:
    """The commands of the page, each as a list of words."""
    blocks = re.findall(r"(?s)```console\n(.*?)```", page)
    return [shlex.split(line) for block in blocks for line in block.replace("\\\n", "").split("$ ")[1:]]


def pictures_of(page: str) -> list[str]:
    """The names of the pictures that the commands make."""
    return re.findall(r"\(_static/gallery/(\S+?)\)", page)


def main() -> None:
    page = PAGE.read_text("utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files_of(page).items():
            (Path(folder) / name).write_text(text, "utf-8")
        for command in commands_of(page):
            sys.stdout.write(f"$ {shlex.join(command)}\n")
            sys.stdout.flush()
            subprocess.run(
                command, cwd=folder, env={**os.environ, "PATH": programs}, check=True, stdout=subprocess.DEVNULL
            )
        for name in pictures_of(page):
            reduce_picture(Path(folder) / name, PICTURES / name)


if __name__ == "__main__":
    main()
