"""The picture of the rooms of src/sfumato and of the direction of imports.

``python -m docs.architecture`` draws docs/_static/architecture.svg from the floors that `tests/test_house.py` declares
and checks; a test fails where the picture is out of date.
"""

from __future__ import annotations

import ast
from html import escape
from pathlib import Path

__all__ = ["PICTURE", "ROOMS", "drawn", "floors"]

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "_static" / "architecture.svg"
ROOMS = {
    "cli": "commands: read options, call the library, print",
    "web": "the workbench and studies: Django",
    "spark": "the same promises on a cluster",
    "api": "what a user calls in Python",
    "experiments": "comparisons, advice, reports, maps",
    "methods": "how a promise is kept: a paper a file",
    "verification": "published directories, checked again",
    "attacks": "what an attacker can do",
    "utility": "what is left: measures",
    "privacy": "what is promised: models, verifiers",
    "semantics": "movements with linked data",
    "prepare": "from raw to usable",
    "generate": "synthetic data",
    "mining": "patterns and itemsets",
    "io": "files: read, write, publish",
    "data": "what goes in and comes out",
    "kernels": "compiled loops: arrays in, arrays out",
    "catalogue": "what there is to choose from",
    "html": "parts of pages",
    "params": "parameters, declared once",
    "registry": "classes by name",
    "threads": "work on all cores",
    "errors": "the tree of errors",
    "remedies": "what to do about a refusal",
    "lazy_names": "names loaded on first use",
}
WIDTH, LEFT, BAND, GAP = 940, 60, 46, 8
COLOURS = {"cli": "#fde8d0", "web": "#fde8d0", "api": "#fde8d0", "kernels": "#e3e3f5", "data": "#e3e3f5"}
COLOURS |= dict.fromkeys(("privacy", "attacks", "verification"), "#dbeedd")
COLOURS |= dict.fromkeys(("methods", "utility", "experiments"), "#d9e8f6")


def floors() -> list[list[str]]:
    """The rooms that exist, floor by floor from below, as the test of imports declares them."""
    tree = ast.parse((ROOT / "tests" / "test_house.py").read_text("utf-8"))
    declared = next(
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FLOORS"
    )
    exist = {path.stem for path in (ROOT / "src" / "sfumato").iterdir()}
    found = [[room for room in ROOMS if room in rooms] for rooms in ast.literal_eval(declared)]
    missing = {room for rooms in ast.literal_eval(declared) for room in rooms} & exist - set(ROOMS)
    if missing:
        raise ValueError(f"wanted a line in ROOMS for each room, found none for {', '.join(sorted(missing))}")
    return [[room for room in rooms if room in exist] for rooms in found]


def drawn() -> str:
    """The picture: a band a floor, the lowest floor below, and an arrow that says who may import whom."""
    stack = [rooms for rooms in reversed(floors()) if rooms]
    height = len(stack) * (BAND + GAP) + 76
    parts = [_text(20, 28, "The rooms of src/sfumato: a room may import from every floor below its own", 16, "600")]
    for number, rooms in enumerate(stack):
        top = 46 + number * (BAND + GAP)
        width = (WIDTH - LEFT - 20 - GAP * (len(rooms) - 1)) / len(rooms)
        for place, room in enumerate(rooms):
            parts.append(_box(LEFT + place * (width + GAP), top, width, room))
    foot = 46 + len(stack) * (BAND + GAP)
    parts.append(f'<path d="M32 52V{foot - 18}" stroke="#555" stroke-width="2" marker-end="url(#head)"/>')
    parts.append(
        f'<text x="24" y="{foot / 2 + 30:.0f}" font-size="12" fill="#555" text-anchor="middle"'
        f' transform="rotate(-90 24 {foot / 2 + 30:.0f})">may import</text>'
    )
    note = "Rooms side by side do not import each other. Only the green rooms use the kernels that verify."
    parts.append(_text(LEFT, foot + 14, note, 12))
    head = (
        '<defs><marker id="head" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="sans-serif" role="img">\n<title>The rooms of Sfumato and the direction of imports</title>\n'
        f'{head}\n<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _box(left: float, top: float, width: float, room: str) -> str:
    colour = COLOURS.get(room, "#f3f0ea")
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{BAND}" rx="6" fill="{colour}" stroke="#999"/>'
        + _text(left + 10, top + 19, room, 14, "600")
        + _text(left + 10, top + 36, ROOMS[room], 11.5)
    )


def _text(left: float, top: float, words: str, size: float, weight: str = "400") -> str:
    style = f'font-size="{size}" font-weight="{weight}" fill="#222"'
    return f'<text x="{left:.1f}" y="{top:.1f}" {style}>{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
