"""Functions of queries: any geometry, units, and errors that surface."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from shapely import from_wkt

from sfumato.errors import DataError
from sfumato.semantics.knowledge.geometry import length_m, shape_distance_m, shape_of
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from twins.knowledge import metres

PREFIXES = """PREFIX geo: <http://www.opengis.net/ont/geosparql#>
PREFIX geof: <http://www.opengis.net/def/function/geosparql/>
PREFIX uom: <http://www.opengis.net/def/uom/OGC/1.0/>
PREFIX bqf: <http://www.seek-project.eu/Baquara02/function/>
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("functions") / "kb"
    KnowledgeBase.create(path, ontology=False).close()
    return path


def value(base: Path, expression: str) -> object:
    with KnowledgeBase.open(base) as kb:
        return kb.answer(f"{PREFIXES}SELECT ({expression} AS ?v) WHERE {{}}").frame["v"].item()


def wkt(text: str) -> str:
    return f'"{text}"^^geo:wktLiteral'


def test_distances_of_points_agree_with_the_reference_implementation() -> None:
    draw = random.Random(3)
    for _ in range(200):
        a, b = ((draw.uniform(-180, 180), draw.uniform(-90, 90)) for _ in range(2))
        shapes = [shape_of(f"POINT({x!r} {y!r})") for x, y in (a, b)]
        assert shape_distance_m(*shapes) == pytest.approx(metres(a, b), rel=1e-9, abs=1e-3)


def test_distances_of_a_line_agree_with_many_points_on_it() -> None:
    draw = random.Random(4)
    for _ in range(50):
        x, y = draw.uniform(-170, 170), draw.uniform(-60, 60)
        ends = [(x + draw.uniform(-0.05, 0.05), y + draw.uniform(-0.05, 0.05)) for _ in range(2)]
        line = from_wkt(f"LINESTRING({', '.join(f'{a!r} {b!r}' for a, b in ends)})")
        steps = [line.interpolate(part / 500, normalized=True) for part in range(501)]
        least = min(metres((x, y), (point.x, point.y)) for point in steps)
        assert shape_distance_m(line, from_wkt(f"POINT({x!r} {y!r})")) == pytest.approx(least, rel=2e-3, abs=20)
        assert length_m(line) == pytest.approx(metres(*ends), rel=1e-9)


def test_the_distance_across_the_date_line() -> None:
    west, east = shape_of("POLYGON((179.7 -1,179.9 -1,179.9 1,179.7 1,179.7 -1))"), shape_of("POINT(-179.9 0)")
    expected = metres((179.9, 0.0), (-179.9, 0.0))
    assert shape_distance_m(west, east) == pytest.approx(expected, abs=0.001)
    assert shape_distance_m(east, west) == pytest.approx(expected, abs=0.001)


def test_relations_lengths_and_boxes(base: Path) -> None:
    area, inside = wkt("POLYGON((0 0,2 0,2 2,0 2,0 0))"), wkt("POINT(1 1)")
    assert value(base, f"geof:distance({area}, {inside}, uom:metre)") == 0
    assert value(base, f"geof:distance({area}, {wkt('POINT(3 1)')}, uom:kilometre)") == pytest.approx(111.18, abs=0.01)
    assert value(base, f"geof:sfWithin({inside}, {area})") is True
    assert value(base, f"geof:sfContains({inside}, {area})") is False
    assert value(base, f"geof:sfIntersects({area}, {wkt('LINESTRING(-1 1,1 1)')})") is True
    assert value(base, f"geof:length({wkt('LINESTRING(0 0,0 1,0 2)')}, uom:metre)") == pytest.approx(222390, abs=1)
    assert value(base, f"geof:length({area}, uom:kilometre)") == pytest.approx(889.425, abs=0.01)
    assert value(base, "bqf:jaroWinkler('Pão de Açúcar', 'pao de acucar!')") == 1
    assert value(base, "bqf:jaroWinkler('Martha', 'MARHTA')") == pytest.approx(0.9611, abs=1e-4)
    with KnowledgeBase.open(base) as kb:
        box = kb.answer(
            f"{PREFIXES}SELECT (geof:aggBoundingBox(?g) AS ?v) WHERE {{ VALUES ?g {{ {area} {wkt('POINT(5 1)')} }} }}"
        )
    assert from_wkt(box.frame["v"].item()).bounds == (0, 0, 5, 2)
    assert box.kinds == {"v": "wkt"}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("geof:distance('x', 'y', uom:metre)", "geof:distance: wanted a geo:wktLiteral, found another kind of value"),
        (f"geof:distance({wkt('PIONT(1 1)')}, {wkt('POINT(1 1)')}, uom:metre)", "geof:distance: wanted WKT such as"),
        (
            f"geof:length({wkt('<http://www.opengis.net/def/crs/EPSG/0/4326> POINT(41 12)')}, uom:metre)",
            "geof:length: wanted WKT in CRS84 (longitude latitude), found http://www.opengis.net/def/crs/EPSG/0/4326",
        ),
        (
            f"geof:distance({wkt('POINT(1 1)')}, {wkt('POINT(1 1)')}, uom:degree)",
            "geof:distance: wanted the unit uom:metre",
        ),
        (
            f"geof:sfWithin({wkt('POINT EMPTY')}, {wkt('POINT(1 1)')})",
            "geof:sfWithin: wanted a geometry with coordinates",
        ),
        ("bqf:jaroWinkler('a')", "bqf:jaroWinkler: the similarity wants 2 arguments, found 1"),
    ],
)
def test_an_error_in_a_filter_is_raised_and_quotes_no_value(base: Path, call: str, sentence: str) -> None:
    with KnowledgeBase.open(base) as kb, pytest.raises(DataError) as refused:
        kb.answer(f"{PREFIXES}SELECT ?x WHERE {{ VALUES ?x {{ 1 2 }} FILTER({call} < 5) }}")
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith("(2 calls failed)")


def test_an_error_in_an_aggregate_is_raised(base: Path) -> None:
    with KnowledgeBase.open(base) as kb, pytest.raises(DataError, match="geof:aggBoundingBox: wanted a geo:wktLiteral"):
        kb.answer(f"{PREFIXES}SELECT (geof:aggBoundingBox(?g) AS ?v) WHERE {{ VALUES ?g {{ 1 }} }}")


def test_an_update_with_a_failing_function_changes_nothing(base: Path) -> None:
    with KnowledgeBase.open(base, read_only=False) as kb:
        with pytest.raises(DataError, match="geof:distance"):
            kb.update(f"{PREFIXES}INSERT {{ <urn:a> <urn:p> 1 }} WHERE {{ BIND(geof:distance(1, 2, 3) AS ?e) }}")
        assert len(kb) == 0
