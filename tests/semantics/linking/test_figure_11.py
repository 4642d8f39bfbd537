"""The replication of Figure 11 on a made-up table: which posts it counts, and the map that it writes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

FOLDER = Path(__file__).parents[3] / "replications" / "baquara_2015"
PLACES = pl.DataFrame(
    {
        "osm": ["node/1", "node/2", "way/3"],
        "key": ["amenity"] * 3,
        "value": ["bar", "cafe", "bar"],
        "name": ["Bar Uno", "Caffe Due", "Bar Tre"],
        "name_en": [None, "Cafe Two", None],
        "lat": [41.9, 41.9, 41.9],
        "lon": [12.5, 12.501, 12.502],
        "wikidata": pl.Series([None] * 3, dtype=pl.String),
    }
)


def test_nearest_or_similar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("pyoxigraph", "shapely"):
        pytest.importorskip(package)
    monkeypatch.syspath_prepend(str(FOLDER))
    import nearest_or_similar
    import rome

    from sfumato.semantics.linking.linker import Linker

    PLACES.write_csv(tmp_path / "places.csv")
    places = rome.read_places(tmp_path / "places.csv")
    names = pl.Series(["Bar Tre", "Bar Uno", "Caffe Due", "elsewhere"])  # the first two are nearest to node/1
    where = np.array([[12.5001, 41.9], [12.5001, 41.9], [12.5001, 41.9], [12.502, 41.9]])
    truth = pl.Series(["way/3", "node/1", "node/1", "way/3"])
    posts, resources = rome.targets(places, names, where), rome.resources(places)
    candidates = Linker(tau_s=2000, tau_t=0, first="all").candidates(posts, resources)
    example = nearest_or_similar.NearestOrSimilar.of(posts, truth, resources, candidates)
    assert example.links.select("target", "right").rows() == [(0, True), (2, False)]
    assert example.verdict()[2:] == ("2 of 3 linked posts; 1 of these links are right", True)
    example.draw(tmp_path / "places.csv", tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text("utf-8")
    assert [name in page for name in ("Bar Uno", "Bar Tre", "Caffe Due")] == [True, True, False]
    for name in ("nearest_or_similar", "rome"):
        sys.modules.pop(name, None)
