"""The map in the report: a picture for each dataset on one scale, which a narrow screen shows below each other."""

from __future__ import annotations

import re

import sfumato
from sfumato.experiments.reports.maps import map_svgs


def test_two_pictures_on_one_scale() -> None:
    places = {"a": (0.0, 0.0), "b": (5.0, 0.0), "c": (6.0, 4.0), "d": (40.0, 30.0)}
    walks = sfumato.Trajectories.from_lists(["ab", "ab", "ac", "ad"], places=places)
    near = sfumato.Trajectories.from_lists(["ab", "ab", "ac"], places=places)
    first, second = map_svgs({"original": walks, "published": near})
    sizes = [re.search('viewBox="0 0 ([0-9]+)', svg)[1] for svg in (first, second)]
    assert sizes == ["492", "492"]
    spots = [set(re.findall('<circle cx="([^"]+)" cy="([^"]+)"', svg)) for svg in (first, second)]
    assert spots[1] < spots[0]
    assert "<title>Map of published</title>" in second
    page = sfumato.report(sfumato.anonymize(walks, "seqanon", k=2, m=1), walks).to_html()
    assert "Visits and moves, original" in page
    assert "Visits and moves, published" in page
    assert "parameters of the method" in page
