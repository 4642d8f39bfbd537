"""Outputs that would have replaced what a command reads, and files that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("which", ["nodes.csv", "roads.csv"])
def test_the_other_file_of_a_network_is_an_input_too(run: Any, tmp_path: Path, which: str) -> None:
    net, other = tmp_path / "net", {"nodes.csv": "roads.csv", "roads.csv": "nodes.csv"}[which]
    positions = tmp_path / "pos.csv"
    made = run(
        *("generate", "city", "--nodes", 30, "--objects", 5, "--out", positions, "--output", "positions"),
        *("--streets", net, "--seed", 1),
    )
    assert made.code == 0, made.err
    before = (net / other).read_bytes()
    ran = run("match", positions, "--network", net / which, "--out", net / other)
    assert ran.code == 2
    assert (net / other).read_bytes() == before


def test_many_fields_twice_are_refused_at_once(run: Any, tmp_path: Path) -> None:
    fields = ",".join(f'"k{at}":0' for at in range(100_000))
    (tmp_path / "certificate.json").write_text(f'{{{fields},"k99999":1}}')
    ran = run("verify", tmp_path)
    assert ran.code == 2
    assert "every field once" in ran.err


def test_a_signature_that_is_a_directory_is_one_sentence(run: Any, tmp_path: Path) -> None:
    visits = tmp_path / "visits.txt"
    visits.write_text("a b\n" * 4)
    out = tmp_path / "out"
    places = tmp_path / "places.csv"
    places.write_text("location,x,y\na,0,0\nb,1,0\n")
    assert run("anonymize", "seqanon", visits, "--places", places, "--k", 2, "--m", 1, "--out", out).code == 0
    (out / "certificate.json.sig").mkdir()
    ran = run("verify", out)
    assert ran.code == 1
    assert "bug" not in ran.out + ran.err
