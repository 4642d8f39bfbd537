"""A drawn map: as a page that zooms, as a picture, and in a notebook."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from sfumato.data import Dataset, Places
from sfumato.errors import MissingExtra, OutputError, either
from sfumato.experiments.reports.maps.basemap import Basemap
from sfumato.experiments.reports.maps.page import map_page
from sfumato.experiments.reports.maps.panels import Scene
from sfumato.experiments.reports.maps.scene import scene_of
from sfumato.experiments.reports.maps.static_svg import static_svg
from sfumato.experiments.reports.maps.style import MapStyle
from sfumato.io.atomic_writes import write_bytes
from sfumato.io.outputs import require_output, require_replaceable
from sfumato.params import JsonObject

__all__ = ["DrawnMap", "map_svg", "map_svgs", "require_map_file"]

_ENDINGS = (".html", ".png", ".svg", ".pdf")
_CAPTION = "Private: drawn from data that no promise covers"


class DrawnMap:
    """A map of one or several datasets, by their titles; `write` saves it, and a notebook shows it.

    private : whether anything on the map was taken from data that are not published.
    """

    def __init__(self, scene: Scene, *, private: bool) -> None:
        self.scene, self.private = scene, private

    def __repr__(self) -> str:
        titles = " and ".join(panel.title for panel in self.scene.panels)
        return f"<DrawnMap of {titles}, {'private' if self.private else 'public'}>"

    def _repr_svg_(self) -> str:
        return self.svg

    @cached_property
    def svg(self) -> str:
        """The map as an SVG picture."""
        return static_svg(self.scene, caption=_CAPTION if self.private else "")

    @cached_property
    def html(self) -> str:
        """The map as a self-contained page that zooms."""
        return map_page(self.scene, private=self.private, still=self.svg)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not drawn, or not drawn one by one."""
        return self.scene.notes

    def to_json(self) -> JsonObject:
        """The titles and sizes of the panels, what is not drawn one by one, and whether the map is private."""
        panels = [{"title": panel.title, "summary": panel.summary} for panel in self.scene.panels]
        return {"private": self.private, "panels": panels, "notes": list(self.notes)}

    def write(self, path: str | Path) -> Path:
        """Write the map to a file that ends in .html, .png, .svg or .pdf; a private map for its owner alone."""
        path = Path(path)
        require_map_file(path)
        write_bytes(self._content(path.suffix.lower()), path)
        if not self.private:
            mask = os.umask(0)
            os.umask(mask)
            path.chmod(0o666 & ~mask)
        return path

    def _content(self, ending: str) -> bytes:
        if ending in (".html", ".svg"):
            return (self.html if ending == ".html" else self.svg).encode("utf-8")
        import vl_convert

        if ending == ".png":
            return bytes(vl_convert.svg_to_png(self.svg, scale=2))
        return bytes(vl_convert.svg_to_pdf(self.svg))


def require_map_file(path: str | Path, *, inputs: tuple[Path, ...] = ()) -> None:
    """Refuse a file that cannot be written, before the map is drawn."""
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        raise OutputError(f"{path}: wanted a file that ends in {either(_ENDINGS)} for a map")
    require_replaceable(path)
    require_output(path, "map", inputs=inputs)
    if ending in (".png", ".pdf"):
        try:
            import vl_convert  # noqa: F401
        except ImportError as absent:
            raise MissingExtra("vl-convert-python", "report") from absent


def map_svg(
    datasets: Mapping[str, Dataset],
    *,
    style: MapStyle | None = None,
    places: Places | None = None,
    basemap: Basemap | None = None,
) -> str:
    """One SVG picture of datasets by their titles, such as an original and its release, for a page or a document.

    The text is the same for the same data, has no ids and loads nothing, so that several fit into one page.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"]], places={"a": (0, 0), "b": (3, 4)})
    >>> map_svg({"before": walks}).startswith("<svg ")
    True
    """
    return static_svg(scene_of(datasets, style=style, places=places, basemap=basemap))


def map_svgs(datasets: Mapping[str, Dataset], *, places: Places | None = None) -> tuple[str, ...]:
    """A picture of each dataset, all on one scale, to be set beside or below each other.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"]], places={"a": (0, 0), "b": (3, 4)})
    >>> len(map_svgs({"before": walks, "after": walks}))
    2
    """
    scene = scene_of(datasets, style=None, places=places, basemap=None)
    return tuple(static_svg(scene, only=number) for number in range(len(scene.panels)))
