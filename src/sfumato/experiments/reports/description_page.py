"""The page of a description: figures, histograms, columns, hierarchies and a map, in one file that opens offline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import OutputError
from sfumato.experiments.description import ColumnSummary, Description, PlaceDensity
from sfumato.experiments.reports.chart_page import chart_page, list_html, table_html
from sfumato.io.atomic_writes import write_text
from sfumato.io.outputs import require_parent, require_private

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_description", "require_description_file", "write_description"]

_PRIVATE = """<p class="private"><b>Private if the data are private.</b> The figures are computed from the data, and
values of columns are quoted.</p>"""
_BLUE = "#0072B2"


def require_description_file(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the data are read."""
    if Path(path).suffix.lower() != ".html":
        raise OutputError(f"{path}: wanted a file that ends in .html for a description")
    require_parent(path)
    require_private(path, "description")


def write_description(description: Description, path: str | Path, *, title: str) -> None:
    """Write the page, for its owner alone."""
    require_description_file(path)
    write_text(_page(description, title), path)


def _page(description: Description, title: str) -> str:
    figures = [(_words(name), _shown(value)) for name, value in description.figures.items()]
    sections = [_PRIVATE]
    if description.notes:
        sections += ["<h2>How it was read</h2>", list_html(map(str, description.notes))]
    sections += ["<h2>Figures</h2>", table_html(("figure", "value"), figures)]
    if description.histograms:
        cards = (_card(_words(name), "", counts) for name, counts in description.histograms.items())
        sections += ["<h2>Sizes</h2>", _cards(cards)]
    if description.density is not None:
        sections += ["<h2>Map</h2>", _map(description.density)]
    if description.columns:
        sections += ["<h2>Columns</h2>", _cards(map(_column_card, description.columns))]
    if description.hierarchies:
        sections += ["<h2>Hierarchies</h2>", _hierarchies(description)]
    return chart_page(f"What is in {title}", "\n".join(sections), None, style=_STYLE)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: object) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _cards(cards: Iterable[str]) -> str:
    return f'<div class="cards">{"".join(cards)}</div>'


def _column_card(column: ColumnSummary) -> str:
    facts = f"{column.type}, {column.role}; {column.distinct:,} distinct, {column.missing:,} missing"
    others = f"{column.others:,} rows with other values" if column.values and column.others else ""
    return _card(column.column, facts, column.values, others)


def _card(title: str, facts: str, counts: Mapping[str, int], others: str = "") -> str:
    """A title and a bar for each count, the longest over the whole width."""
    most = max([1, *counts.values()])
    bars = "".join(
        f'<tr><th>{escape(name)}</th><td><i style="width:{100 * count / most:.2f}%"></i></td><td>{count:,}</td></tr>'
        for name, count in counts.items()
    )
    below = others if counts else "no two rows share a value"
    text, end = (f"<p>{escape(part)}</p>" if part else "" for part in (facts, below))
    return f'<section class="card"><h3>{escape(title)}</h3>{text}<table class="bars">{bars}</table>{end}</section>'


def _hierarchies(description: Description) -> str:
    rows = []
    for tree in description.hierarchies:
        sizes = ("", "") if tree.leaves is None else (f"{tree.leaves:,}", f"{tree.levels:,}")
        covered = "all values are leaves" if not tree.uncovered else f"{tree.uncovered:,} values are not leaves"
        rows.append((tree.column, tree.hierarchy, *sizes, covered if tree.leaves is not None else "made from the data"))
    return table_html(("column", "hierarchy", "leaves", "levels", "coverage"), rows)


def _map(density: PlaceDensity) -> str:
    """The visits in the cells of a grid, darker where there are more, on the scale of the map."""
    rows, columns = density.counts.shape
    width, height = (high - low for low, high in zip(density.low, density.high, strict=True))
    if density.geographic:  # a degree of longitude is shorter than one of latitude
        width *= float(np.cos(np.radians((density.low[1] + density.high[1]) / 2)))
    across = 640.0
    down = across * min(2.0, max(0.3, height / max(width, 1e-12)))
    most = float(np.log1p(density.counts.max(initial=1)))
    cells = "".join(
        f'<rect x="{column * across / columns:.1f}" y="{(rows - 1 - row) * down / rows:.1f}" '
        f'width="{across / columns:.2f}" height="{down / rows:.2f}" '
        f'fill-opacity="{0.15 + 0.85 * np.log1p(density.counts[row, column]) / most:.2f}"/>'
        for row, column in np.argwhere(density.counts > 0).tolist()
    )
    names = ("longitude", "latitude") if density.geographic else ("x", "y")
    limits = ", ".join(
        f"{name} {low:.6g} to {high:.6g}" for name, low, high in zip(names, density.low, density.high, strict=True)
    )
    text = f"Visits in {columns} x {rows} cells; darker cells have more, up to {density.counts.max():,}. {limits}."
    return (
        f'<svg class="map" viewBox="0 0 {across:.0f} {down:.0f}" role="img" aria-label="map of visits" '
        f'fill="{_BLUE}">{cells}</svg><p>{escape(text)}</p>'
    )


def draw_description(description: Description) -> alt.TopLevelMixin:
    """One panel of bars for each histogram and each column with a distribution."""
    import altair as alt

    panels = {_words(name): counts for name, counts in description.histograms.items()}
    panels |= {column.column: column.values for column in description.columns or () if column.values}
    charts = [
        alt.Chart(alt.Data(values=[{"value": value, "count": count} for value, count in counts.items()]))
        .mark_bar(color=_BLUE)
        .encode(
            x=alt.X("count:Q", title=None),
            y=alt.Y("value:N", title=None, sort=list(counts)),
            tooltip=["value:N", "count:Q"],
        )
        .properties(width=260, title=name)
        for name, counts in panels.items()
    ]
    return alt.concat(*charts, columns=2, spacing=30).properties(title=f"Description: {description.kind}")


_STYLE = """
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem; }
.card { border: 1px solid #ddd; border-radius: 6px; padding: .8rem; min-width: 0; }
.card p { margin: .15rem 0 .3rem; font-size: .85rem; color: #555; }
.bars { width: 100%; table-layout: fixed; font-size: .82rem; margin: .4rem 0 0; }
.bars th { width: 42%; font-weight: 400; overflow-wrap: anywhere; white-space: normal; }
.bars th, .bars td { border: 0; padding: .1rem .4rem .1rem 0; }
.bars td:last-child { width: 4.2rem; text-align: right; padding-right: 0; }
.bars i { display: block; height: .8rem; background: #0072B2; border-radius: 2px; min-width: 1px; }
.map { width: 100%; max-width: 40rem; border: 1px solid #ddd; background: #fafafa; }
li { overflow-wrap: anywhere; }
"""
