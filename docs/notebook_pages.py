"""The notebooks of the folder examples as pages of the site: text, code and the outputs that the notebook keeps.

The site shows one where a page of docs/examples says ``<!-- generated: notebook NAME -->``.
``python -m docs.notebook_pages`` makes the page of a new notebook.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "notebook_page", "notebooks", "stub", "with_margin"]

FOLDER = Path(__file__).parents[1] / "examples"
PAGES = Path(__file__).parent / "examples"
_FENCE = "`" * 6  # longer than any in a cell
_SIZE = re.compile(r'width="(\d+)" height="(\d+)" viewBox="0 0 \1 \2"')
_MARGIN = 24  # pixels
_HEADING = re.compile(r"(?m)^#+ (.+)$")


def notebooks() -> list[str]:
    """The names of the notebooks."""
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def stub(name: str) -> str:
    """The text of docs/examples/NAME.md."""
    return f"<!-- generated: notebook {name} -->\n"


def notebook_page(name: str) -> str:
    """A notebook as Markdown, with a link to its file."""
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"]
    parts, heading = [], name
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            heading = (_HEADING.findall(source) or [heading])[-1]
            parts.append(source)
        else:
            parts.append(_block("python", source))
            parts += [_output(output, heading) for output in cell["outputs"]]
    title, *rest = parts
    link = f"This page is the notebook {{download}}`{name}.ipynb <../../examples/{name}.ipynb>`."
    return "\n\n".join([title, link, *rest]) + "\n"


def _output(output: dict[str, Any], heading: str) -> str:
    """What a cell printed, drew or returned; a picture is named after the heading above it."""
    forms = {form: "".join(text) for form, text in output.get("data", {}).items()}
    if "image/svg+xml" in forms:
        data = base64.b64encode(with_margin(forms["image/svg+xml"]).encode()).decode()
        return _raw(f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(heading)}">')
    if "text/html" in forms:
        return _raw(re.sub(r"<table[^>]*>", '<table class="docutils">', forms["text/html"]))
    text = "".join(output["text"]) if "text" in output else forms["text/plain"]
    return _block("{code-block} text", f":class: output\n\n{text.rstrip()}")


def with_margin(svg: str) -> str:
    """A chart with room on the right: a browser whose letters are wider than those it was measured with cuts nothing.

    >>> with_margin('<svg width="80" height="40" viewBox="0 0 80 40">')
    '<svg width="104" height="40" viewBox="0 0 104 40">'
    """
    return _SIZE.sub(lambda size: _size(int(size[1]) + _MARGIN, size[2]), svg, count=1)


def _size(width: int, height: str) -> str:
    return f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'


def _raw(text: str) -> str:
    return _block("{raw} html", f'<div class="output">{text}</div>')


def _block(kind: str, text: str) -> str:
    return f"{_FENCE}{kind}\n{text}\n{_FENCE}"


def main() -> None:
    PAGES.mkdir(exist_ok=True)
    for name in notebooks():
        (PAGES / f"{name}.md").write_text(stub(name), "utf-8")


if __name__ == "__main__":
    main()
