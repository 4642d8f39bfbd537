"""From generated places with owners to a release that keeps the promise against them, as a user would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato import read, read_places


@pytest.fixture
def visits(tmp_path: Path, run: Any) -> Path:
    done = run(
        "generate", "checkins", "--trajectories", 60, "--locations", 12, "--owners", 3, "--seed", 1,
        "--out", tmp_path / "visits.csv", "--places", tmp_path / "places.csv",
    )  # fmt: skip
    assert done.code == 0, done.err
    return tmp_path / "visits.csv"


def test_owners_are_written_to_the_places(visits: Path) -> None:
    data = read(visits, places=read_places(visits.parent / "places.csv"))
    assert set(data.owners.values()) == {"o1", "o2", "o3"}


def test_owners_without_a_file_for_them_are_refused(run: Any, tmp_path: Path) -> None:
    done = run("generate", "city", "--owners", 3, "--out", tmp_path / "visits.csv")
    assert done.code == 2
    assert "generate city: owners are written to a file of places; name it (--places FILE)" in done.err
    done = run("generate", "city", "--places", tmp_path / "p.csv", "--output", "positions", "--out", tmp_path / "v.csv")
    assert done.code == 2
    assert "positions have no places" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["gsup", "lsup", "split", "mix"])
def test_the_whole_way(run: Any, visits: Path, method: str) -> None:
    out, report, places = visits.parent / "out", visits.parent / "report.json", visits.parent / "places.csv"
    done = run(
        "anonymize", method, visits, "--places", places, "--threshold", 0.5, "--batch", 5, "--collude", "o1,o2",
        "--out", out, "--report", report,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "projection safety(threshold=0.5, collude=o1,o2) holds" in done.out
    assert run("verify", out).code == 0
    counts = json.loads(report.read_text())["counts"]
    assert (counts["suppressed_visits"] == 0) == (method == "split")


def test_what_was_wrong_is_said_in_one_sentence(run: Any, visits: Path) -> None:
    out, places = visits.parent / "out", visits.parent / "places.csv"
    for options, sentence in (
        (("--places", places, "--threshold", 2), "threshold must be a number above 0 and at most 1, got 2"),
        (("--places", places, "--collude", "o1,o9"), "collude names 'o9'"),
        ((), "needs owners, these data carry none"),
    ):
        done = run("anonymize", "gsup", visits, *options, "--out", out)
        assert done.code == 2
        assert sentence in done.err
        assert not out.exists()
