"""`sfumato.draw_map`: movements before and after, as a page that zooms or as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.files import is_movement, read_movement
from sfumato.semantics.movement.movement import Movement

__all__ = ["draw_map"]


def draw_map(
    *sources: Source | Movement,
    titles: Sequence[str] = (),
    places: Places | str | Path | None = None,
    layers: str | Sequence[str] = LAYERS,
    top_flows: int = 100,
    basemap: str | Path | Network | Basemap | None = None,
    kb: KnowledgeBase | str | Path | None = None,
) -> DrawnMap:
    """Draw trajectories, road trajectories or movements side by side on one scale, such as an original and its release.

    Parameters
    ----------
    sources
        Datasets, frames, releases, files, published directories, movements or their directories.
    titles
        A title for each source.
    places
        Coordinates of places, or the file that holds them; without it, those of the sources.
    layers
        What to draw: ``"visits"``, ``"flows"``, ``"areas"``, and of movements ``"trails"``, ``"moves"``, ``"links"``,
        ``"places"``, ``"stops"``.
    top_flows
        How many flows to draw in each panel, the strongest first.
    basemap
        Lines beneath the map: a GeoJSON file, a road network or its file.
    kb
        The knowledge base, or its directory, that holds the places to which a movement is linked.

    Examples
    --------
    >>> from sfumato import Trajectories, anonymize, draw_map
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> draw_map(walks, anonymize(walks, "seqanon", k=2, m=1))
    <DrawnMap of original and release by SeqAnon(k=2, m=1, rounds=False, suppression=0.0), private>
    """
    if not sources:
        raise DataError("draw_map: wanted at least one dataset, found none")
    if titles and len(titles) != len(sources):
        raise ParameterError(f"draw_map: wanted a title for each of {len(sources)} sources, found {len(titles)}")
    opened_sources = [_opened(source) for source in sources]
    release = next((source for source in opened_sources if _is_release(source)), None)
    datasets = [_dataset(source, release) for source in opened_sources]
    given = read_places(places) if isinstance(places, str | Path) else places
    private = any(not _is_public(source, data) for source, data in zip(opened_sources, datasets, strict=True))
    names = list(titles) or [_title(source, path, release is not None) for source, path in
                             zip(opened_sources, sources, strict=True)]  # fmt: skip
    style = MapStyle(layers=layers if isinstance(layers, str) else ",".join(layers), top_flows=top_flows)
    if kb is not None and not any(isinstance(source, Movement) for source in opened_sources):
        raise ParameterError("draw_map: wanted a movement whose links lead into the knowledge base, found none")
    titled = dict(zip(_distinct(names), datasets, strict=True))
    with _knowledge(kb) as base:
        scene = scene_of(titled, style=style, places=given, basemap=as_basemap(basemap), kb=base)
    return DrawnMap(scene, private=private)


def _opened(source: Source | Movement) -> Source | Movement:
    """A directory as it was read, so that it is read once; anything else unchanged."""
    if isinstance(source, Movement):
        return source
    if isinstance(source, str | PathLike) and is_movement(Path(source)):
        return read_movement(Path(source))
    return opened(source)


@contextmanager
def _knowledge(kb: KnowledgeBase | str | Path | None) -> Iterator[KnowledgeBase | None]:
    if isinstance(kb, str | Path):
        with KnowledgeBase.open(kb) as base:
            yield base
    else:
        yield kb


def _is_release(source: Source | Movement) -> bool:
    return isinstance(source, Release | Published)


def _dataset(source: Source | Movement, release: Source | Movement | None) -> Dataset | Movement:
    if isinstance(source, Movement):
        return source
    if release is None or isinstance(release, Movement) or _is_release(source):
        return dataset_of(source)
    return original_of(source, release)


def _is_public(source: Source | Movement, data: Dataset | Movement) -> bool:
    """Whether recipients may see what is drawn: published records, at coordinates that do not come from visits."""
    if not _is_release(source):
        return False
    derived = isinstance(data, Trajectories) and data.places is not None and data.places.derived
    return isinstance(source, Published) or not derived


def _title(source: Source | Movement, path: Source | Movement, compared: bool) -> str:
    if isinstance(path, str | PathLike):
        return Path(path).name or str(path)
    if isinstance(source, Release):
        return f"release by {source.method}"
    if isinstance(source, Published):
        return source.folder.name
    if isinstance(source, Movement):
        return "movement"
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
