"""The script of the page draws what Python would: the same circles and the same flows at every zoom."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sfumato import Trajectories, draw_map
from sfumato.experiments.reports.maps.clusters import Flows, Marks, clustered
from sfumato.experiments.reports.maps.page_script import SCRIPT

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs node to run the script of a page")
def test_the_script_joins_circles_as_python_does(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    where = {str(place): tuple(random.uniform(0, 9, 2)) for place in range(80)}
    walks = [[str(place) for place in random.integers(0, 80, 7)] for _ in range(60)]
    drawn = draw_map(Trajectories.from_lists(walks, places=where))
    data = json.loads(re.search(r"<script>const DATA = (.*?);</script>", drawn.html)[1])
    panel, sides = data["panels"][0], [1e5, 1e6, 3e6, 1e8]
    function = re.search(r"^function joined\(.*?^function atLevel", SCRIPT, re.DOTALL | re.MULTILINE)[0].removesuffix(
        "function atLevel"
    )
    call = f"""
    const slim = (all) => ({{marks: all.marks.map((m) => [m.x, m.y, m.visits, m.members, m.labels, m.name]),
      flows: all.flows.map((f) => [f.a.x, f.a.y, f.b.x, f.b.y, f.moves])}});
    console.log(JSON.stringify({sides}.map((side) => slim(clustered({json.dumps(panel)}, side)))));"""
    (tmp_path / "run.js").write_text(f"{function}\n{call}")
    done = subprocess.run([NODE, tmp_path / "run.js"], capture_output=True, text=True, timeout=60, check=True)
    flat = np.array(panel["flows"]).reshape(-1, 3)
    count = np.ones(len(panel["marks"]["visits"]), dtype=np.int64)
    names = np.array(panel["marks"]["names"], dtype=object)
    points = np.array(panel["marks"]["points"], dtype=float).reshape(-1, 2)
    marks = Marks(points, np.array(panel["marks"]["visits"]), count, names, count)
    for side, result in zip(sides, json.loads(done.stdout), strict=True):
        joined, flows = clustered(marks, Flows(*flat.T), side)
        mine = {(*_rounded(p), int(v), int(m), int(n), str(name)) for p, v, m, n, name in zip(
            joined.points, joined.visits, joined.members, joined.labels, joined.names, strict=True)}  # fmt: skip
        assert {(*_rounded(row[:2]), *row[2:]) for row in result["marks"]} == mine
        ends = joined.points
        moves = {(*_rounded(ends[a]), *_rounded(ends[b]), int(n)) for a, b, n in zip(
            flows.start, flows.end, flows.moves, strict=True)}  # fmt: skip
        assert {(*_rounded(row[:2]), *_rounded(row[2:4]), row[4]) for row in result["flows"]} == moves
        assert [row[4] for row in result["flows"]] == flows.moves.tolist()


def _rounded(point: object) -> tuple[int, ...]:
    return tuple(round(float(axis), 3) for axis in point)
