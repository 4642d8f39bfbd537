"""`sfumato anonymize ngrams`: what a person sees, and what they are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VISITS = "trajectory,who,location,x,y\n" + "".join(f"{n},p{n % 7},a,0,0\n{n},p{n % 7},b,1,0\n" for n in range(40))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "places.csv").write_text("location\na\nb\nc\n")
    return tmp_path / "visits.csv", tmp_path / "places.csv"


def test_a_release_is_synthetic_and_says_what_it_does_not_cover(run, files: tuple[Path, Path], tmp_path: Path) -> None:
    visits, places = files
    ran = run("anonymize", "ngrams", visits, "--epsilon", 2, "--l-max", 6, "--n-max", 3, "--person", "who",
              "--places", places, "--out", tmp_path / "out", "--report", tmp_path / "report.json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "synthetic records published" in ran.out
    certificate = json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert "epsilons-add-up" in [limit["key"] for limit in certificate["not_covered"]]
    assert (certificate["unit"], certificate["seeded"]) == ("person", False)
    assert json.loads((tmp_path / "report.json").read_text())["ledger"]
    checked = run("verify", tmp_path / "out")
    assert checked.code == 3
    assert "? epsilon-differential privacy(epsilon=2.0) cannot be fully checked" in checked.out
    asked = run("verify", visits, "--model", "epsilon", "--epsilon", 1)
    assert "files cannot show" in asked.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--epsilon", 1), "needs a list of places that was not made from the data"),
        (("--epsilon", 0, "--places", "places.csv"), "epsilon must be a number of at least 0.001"),
        (("--places", "places.csv"), "--epsilon is required: the privacy budget"),
        (("--epsilon", 1, "--l-max", 1, "--places", "places.csv"), "l_max must be a whole number of at least 2"),
        (("--epsilon", 1, "--places", "few.csv"), "wanted a place for every location, found none for 1 of 2"),
        (("--epsilon", 1, "--places", "none.csv"), "wanted at least one place, found none"),
        (("--epsilon", 1, "--places", "places.csv", "--seed", -1), "seed: wanted a whole number of 0 or more, got -1"),
        (("--epsilon", 1, "--places", "places.csv", "--k", 2), "No such option"),
    ],
)
def test_mistakes_end_in_one_sentence(
    run, files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.csv").write_text("location\na\nc\n")
    (tmp_path / "none.csv").write_text("location\n")
    ran = run("anonymize", "ngrams", files[0], *options, "--out", "out")
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
