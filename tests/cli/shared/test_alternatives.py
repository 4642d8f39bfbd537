"""Near-total loss on the command line: the warning, and its commands, which run on the same input and lose less."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from sfumato import read
from sfumato.cli.shared.alternatives import TypedRun
from sfumato.errors import MissingExtra
from sfumato.experiments.reports import advice_page
from sfumato.generate.checkins import Checkins
from sfumato.generate.mixed import Mixed
from sfumato.io import write
from sfumato.methods.alternative import Alternative


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """Movements under other column names, with coordinates."""
    walks = Checkins(trajectories=80, locations=300, mean_length=8, zipf=0.2, persons=60).make(seed=1)
    where = dict(zip(walks.names, walks.places.coordinates(walks.names), strict=True))
    path = tmp_path / "sparse visits.csv"
    rows = [
        f"{record},{person},{location},{where[location][0]},{where[location][1]}"
        for record, person, location in walks.to_polars().select("trajectory", "person", "location").rows()
    ]
    path.write_text("\n".join(["tid,user,poi,x,y", *rows]) + "\n")
    return path


def commands(err: str) -> list[list[str]]:
    lines = re.findall(r"sfumato: (?:no )?less loss(?:: .*)?: sfumato (.*)  # ", err)
    return [shlex.split(line) for line in lines]


def test_movements(run, sparse: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "private.json"
    typed = ["--columns", "trajectory=tid,location=poi", "--person", "user"]
    ran = run("anonymize", "seqanon", sparse, *typed, "--k", 30, "--m", 2, "--out", out, "--report", report)
    assert ran.code == 0, ran.err
    assert re.search(r"warning: near-total loss: \d+ places -> [12] labels? \(\d+ % of the places", ran.err)
    lost = json.loads(report.read_text())["heavy_losses"][0]
    assert lost["sentence"] in ran.err
    published = "".join(path.read_text() for path in out.rglob("*") if path.is_file())
    assert "loss" not in published
    values = int(lost["sentence"].split()[0])
    first, second = commands(ran.err)
    assert first[-1] != second[-1]
    for words in (first, second):
        again = run(*words)
        assert again.code == 0, again.err
        kept = {line.split(",")[4 if words[1] == "disassociate" else 2] for line in _lines(Path(words[-1]))}
        assert 1 - len(kept) / values < lost["value"]


def _lines(folder: Path) -> list[str]:
    file = folder / "data.csv"
    return (file if file.exists() else folder / "chunks.csv").read_text().splitlines()[1:]


def test_lines_of_places_have_no_columns(run, tmp_path: Path) -> None:
    walks = Checkins(trajectories=60, locations=200, mean_length=8, zipf=0.2).make(seed=2)
    file, places = tmp_path / "walks.txt", tmp_path / "places.csv"
    file.write_text("\n".join(" ".join(row) for row in walks.to_lists()) + "\n")
    where = walks.places.coordinates(walks.names)
    rows = [f"{name},{x},{y}" for name, (x, y) in zip(walks.names, where.tolist(), strict=True)]
    places.write_text("\n".join(["location,x,y", *rows]) + "\n")
    ran = run("anonymize", "seqanon", file, "--places", places, "--k", 30, "--m", 2, "--out", tmp_path / "o", "--json")
    (loss,) = json.loads(ran.out)["heavy_losses"]
    for alternative in loss["alternatives"]:
        words = shlex.split(alternative["command"])[1:]
        assert ("--columns" in words, "--places" in words) == (False, alternative["method"] != "disassociate")
        assert run(*words).code == 0


def test_the_commands_of_an_alternative_on_prepared_data(run, sparse: Path, tmp_path: Path) -> None:
    grid = Alternative("seqanon", {"k": 3, "m": 1}, "trajectories", "", preparation=("grid:cells=4",))
    typed = {"columns": "trajectory=tid,location=poi", "person": "user", "kind": None}
    commands = TypedRun(sparse, typed, tmp_path / "o", "trajectories").command(grid).split(" && ")
    assert [shlex.split(command)[1:3] for command in commands] == [["prepare", "grid"], ["anonymize", "seqanon"]]
    for command in commands:
        ran = run(*shlex.split(command)[1:])
        assert ran.code == 0, ran.err
    release = grid.anonymize(read(sparse, columns={"trajectory": "tid", "location": "poi", "person": "user"}))
    release.write(tmp_path / "again")
    assert (tmp_path / "again" / "data.csv").read_text() == (tmp_path / "o-1" / "data.csv").read_text()


def test_mixed_records(run, tmp_path: Path) -> None:
    patients = Mixed(people=120, codes=100).make(seed=1)
    write(patients, tmp_path / "patients.csv")
    (tmp_path / "tree.csv").write_text("".join(f"{name};all\n" for name in patients.items.names))
    typed = ["--items", "diagnoses", "--taxonomy", tmp_path / "tree.csv"]
    ran = run("anonymize", "r-first", tmp_path / "patients.csv", *typed, "--k", 5, "--m", 2, "--out", tmp_path / "o")
    assert ran.code == 0, ran.err
    assert "near-total loss: diagnoses: 97 items -> 1 label (" in ran.err
    assert len(commands(ran.err)) == 2
    for words in commands(ran.err):
        again = run(*words)
        assert again.code == 0, again.err
        assert "near-total loss" not in again.err


def test_columns_with_one_cause_share_a_line(run, tmp_path: Path) -> None:
    patients = Mixed(people=120, codes=100).make(seed=1)
    patients.table.frame.write_csv(tmp_path / "people.csv")
    ran = run("anonymize", "incognito", tmp_path / "people.csv", "--k", 5, "--out", tmp_path / "o")
    assert ran.err.count("warning: near-total loss") == 1
    assert "column marital: every value is '*'" in ran.err
    assert "sfumato: no less loss: ncp 0.6 -> 0.6, still near-total of age, income, marital: sfumato " in ran.err
    assert [words[1] for words in commands(ran.err)] == ["incognito", "cluster"]
    for words in commands(ran.err):
        assert run(*words).code == 0


def test_one_row_that_ruins_a_table(run, tmp_path: Path) -> None:
    """The warning has the loss with a little suppression; its command runs, and loses as much as it says."""
    rows = [f"{30 + number % 4},{('Rome', 'Bari')[number % 2]}" for number in range(100)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town", *rows, ","]) + "\n")
    ran = run("anonymize", "incognito", tmp_path / "people.csv", "--k", 5, "--out", tmp_path / "o")
    (after,) = re.findall(r"sfumato: less loss: ncp 1 -> (0.\S+), suppressed rows 0 -> 1: sfumato ", ran.err)
    first, *_ = commands(ran.err)
    assert first[first.index("--suppression") + 1] == "0.02"
    again = run(*first, "--measure", "ncp")
    assert again.code == 0, again.err
    assert f"NCP, the normalized certainty penalty: {after}" in again.out


def test_nothing_is_said_about_an_ordinary_loss(run, visits: Path, tmp_path: Path) -> None:
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "o", "--json")
    assert "near-total" not in ran.err
    assert "heavy_losses" not in json.loads(ran.out)


def test_advise_and_compare_mark_it(run, sparse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_charts() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(advice_page, "require_charts", no_charts)
    typed = ["--columns", "trajectory=tid,location=poi", "--person", "user"]
    ran = run(
        "advise", sparse, *typed, "--promise", "km", "--k", 30, "--m", 2, "--care", "label-size", "--jobs", 1,
        "--out", tmp_path / "advice",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert re.search(r"seqanon, suppression=0: near-total loss: \d+ places -> [12] labels? \(", ran.out)
    page = (tmp_path / "advice" / "report.html").read_text()
    assert "near-total loss" in page
    assert "But its loss is near-total" not in ran.out, "other candidates avoid it"
    people = Mixed(people=60, codes=40).make(seed=1).table
    people.frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "experiment.toml").write_text(
        'title = "people"\nrepetitions = 2\nmeasures = ["ncp"]\n[data]\nfile = "people.csv"\n'
        '[[configuration]]\nname = "coarse"\nmethod = "incognito"\nparameters = { k = 20 }\n'
        '[[configuration]]\nmethod = "cluster"\nparameters = { k = 20 }\n'
    )
    ran = run("compare", tmp_path / "experiment.toml", "--out", tmp_path / "compared", "--jobs", 1)
    assert ran.code == 0, ran.err
    (sentence,) = re.findall(r"near-total loss: (coarse, seeds 1, 2.*)", ran.out)
    assert "; to lose less, try incognito with k = 4 (promises less: k=4, not 20; less loss: ncp 0." in sentence
    assert "Near-total loss" in (tmp_path / "compared" / "report.html").read_text()
    head, first, *_ = (tmp_path / "compared" / "results.csv").read_text().splitlines()
    assert head.split(",")[-1] == "near_total_loss"
    assert "every value is" in first
