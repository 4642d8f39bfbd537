"""The sheet of pictures: places of the nodes, what is drawn and what is said."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sfumato.errors import OutputError
from sfumato.experiments.reports.subgraph_layout import layout
from sfumato.experiments.reports.subgraph_sheet import MOST, draw_sheet, require_sheet, write_sheet
from sfumato.mining import Pattern, Subgraphs

pytest.importorskip("altair")
PATTERNS = (
    Pattern(("bar", "shop"), ((0, 1, ""),), 12),
    Pattern(("bar", "shop", "a label that is far too long"), ((0, 1, "x"), (1, 2, ""), (0, 2, "")), 8),
)
SHAPES = {
    "pair": (2, [(0, 1)]),
    "path": (5, [(0, 1), (1, 2), (2, 3), (3, 4)]),
    "star": (5, [(0, 1), (0, 2), (0, 3), (0, 4)]),
    "ring": (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),
    "clique": (5, list(combinations(range(5), 2))),
    "both ways": (2, [(0, 1), (1, 0)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_nodes_keep_apart_and_neighbours_near(name: str) -> None:
    n, pairs = SHAPES[name]
    points = layout(n, pairs)
    assert np.abs(points).max() == pytest.approx(1)
    far = {(i, j): float(np.hypot(*(points[i] - points[j]))) for i, j in combinations(range(n), 2)}
    assert min(far.values()) > 0.3
    joined = [far[min(i, j), max(i, j)] for i, j in pairs]
    others = [value for pair, value in far.items() if pair not in pairs and pair[::-1] not in pairs]
    if name in ("path", "ring"):
        assert max(joined) < min(others)
    assert np.array_equal(points, layout(n, pairs))


def values(drawn) -> list[dict]:
    spec = drawn.to_dict()
    return [row for layer in spec["layer"] for row in layer["data"]["values"]]


def test_every_label_and_support_is_drawn() -> None:
    said = {row["text"] for row in values(draw_sheet(Subgraphs(PATTERNS, 8))) if "text" in row}
    assert {"bar", "shop", "a label that is f…", "x", "≥ 12", "≥ 8"} <= said
    exact = {row["text"] for row in values(draw_sheet(Subgraphs(PATTERNS, 8, exact=True))) if "text" in row}
    assert {"12", "8"} <= exact


def test_arrows_are_for_directed_patterns() -> None:
    ways = (Pattern(("a", "b"), ((0, 1, ""), (1, 0, "")), 3, directed=True),)
    rows = [row for row in values(draw_sheet(Subgraphs(ways, 3))) if "angle" in row]
    assert {round(row["angle"]) % 360 for row in rows} == {90, 270}
    # two edges between the same nodes lie side by side
    assert len({round(row["y"], 3) for row in rows}) == 2


def test_of_many_patterns_the_largest_and_best_supported_are_drawn() -> None:
    many = (*(Pattern(("a", "b"), ((0, 1, f"e{at}"),), at + 5) for at in range(MOST + 5)), *PATTERNS)
    drawn = draw_sheet(Subgraphs(many, 5, stopped="time"))
    heads = {row["text"] for row in values(drawn) if "≥" in row.get("text", "")}
    assert "≥ 8" in heads  # the one with three edges
    assert heads == {"≥ 8"} | {f"≥ {support}" for support in range(MOST + 9, 11, -1)}  # 12 is there twice
    subtitle = " ".join(drawn.to_dict()["title"]["subtitle"])
    assert subtitle == (
        f"{MOST + 7} patterns with a support of at least 5; the {MOST} largest with the highest support are "
        "drawn. The search reached its limit of time; there may be more patterns."
    )


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
def test_files(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"sheet.{ending}"
    write_sheet(Subgraphs(PATTERNS, 8), path, title="Town <&>")
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>"}[ending]
    assert path.read_bytes().startswith(begins)
    if ending == "html":
        assert "Town &lt;&amp;&gt;" in path.read_text()


def test_nothing_found_is_an_empty_sheet(tmp_path: Path) -> None:
    write_sheet(Subgraphs((), 8), tmp_path / "sheet.svg")
    assert "0 patterns with a support of at least 8." in (tmp_path / "sheet.svg").read_text()


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"wanted a file that ends in \.svg, \.png, \.pdf"):
        require_sheet(tmp_path / "sheet.bmp")
