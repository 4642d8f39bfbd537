"""The notebooks in examples/: each has the cells of its script, small outputs, and a script that runs in small."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from docs.notebooks import EXAMPLES, SCRIPTS, cells_of, notebook_of, small

LARGEST = 300_000  # bytes of a notebook
MACHINE = re.compile(r"/(tmp|home|root|work|Users)/")

every_script = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)


def test_every_notebook_has_a_script() -> None:
    assert len(SCRIPTS) >= 7
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == {path.stem for path in SCRIPTS}


@every_script
def test_a_notebook_is_that_of_its_script(path: Path) -> None:
    """If this fails: make notebooks."""
    text = path.with_suffix(".ipynb").read_text("utf-8")
    kept, made = nbformat.reads(text, as_version=4), notebook_of(path.read_text("utf-8"))
    nbformat.validate(kept)
    assert [(cell.id, cell.cell_type, cell.source) for cell in kept.cells] == [
        (cell.id, cell.cell_type, cell.source) for cell in made.cells
    ]
    assert len(text.encode()) <= LARGEST
    assert not MACHINE.search(text)


@every_script
def test_a_notebook_shows_what_its_cells_return(path: Path) -> None:
    kept = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    outputs = [output for cell in kept.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs), "no picture"
    for cell in kept.cells:
        if cell.cell_type == "code" and isinstance(ast.parse(cell.source).body[-1], ast.Expr):
            assert cell.outputs, cell.source


@every_script
def test_a_script_runs_in_small(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell runs, and what it returns can be drawn."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    module = ModuleType("example")  # where classes of a cell look for their names
    monkeypatch.setitem(sys.modules, "example", module)
    for number, (kind, source) in enumerate(cells_of(small(path.read_text("utf-8"))), 1):
        if kind == "code":
            _draw(_run(source, f"{path.name}, cell {number}", vars(module)))


def _run(source: str, name: str, names: dict[str, object]) -> object:
    """Run a cell as a notebook does; returns the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if isinstance(last, ast.Expr) else None


def _draw(value: object) -> None:
    shown = [getattr(value, form)() for form in ("_repr_svg_", "_repr_html_") if hasattr(value, form)]
    if "altair" in type(value).__module__:
        shown = [value._repr_mimebundle_()]
    assert all(shown)
