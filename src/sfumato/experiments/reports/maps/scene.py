"""The scene of a map, made of datasets and movements: visits, flows, areas, roads or trails, on one projection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Places, RoadTrajectories, Trajectories
from sfumato.data.base import Ints
from sfumato.data.labels.label_geometry import MemberPoints, member_points, road_volumes
from sfumato.errors import DataError, MissingKnowledge, counted
from sfumato.experiments.reports.maps.basemap import Basemap, lines_on_map
from sfumato.experiments.reports.maps.clusters import Flows, Marks, hull_of
from sfumato.experiments.reports.maps.grid_cells import cell_size, corners
from sfumato.experiments.reports.maps.limits import within_limits
from sfumato.experiments.reports.maps.panels import Area, Panel, Roads, Scene
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.style import MapStyle
from sfumato.experiments.reports.maps.trails.segment_points import movement_points
from sfumato.experiments.reports.maps.trails.trail_panels import thin_panels, trail_panel
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement

__all__ = ["scene_of"]

Floats = npt.NDArray[np.float64]
_MOST_AREAS = 4_000
_LEAST_WIDTH_M = 100.0  # of a map of about a single point
_MOST_ROADS = 60_000


def scene_of(
    sources: Mapping[str, Dataset | Movement],
    *,
    style: MapStyle | None = None,
    places: Places | None = None,
    basemap: Basemap | None = None,
    kb: KnowledgeBase | None = None,
) -> Scene:
    """The map of one or several datasets or movements, by their titles.

    places : coordinates that come before those of the datasets.  basemap : lines beneath the map.  kb : knowledge base
    that holds the places to which movements are linked.
    """
    style = style or MapStyle()
    _ = style.shown
    datasets = {title: data for title, data in sources.items() if isinstance(data, Dataset)}
    movements = {title: data for title, data in sources.items() if isinstance(data, Movement)}
    kinds = {data.kind for data in datasets.values()}
    if not kinds <= {"trajectories", "roads"}:
        other = sorted(kinds - {"trajectories", "roads"})[0]
        raise DataError(f"a map: wanted trajectories or road trajectories, found {other}")
    if len(kinds) > 1 or (movements and "roads" in kinds):
        raise DataError("a map: wanted trajectories throughout or road trajectories throughout, found both")
    if kinds == {"roads"}:
        return _road_scene({title: data for title, data in datasets.items() if isinstance(data, RoadTrajectories)},
                           style, basemap or [])  # fmt: skip
    walks = {title: data for title, data in datasets.items() if isinstance(data, Trajectories)}
    located = _sources(walks.values(), places) if walks else []
    scene = _place_scene(list(sources), walks, movements, located, style, kb)
    return replace(scene, lines=_beneath(scene, basemap or []))


def _sources(walks: Iterable[Trajectories], places: Places | None) -> list[Places]:
    """The lists of places that have coordinates, the given one first."""
    every = [places, *(data.places for data in walks)]
    located = [source for source in every if source is not None and source.located]
    if not located:
        raise MissingKnowledge("a map: wanted places with coordinates, found none", remedy="give-places")
    if len({source.geographic for source in located}) > 1:
        raise DataError("a map: wanted all places as lat and lon, or all as x and y, found both")
    return located


def _place_scene(
    titles: Sequence[str],
    walks: Mapping[str, Trajectories],
    movements: Mapping[str, Movement],
    sources: Sequence[Places],
    style: MapStyle,
    kb: KnowledgeBase | None,
) -> Scene:
    members = {title: member_points(data, sources) for title, data in walks.items()}
    every = np.concatenate(
        [points.points for points in members.values()] + list(map(movement_points, movements.values()))
    )
    if len(every) == 0 and walks:
        raise MissingKnowledge("a map: wanted coordinates of the places in the data, found none", remedy="give-places")
    if len(every) == 0:
        raise DataError("a map: wanted a movement with positions, found none")
    projection = Projection.around(every, geographic=_geographic(sources, movements.values()))
    panels, notes = [], []
    for title in titles:
        if title in walks:
            panel, remarks = _place_panel(title, walks[title], members[title], projection, style)
        else:
            panel, remarks = trail_panel(title, movements[title], projection, kb)
        panels.append(panel)
        notes += remarks
    outlines = [area.outline for panel in panels for area in panel.areas]
    linked = [panel.trails.near_places for panel in panels if panel.trails is not None]
    least = _LEAST_WIDTH_M if projection.geographic else 0.0
    low, high = _box([projection.flat(every), *outlines, *linked], least)
    width = float((high - low).max())
    panels, remarks = within_limits(panels, width, projection)
    notes += remarks
    panels, remarks = thin_panels(panels, width, projection)
    return Scene(tuple(panels), projection, low, high, style, (), (*notes, *remarks))


def _beneath(scene: Scene, basemap: Basemap) -> tuple[Floats, ...]:
    flat = [scene.projection.flat(line) for line in basemap]
    return tuple(lines_on_map(flat, scene.low, scene.high, scene.projection.width))


def _geographic(sources: Iterable[Places], movements: Iterable[Movement]) -> bool:
    kinds = {source.geographic for source in sources} | {movement.geographic for movement in movements}
    if len(kinds) > 1:
        raise DataError("a map: wanted all coordinates as lat and lon, or all as x and y, found both")
    return kinds.pop()


def _place_panel(
    title: str, data: Trajectories, members: MemberPoints, projection: Projection, style: MapStyle
) -> tuple[Panel, list[str]]:
    flat = projection.flat(members.points)
    located = members.located
    centres = np.zeros((len(located), 2))
    label = np.repeat(np.arange(len(located)), located)
    for axis in (0, 1):
        centres[:, axis] = np.bincount(label, flat[:, axis], minlength=len(located)) / np.maximum(located, 1)
    visits = np.bincount(data.codes, minlength=len(data.names))
    drawn = (located > 0) & (visits > 0)
    row = np.cumsum(drawn) - 1
    names = np.array(data.names, dtype=object)
    marks = Marks(centres[drawn], visits[drawn], members.members[drawn], names[drawn], np.ones(drawn.sum(), np.int64))
    flows = _flows(data, drawn, row) if "flows" in style.shown else Flows.none()
    areas: list[Area] = []
    remarks: list[str] = []
    if "areas" in style.shown:
        areas, remarks = _areas(title, data, members, flat, visits)
    several = int(np.count_nonzero(marks.general))
    summary = f"{len(data):,} trajectories, {len(data.codes):,} visits, {int((visits > 0).sum()):,} "
    summary += f"labels, {several:,} of them for several places" if several else "places"
    missing = int((visits > 0).sum() - drawn.sum())
    if missing:
        lost = counted(int(visits[~drawn].sum()), "visit")
        remarks.append(f"{title}: {counted(missing, 'label')} without coordinates, with {lost}, cannot be drawn.")
    partly = int(np.count_nonzero((located < members.members) & drawn))
    if partly:
        remarks.append(f"{title}: some members of {counted(partly, 'label')} have no coordinates and are left out.")
    return Panel(title, summary, marks, marks, flows, tuple(areas)), remarks


def _flows(data: Trajectories, drawn: npt.NDArray[np.bool_], row: Ints) -> Flows:
    """The moves between consecutive visits of a record, between labels that are drawn."""
    record = data.record_of_element()
    start, end = data.codes[:-1], data.codes[1:]
    moves = (record[:-1] == record[1:]) & drawn[start] & drawn[end] if len(data.codes) else np.zeros(0, dtype=bool)
    start, end = (row[codes[moves]] for codes in (start, end))
    return Flows.between(start, end, np.ones(len(start), dtype=np.int64), int(drawn.sum()))


def _areas(
    title: str, data: Trajectories, points_of_members: MemberPoints, flat: Floats, visits: Ints
) -> tuple[list[Area], list[str]]:
    """Areas, the largest first so that small ones lie on top."""
    members = [member for name in data.names for member in data.members.get(name, (name,))]
    cell = cell_size(members, flat) if len(members) == len(flat) else None
    least = 1 if cell else 2
    chosen = np.flatnonzero((points_of_members.located >= least) & (visits > 0))
    remarks = []
    if len(chosen) > _MOST_AREAS:
        remarks.append(f"{title}: of {len(chosen):,} areas, the {_MOST_AREAS:,} most visited are drawn.")
        chosen = chosen[np.argsort(-visits[chosen], kind="stable")[:_MOST_AREAS]]
    areas = []
    for index in chosen.tolist():
        points = flat[points_of_members.offsets[index] : points_of_members.offsets[index + 1]]
        outline = hull_of(corners(points, cell) if cell else points)
        if len(outline) > 1:
            areas.append(Area(outline, data.names[index], int(points_of_members.members[index]), int(visits[index])))
    return sorted(areas, key=lambda area: (-area.extent, area.name)), remarks


def _box(parts: Sequence[Floats], least: float = 0.0) -> tuple[Floats, Floats]:
    """The corners of a box around the points, not without width or height; if they are about one, of a least size."""
    points = np.concatenate(parts)
    low, high = points.min(axis=0), points.max(axis=0)
    largest = float((high - low).max())
    least = max(largest / 50, 1e-9 * float(np.abs(points).max()), 1e-9, least if largest < least else 0.0)
    return low - np.maximum(0, least - (high - low)) / 2, high + np.maximum(0, least - (high - low)) / 2


def _road_scene(drives: Mapping[str, RoadTrajectories], style: MapStyle, basemap: Basemap) -> Scene:
    networks = [data.network for data in drives.values()]
    network = networks[0]
    if any(other.roads.to_list() != network.roads.to_list() for other in networks):
        raise DataError("a map: wanted data on one network, found several")
    projection = Projection.around(network.points, geographic=network.geographic)
    flat = projection.flat(network.points)
    panels, notes = [], []
    names = network.roads.to_list()
    for title, data in drives.items():
        vehicles = road_volumes(data)
        order = np.argsort(vehicles, kind="stable")
        if len(order) > _MOST_ROADS:
            notes.append(f"{title}: of {len(order):,} roads, the {_MOST_ROADS:,} busiest are drawn.")
            order = order[-_MOST_ROADS:]
        ends = flat[network.ends[order]].reshape(-1, 4)
        roads = Roads(ends, vehicles[order], tuple(names[road] for road in order.tolist()))
        travelled = int(np.count_nonzero(vehicles))
        summary = f"{len(data):,} trajectories on {travelled:,} of {len(network.roads):,} roads"
        panels.append(Panel(title, summary, roads=roads))
    low, high = _box([flat])
    scene = Scene(tuple(panels), projection, low, high, style, (), tuple(notes))
    return replace(scene, lines=_beneath(scene, basemap))
