"""`sfumato segment`: posts to a movement, its counts, regions, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.semantics import read_movement

Run = Any
POSTS = """person,time,lat,lon,tags
ann,2031-03-03T08:00:00Z,45.46400,9.19000,"home, coffee"
ann,2031-03-03T08:00:00Z,45.46410,9.19010,milk
ann,2031-03-03T08:40:00Z,45.46410,9.19020,
ann,2031-03-03T09:30:00Z,45.47810,9.22700,work
ann,2031-03-04T08:00:00Z,45.46400,9.19010,
bob,2031-03-03T08:10:00Z,45.46410,9.19000,
bob,2031-03-03T08:11:00Z,48.85000,2.35000,paris
"""


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    path = tmp_path / "posts.csv"
    path.write_text(POSTS)
    return path


def test_segment(run: Run, posts: Path, tmp_path: Path) -> None:
    out = tmp_path / "movement"
    ran = run("segment", posts, "--out", out)
    assert ran.out == (
        f"4 positions of 1 moving object in 2 trails with 1 stop and 1 move, in {out}\n"
        "    positions merged with an earlier one at the same instant: 1\n"
        "    trails left out, with a step above the highest speed: 1\n"
        "    positions left out with them: 2\n"
    )
    assert out.stat().st_mode & 0o077 == 0
    movement = read_movement(out)
    assert movement.segments["type"].to_list() == ["HISTORY", "TRAIL", "TRAIL", "STOP", "MOVE"]
    tags = movement.annotations.filter(pl.col("kind") == "tag")
    assert sorted(tags.select("target", "value").rows()) == [(0, "coffee"), (0, "home"), (0, "milk"), (2, "work")]


def test_every_position_stays_at_any_speed_and_counts_are_machine_readable(
    run: Run, posts: Path, tmp_path: Path
) -> None:
    ran = run(
        "segment", posts, "--out", tmp_path / "m", "--trails", "whole", "--fastest-kmh", "any", "--stop-minutes", 5,
        "--json",
    )  # fmt: skip
    counts = json.loads(ran.out)
    assert (counts["positions"], counts["objects"], counts["trails"], counts["stops"]) == (6, 2, 2, 1)
    assert counts["parameters"]["trails"] == "whole"


def test_regions(run: Run, posts: Path, tmp_path: Path) -> None:
    areas = tmp_path / "areas.csv"
    areas.write_text("region,west,south,east,north\nMilan,9,45,10,46\n")
    assert run("segment", posts, "--out", tmp_path / "m", "--regions", areas, "--trails", "region").code == 0
    movement = read_movement(tmp_path / "m")
    assert movement.annotations.filter(pl.col("target_kind") == "segment")["value"].to_list() == ["Milan", "Milan"]


@pytest.mark.parametrize(
    ("options", "code", "error"),
    [
        (("--trails", "month"), 2, "segment: Invalid value for '--trails': trails must be one of 'day', 'week', "),
        (("--trails", "region"), 2, "segment: wanted regions with outlines, found none"),
        (("--regions", "nowhere.csv"), 2, "nowhere.csv: "),
        (("--fastest-kmh", "1e-9", "--drop", "object"), 0, ""),
    ],
)
def test_mistakes(run: Run, posts: Path, tmp_path: Path, options: tuple[str, ...], code: int, error: str) -> None:
    posts.write_text(POSTS + "cem,2031-03-03T08:10:00Z,45.4,9.1,\n")
    ran = run("segment", posts, "--out", tmp_path / "m", *options)
    assert ran.code == code
    assert error in ran.err
    assert (tmp_path / "m").exists() == (code == 0)


def test_nothing_is_written_where_it_must_not_be(run: Run, posts: Path, tmp_path: Path) -> None:
    (tmp_path / "certificate.json").write_text("{}")
    ran = run("segment", posts, "--out", tmp_path / "m")
    assert ran.code == 2
    assert "the movement is private and must not be in" in ran.err
    (tmp_path / "certificate.json").unlink()
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "mine").touch()
    assert "exists already" in run("segment", posts, "--out", tmp_path / "m").err
    posts.write_text(POSTS.replace("9.19000", "here"))
    assert (
        "posts.csv, line 2: wanted lon as a number, found something else"
        in run("segment", posts, "--out", tmp_path / "n").err
    )
