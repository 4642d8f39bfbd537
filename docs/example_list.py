"""The table of docs/examples.md: every notebook and script in the folder examples, with what it says about itself."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

__all__ = ["about", "examples", "files_beside", "table"]

FOLDER = Path(__file__).parents[1] / "examples"
_ENDINGS = (".ipynb", ".py", ".sh")  # of several files with one name, the first is shown


def examples() -> list[Path]:
    """One file for each example, by name."""
    found = {file.stem: file for ending in reversed(_ENDINGS) for file in FOLDER.glob(f"*{ending}")}
    return [found[name] for name in sorted(found)]


def about(file: Path) -> str:
    """The first sentence of an example, without marks of Markdown."""
    text = file.read_text("utf-8")
    if file.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "".join(cells[0]["source"]) if cells else file.stem
    elif file.suffix == ".py":
        text = ast.get_docstring(ast.parse(text)) or file.stem
    else:
        text = re.sub(r"\A#!.*\n", "", text)
    first = next(line for line in text.splitlines() if line.strip("# "))
    return first.strip("# ").rstrip(".") + "."


def files_beside(script: Path) -> list[Path]:
    """The files of the folder that a shell script needs beside it."""
    return [script.with_name(name) for name in re.findall(r'"\$here/([^"]+)"', script.read_text("utf-8"))]


def table() -> str:
    return "\n".join(["| example | kind | files |", "| --- | --- | --- |", *map(_row, examples())]) + "\n"


def _row(file: Path) -> str:
    kinds = {".ipynb": "notebook", ".py": "Python", ".sh": "shell"}
    title = f"[{about(file)}](examples/{file.stem}.md)" if file.suffix == ".ipynb" else about(file)
    files = ", ".join(f"{{download}}`{each.name} <../examples/{each.name}>`" for each in [file, *files_beside(file)])
    return f"| {title} | {kinds[file.suffix]} | {files} |"
