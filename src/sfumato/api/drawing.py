"""`sfumato.draw_map`: movements before and after, as a page that zooms or as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from sfumato.api.inputs import Source, dataset_of, opened, original_of
from sfumato.data import Dataset, Network, Places, Trajectories
from sfumato.errors import DataError, ParameterError
from sfumato.experiments.reports.maps import DrawnMap, MapStyle
from sfumato.experiments.reports.maps.basemap import Basemap, as_basemap
from sfumato.experiments.reports.maps.scene import scene_of
from sfumato.experiments.reports.maps.style import LAYERS
from sfumato.io import read_places
from sfumato.io.published import Published
from sfumato.methods.release import Release

__all__ = ["draw_map"]


def draw_map(
    *sources: Source,
    titles: Sequence[str] = (),
    places: Places | str | Path | None = None,
    layers: str | Sequence[str] = LAYERS,
    top_flows: int = 100,
    basemap: str | Path | Network | Basemap | None = None,
) -> DrawnMap:
    """Draw trajectories or road trajectories, such as an original and its release, side by side on one scale.

    Parameters
    ----------
    sources
        Datasets, frames, releases, files or published directories.
    titles
        A title for each source.
    places
        Coordinates of places, or the file that holds them; without it, those of the sources.
    layers
        What to draw: ``"visits"``, ``"flows"``, ``"areas"``.
    top_flows
        How many flows to draw in each panel, the strongest first.
    basemap
        Lines beneath the map: a GeoJSON file, a road network or its file.

    Examples
    --------
    >>> from sfumato import Trajectories, anonymize, draw_map
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> draw_map(walks, anonymize(walks, "seqanon", k=2, m=1))
    <DrawnMap of original and release by SeqAnon(k=2, m=1), private>
    """
    if not sources:
        raise DataError("draw_map: wanted at least one dataset, found none")
    if titles and len(titles) != len(sources):
        raise ParameterError(f"draw_map: wanted a title for each of {len(sources)} sources, found {len(titles)}")
    opened_sources = [opened(source) for source in sources]
    release = next((source for source in opened_sources if _is_release(source)), None)
    datasets = [_dataset(source, release) for source in opened_sources]
    given = read_places(places) if isinstance(places, str | Path) else places
    private = any(not _is_public(source, data) for source, data in zip(opened_sources, datasets, strict=True))
    names = list(titles) or [_title(source, path, release is not None) for source, path in
                             zip(opened_sources, sources, strict=True)]  # fmt: skip
    style = MapStyle(layers=layers if isinstance(layers, str) else ",".join(layers), top_flows=top_flows)
    scene = scene_of(
        dict(zip(_distinct(names), datasets, strict=True)), style=style, places=given, basemap=as_basemap(basemap)
    )
    return DrawnMap(scene, private=private)


def _is_release(source: Source) -> bool:
    return isinstance(source, Release | Published)


def _dataset(source: Source, release: Source | None) -> Dataset:
    if release is None or _is_release(source):
        return dataset_of(source)
    return original_of(source, release)


def _is_public(source: Source, data: Dataset) -> bool:
    """Whether recipients may see what is drawn: published records, at coordinates that do not come from visits."""
    if not _is_release(source):
        return False
    derived = isinstance(data, Trajectories) and data.places is not None and data.places.derived
    return isinstance(source, Published) or not derived


def _title(source: Source, path: Source, compared: bool) -> str:
    if isinstance(path, str | PathLike):
        return Path(path).name or str(path)
    if isinstance(source, Release):
        return f"release by {source.method}"
    if isinstance(source, Published):
        return source.folder.name
    return "original" if compared else "data"


def _distinct(titles: Sequence[str]) -> list[str]:
    """The titles, numbered where one occurs several times.

    >>> _distinct(["day", "day", "night"])
    ['day', 'day (2)', 'night']
    """
    result: list[str] = []
    for title in titles:
        number, name = 1, title
        while name in result:
            number += 1
            name = f"{title} ({number})"
        result.append(name)
    return result
