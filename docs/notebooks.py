"""The notebooks in examples/, made from the scripts beside them.

``python -m docs.notebooks [NAME ...]`` runs each script, or those that are named, in a kernel and writes the notebook
with its outputs.  A script is text and code between lines ``# %% [markdown]`` and ``# %%``.  A test fails where a
notebook does not have the cells of its script.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient

__all__ = ["EXAMPLES", "SCRIPTS", "Cell", "cells_of", "notebook_of", "small"]

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_SIZE = re.compile(r"^SIZE = [\d_]+  # .*?(\d+) are enough for a quick look$", re.MULTILINE)


class Cell(NamedTuple):
    """A cell of a script: markdown or code."""

    kind: str
    source: str


def cells_of(script: str) -> list[Cell]:
    r"""The cells of a script.

    >>> cells_of("# %% [markdown]\n# # Title\n#\n# Text.\n\n# %%\nx = 1\n")
    [Cell(kind='markdown', source='# Title\n\nText.'), Cell(kind='code', source='x = 1')]
    """
    first, *parts = re.split(r"^# %%", script, flags=re.MULTILINE)
    if first.strip():
        raise ValueError(f"wanted '# %%' before the first cell, found {first.strip()[:40]!r}")
    return [_cell(*part.split("\n", 1)) for part in parts]


def _cell(mark: str, body: str) -> Cell:
    if mark.strip() == "[markdown]":
        lines = body.strip().splitlines()
        if wrong := [line for line in lines if not line.startswith("#")]:
            raise ValueError(f"wanted '#' before each line of text, found {wrong[0]!r}")
        return Cell("markdown", "\n".join(line[1:].removeprefix(" ") for line in lines))
    return Cell("code", body.strip())


def small(script: str) -> str:
    r"""The script with the small size that its comment names.

    >>> small("SIZE = 3_000  # people; 300 are enough for a quick look\n")
    'SIZE = 300\n'
    """
    changed, number = _SIZE.subn(lambda found: f"SIZE = {found[1]}", script)
    if number != 1:
        raise ValueError(f"wanted one line 'SIZE = N  # ...; N are enough for a quick look', found {number}")
    return changed


def notebook_of(script: str) -> nbformat.NotebookNode:
    """The notebook of a script, without outputs."""
    make = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    cells = [make[cell.kind](cell.source, id=f"cell-{number}") for number, cell in enumerate(cells_of(script), 1)]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def executed(script: str) -> nbformat.NotebookNode:
    """The notebook of a script with its outputs; what depends on the moment and the machine is left out."""
    made = notebook_of(script)
    NotebookClient(made, timeout=1800, startup_timeout=600, kernel_name="python3", record_timing=False).execute()
    made.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in made.cells:
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr":
                raise ValueError(f"wanted no warnings, found {output.text!r}")
            _keep_what_is_shown(output)
    return made


def _keep_what_is_shown(output: nbformat.NotebookNode) -> None:
    """Of several forms of a result, the richest; an address in memory would differ in each run."""
    forms = output.get("data", {})
    for richest in ("image/svg+xml", "text/html"):
        if richest in forms:
            text = forms["text/plain"]
            output.data = {richest: forms[richest], "text/plain": re.sub(r" at 0x[0-9a-f]+", "", text)}
            if richest == "image/svg+xml":
                output.metadata = {}
            return


def main(names: list[str]) -> None:
    """Write the notebooks of all scripts, or of those that are named."""
    os.environ["NUMBA_CPU_NAME"] = "generic"  # as the command line: both share what was compiled
    for path in SCRIPTS:
        if not names or path.stem in names:
            text = nbformat.writes(executed(path.read_text("utf-8")))
            path.with_suffix(".ipynb").write_text(text + "\n", encoding="utf-8")
            print(f"{path.stem}: {len(text):,} bytes")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
