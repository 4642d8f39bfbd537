"""A picture of the traffic before and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.io import read_network

Run = Any


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random map with 300 vehicles, and one jump, one stranger and one fall among copies of them."""
    from sfumato.generate import Roads
    from sfumato.io import write, write_network

    folder = tmp_path_factory.mktemp("town")
    made = Roads(nodes=12, degree=3, vehicles=300, distance_km=12).make(seed=4)
    write(made, folder / "drives.csv")
    write_network(made.network, folder / "streets")
    return folder


def test_the_whole_way_from_a_file_to_a_picture(run: Run, town: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    drives, streets = town / "drives.csv", ("--network", town / "streets")
    assert run("anonymize", "icba", drives, *streets, "--k", 5, "--out", release).code == 0
    assert sorted(path.relative_to(release).as_posix() for path in release.rglob("*.*")) == [
        "certificate.json", "context/nodes.csv", "context/roads.csv", "data.csv",
    ]  # fmt: skip
    assert len(read_network(release / "context")) == 12
    assert run("verify", release).code == 0
    facts = json.loads(run("describe", release, "--json").out)
    assert facts["kind"] == "roads"
    assert facts["times"] == "unknown"
    audited = json.loads(run("audit", release, "--known", 1, "--json").out)
    assert "A visit is a road, its direction and its interval." in audited["notes"]
    before = json.loads(run("audit", drives, *streets, "--known", 1, "--json").out)
    assert "A visit is a road and its direction." in before["notes"]
    refused = run("audit", release, "--original", drives, *streets)
    assert refused.err == f"sfumato: audit: --original needs trajectories, and {release} holds roads\n"
    drawn = run("map", drives, release, *streets, "--out", tmp_path / "map.svg")
    assert drawn.out == f"2 maps in {tmp_path / 'map.svg'}\n"
    assert "300 trajectories on " in (tmp_path / "map.svg").read_text()
    assert run("map", release, "--out", tmp_path / "map.gif").err == (
        f"sfumato: {tmp_path / 'map.gif'}: wanted a file that ends in .png, .svg or .pdf for a map\n"
    )
    (release / "data.csv").write_text((release / "data.csv").read_text() + "999,1,all,77,+\n")
    ran = run("map", release, "--out", tmp_path / "map.svg")
    assert "data.csv was altered: its digest is not the one in the certificate" in ran.err
    assert run("verify", release).code == 1
