"""Taxonomies and constraints that do not fit: one sentence on stderr, exit code 2, nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VISITS = "trajectory,location,x,y\n1,a,0,0\n1,b,1,0\n2,a,0,0\n3,c,5,0\n"
TREE = "node,parent\nroot,\na,root\nb,root\nc,root\n"
SD, U = ("sd-seqanon", "--k", 2, "--m", 1), ("u-seqanon", "--k", 2, "--m", 1, "--delta", 10)
REFUSED = {
    "no taxonomy": (SD, None, "sd-seqanon: needs taxonomy, these data carry none; give a taxonomy (--taxonomy FILE)"),
    "a taxonomy that misses a location": (
        (*SD, "--taxonomy"),
        TREE.replace("c,root\n", ""),
        "side.csv: wanted a leaf for every location of the data, found none for 1",
    ),
    "no constraints": (
        U,
        None,
        "u-seqanon: needs constraints, these data carry none; give utility constraints, with the "
        "columns location and constraint (--constraints FILE)",
    ),
    "constraints that are no partition": (
        (*U, "--constraints"),
        "location,constraint\na,1\nb,1\nc,2\na,2\n",
        "side.csv, line 5: wanted every location in one constraint, found a location for the second time",
    ),
    "constraints that miss a location": (
        (*U, "--constraints"),
        "location,constraint\na,1\nb,1\n",
        "side.csv: wanted every location of the data in one constraint, found none for 1",
    ),
    "another file as constraints": (
        (*U, "--constraints"),
        TREE,
        "side.csv: wanted the columns location, constraint, found node, parent",
    ),
    "a delta that is passed": (
        (*U, "--constraints"),
        "location,constraint\na,1\nb,1\nc,2\n",
        "u-seqanon: 33.34 percent of the locations (1 of 3) would have to be suppressed, delta=10 allows fewer; "
        "raise delta, lower k or m, or give larger constraints",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused(run, tmp_path: Path, what: str) -> None:
    options, side, sentence = REFUSED[what]
    (tmp_path / "visits.csv").write_text(VISITS)
    if side is not None:
        (tmp_path / "side.csv").write_text(side)
        options = (*options, tmp_path / "side.csv")
    method, *rest = options
    ran = run("anonymize", method, tmp_path / "visits.csv", *rest, "--out", tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.replace(str(tmp_path) + os.sep, "") == f"sfumato: {sentence}\n"
    assert not (tmp_path / "out").exists()
