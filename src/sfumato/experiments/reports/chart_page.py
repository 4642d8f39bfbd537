"""A self-contained page with one interactive chart, or the chart alone as a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import OutputError, either
from sfumato.experiments.reports.charts import javascript, require_charts
from sfumato.html import list_html, table_html
from sfumato.io.outputs import require_parent

if TYPE_CHECKING:
    import altair as alt

__all__ = ["PRIVATE", "chart_page", "list_html", "require_chart_file", "table_html"]

PRIVATE = """<p class="private"><b>Private.</b> These figures are computed from the original, and no promise covers
them.</p>"""


def require_chart_file(path: str | Path, what: str, endings: Sequence[str]) -> None:
    """Refuse a file that cannot be written, before the work starts."""
    ending = Path(path).suffix.lower()
    if ending not in endings:
        raise OutputError(f"{path}: wanted a file that ends in {either(endings)} for {what}")
    require_parent(path)
    if ending != ".csv":
        require_charts()


def chart_page(title: str, body: str, chart: alt.TopLevelMixin | None, *, style: str = "") -> str:
    """The page; `body` is markup, with a place `<div id="chart"></div>` if there is a chart.

    >>> "<h1>Ale &amp; tea</h1>" in chart_page("Ale & tea", "", None)
    True
    """
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
{"" if chart is None else _script(chart)}</body>
</html>
"""


def _script(chart: alt.TopLevelMixin) -> str:
    drawn = json.dumps(chart.to_dict(validate=False)).replace("<", "\\u003c")
    return f"""<script>{javascript()}</script>
<script>
const menu = {{export: true, source: false, compiled: false, editor: false}};
vegaEmbed("#chart", {drawn}, {{renderer: "svg", actions: menu}});
</script>
"""


_STYLE = """
body { margin: 0; color: #222; background: #fff; font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .8rem; padding-bottom: .25rem; border-bottom: 1px solid #ddd; }
.private { padding: .6rem .9rem; border-left: 4px solid #c9a227; background: #fdf8e6; }
p, li { max-width: 46rem; }
#chart, .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: 1.2rem 0; }
th { text-align: left; font-weight: 600; }
th, td { padding: .28rem 1.1rem .28rem 0; border-bottom: 1px solid #ddd; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
"""
