"""The replications on sparse movements: a small one runs, and the script makes what the others read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.experiments.comparison import compare
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.single_run import cells_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "replications" / "sparse"
METHODS = {"SeqAnon", "USeqAnon", "Zga", "KmSplit", "KmSuppress"}


def test_a_small_version_runs_and_every_bar_is_judged(tmp_path: Path) -> None:
    text = (FOLDER / "generated.toml").read_text()
    for old, new in (("10000, persons = 1000", "300, persons = 60"), ("[0, 1, 2, 3]", "[0, 1]"), ("[5, 10]", "[5]")):
        assert old in text
        text = text.replace(old, new)
    text = text.replace("queries = 500", "queries = 30")
    (tmp_path / "small.toml").write_text(text)
    found = compare(tmp_path / "small.toml", tmp_path / "out", jobs=1)
    assert set(found.results["configuration"]) == METHODS
    judged = [finding for findings in found.findings for finding in findings]
    assert len(judged) == 4 * 3 + 3
    assert all(finding.verdict != "cannot be judged" for finding in judged)
    errors = found.results.filter(figure="are-1", configuration="SeqAnon")["value"]
    assert errors.n_unique() == 2, "each repetition draws its own queries"


def test_each_repetition_seeds_the_queries() -> None:
    cells = cells_of(read_experiment(FOLDER / "generated.toml"))
    for cell in cells:
        drawn = [table.arguments["seed"] for table in cell.spec.measures if table.measure == "are"]
        assert drawn == [cell.seed] * 2
    assert {cell.seed for cell in cells} == {0, 1, 2, 3}
    assert len({cell.key for cell in cells}) == len(cells) == 4 * 2 * len(METHODS)


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ('"displacement", seeded_by = "repetition"', "displacement has no seed; leave out seeded_by"),
        ('"are", seeded_by = "repetition", parameters = { seed = 1 }', "wanted a seed or seeded_by, found both"),
        ('"are", seeded_by = "chance"', "seeded_by"),
    ],
)
def test_seeds_that_are_refused(tmp_path: Path, measure: str, sentence: str) -> None:
    path = tmp_path / "one.toml"
    method = '[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }\n'
    path.write_text(f'title = "x"\nmeasures = [{{ measure = {measure} }}]\n[data]\ngenerate = "checkins"\n{method}')
    with pytest.raises(FileError, match=sentence):
        read_experiment(path)


def test_the_script_makes_what_the_experiments_read(tmp_path: Path) -> None:
    for name in ("benchmarks", "replications/sparse"):
        target = tmp_path / "tree" / name
        target.mkdir(parents=True)
        for path in (ROOT / name).glob("*.*"):
            if path.suffix in (".py", ".toml"):
                (target / path.name).write_bytes(path.read_bytes())
    rows = [
        {"tid": tid, "user": tid % 5, "poi": f"p{place}", "lat": 40.7 + place / 500, "lon": -74 + place / 400}
        for tid in range(20)
        for place in (tid % 7, tid % 3 + 7)
    ]
    pl.DataFrame(rows).write_csv(tmp_path / "foursquare_nyc.csv")
    script = tmp_path / "tree" / "replications" / "sparse" / "prepare.py"
    names = {"NYC places": "nyc_places", "NYC 500 m": "nyc_500m", "NYC 1 km": "nyc_1km"}
    subprocess.run([sys.executable, str(script), str(tmp_path), *names], capture_output=True, check=True)
    for stem in names.values():
        experiment = read_experiment(script.parent / f"{stem}.toml")
        data = make_base(experiment.data)
        assert (len(data), data.unit) == (20, "person")
        assert len(data.sensitive) == 1
        assert data.places.geographic
        assert {configuration.name for configuration in experiment.configurations} == METHODS
