"""Charts of the library on a page."""

from __future__ import annotations

import altair as alt

from sfumato.web.interface.chart_panels import panels

BARS = alt.Chart(alt.Data(values=[{"size": 1, "share": 0.5}])).mark_bar().encode(x="share:Q", y="size:N")
TEXTS = BARS.mark_text(color="#333").encode(text="share:Q")


def test_each_panel_is_as_wide_as_its_place_and_keeps_its_data() -> None:
    chart = alt.hconcat(BARS + TEXTS, BARS).properties(title="Both", background="white").configure_view(stroke=None)
    for spec in panels(chart):
        assert spec["width"] == "container"
        assert not {"background", "config", "hconcat"} & set(spec)
        assert "#333" not in str(spec)
        assert "0.5" in str(spec)


def test_a_chart_without_panels_is_one_panel() -> None:
    (spec,) = panels(BARS.properties(title=alt.TitleParams("Sizes", fontSize=30)))
    assert spec["title"]["text"] == "Sizes"
    assert spec["data"]["values"] == [{"size": 1, "share": 0.5}]
