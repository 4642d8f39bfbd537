"""A chart of the share of unique persons in the original and in a release, by background knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_uniqueness"]

_ORIGINAL, _PUBLISHED = "#D55E00", "#0072B2"  # Okabe and Ito's vermilion and blue


def draw_uniqueness(before: Mapping[int, float], after: Mapping[int, float]) -> alt.TopLevelMixin:
    """Two bars for each number of known visits; before, after : the shares by the number of known visits."""
    import altair as alt

    rows = [
        {"known": f"{known} known", "data": name, "unique": share}
        for name, shares in (("original", before), ("published", after))
        for known, share in shares.items()
    ]
    title = alt.TitleParams("Persons who are unique to an attacker who knows a few of their visits", anchor="start")
    bars = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("known:N", title=None, sort=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("data:N"),
        y=alt.Y("unique:Q", title="share of the persons", axis=alt.Axis(format="%")),
    )
    colours = alt.Scale(domain=["original", "published"], range=[_ORIGINAL, _PUBLISHED])
    marked = bars.mark_bar().encode(color=alt.Color("data:N", title=None, scale=colours))
    figures = bars.mark_text(dy=-6).encode(text=alt.Text("unique:Q", format=".1%"))
    return (marked + figures).properties(title=title, width=420, height=260, padding=14, background="white")
