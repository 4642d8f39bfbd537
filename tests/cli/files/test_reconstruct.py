"""`sfumato reconstruct`: worlds of a disassociated release, from its files alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato
from sfumato.data import Transactions

ROWS = ["a b c", "a b d", "a c d", "b c", "a b", "c d e", "a e", "b e c"] * 3


@pytest.fixture
def release(run, tmp_path: Path) -> Path:
    (tmp_path / "baskets.dat").write_text("\n".join(ROWS) + "\n")
    done = run("anonymize", "disassociate", tmp_path / "baskets.dat", "--k", 3, "--m", 2, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    return tmp_path / "out"


def test_a_world_is_a_possible_original(run, release: Path, tmp_path: Path) -> None:
    out = tmp_path / "world.csv"
    done = run("reconstruct", release, "--out", out, "--seed", 4)
    assert done.code == 0, done.err
    assert done.out == f"1 world of 24 records in {out}, drawn from the release alone\n"
    world = sfumato.read(out)
    assert isinstance(world, Transactions)
    chunks = sfumato.read(release)
    assert sorted(world.to_lists()) == sorted(chunks.reconstruct(1, seed=4)[0].to_lists())
    original = Transactions.from_lists([row.split() for row in ROWS])
    count = {name: sum(name in row for row in original.to_lists()) for name in original.names}
    in_chunks = {name for name in "abc" if chunks.lower_bound([name]) == count[name]}
    assert all(sum(name in row for row in world.to_lists()) == count[name] for name in in_chunks)


def test_several_worlds_are_files_in_a_directory(run, release: Path, tmp_path: Path) -> None:
    out = tmp_path / "worlds"
    done = run("reconstruct", release, "--out", out, "--worlds", 3, "--seed", 1, "--json")
    assert json.loads(done.out) == {"out": str(out), "worlds": 3, "records": 24, "seed": 1}
    assert sorted(path.name for path in out.iterdir()) == ["world-1.csv", "world-2.csv", "world-3.csv"]
    assert (out / "world-1.csv").read_text().startswith("record,item\n")
    run("reconstruct", release, "--out", tmp_path / "again", "--worlds", 3, "--seed", 1)
    assert all((tmp_path / "again" / path.name).read_bytes() == path.read_bytes() for path in out.iterdir())


def test_refusals(run, release: Path, visits: Path, tmp_path: Path) -> None:
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "walks")
    other = run("reconstruct", tmp_path / "walks", "--out", tmp_path / "w.csv")
    assert other.code == 2
    assert other.err.rstrip().endswith(
        "wanted a disassociated release, whose chunks allow several originals, found trajectories"
    )
    assert "ends in .csv or .parquet" in run("reconstruct", release, "--out", tmp_path / "w.txt").err
    assert run("reconstruct", release, "--out", release / "w.csv").code == 2
    assert run("reconstruct", tmp_path / "nothing", "--out", tmp_path / "w.csv").code == 2
    assert run("reconstruct", release, "--out", tmp_path / "w.csv", "--worlds", 0).code == 2
    assert not (tmp_path / "w.csv").exists()
