"""The charts of the library for a page: each panel by itself, as wide as its place, in the colours of the page."""

from __future__ import annotations

from typing import Any

__all__ = ["panels"]

_INK = "#333"


def panels(chart: Any) -> list[dict[str, Any]]:
    """The panels of an Altair chart as Vega-Lite specifications; a chart without panels is one panel.

    Titles of the whole chart are left out, since the page has a sentence for them; so are colours of paper and ink.
    """
    whole: dict[str, Any] = chart.to_dict()
    parts = whole.get("hconcat") or whole.get("vconcat") or [whole]
    shared: dict[str, Any] = {name: whole[name] for name in ("$schema", "datasets", "data") if name in whole}
    return [{**shared, **_fitted(part)} for part in parts]


def _fitted(part: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in part.items() if name not in ("background", "config", "padding", "$schema")}
    fitted: dict[str, Any] = _without_ink(kept)
    title = fitted.get("title")
    if isinstance(title, dict):
        fitted["title"] = {"text": title.get("text", ""), "anchor": "start", "fontSize": 13, "fontWeight": "normal"}
    return {**fitted, "width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}


def _without_ink(value: Any) -> Any:
    """The same without dark colours of texts, so that the page chooses one that can be read on its paper."""
    if isinstance(value, dict):
        return {
            name: _without_ink(inner)
            for name, inner in value.items()
            if not (name == "color" and isinstance(inner, str) and inner.startswith(_INK))
        }
    return [_without_ink(inner) for inner in value] if isinstance(value, list) else value
