"""The replications on record: rows, experiment files, verdicts and pages agree with each other."""

from __future__ import annotations

import datetime
import tomllib
from pathlib import Path
from typing import Any

import pytest

from replications.__main__ import main
from replications.declarations import VERDICTS, Paper, Part, Row, read_paper, read_papers
from replications.drawing import picture
from replications.pages import overview, page
from replications.running import what_is_run
from replications.shrinking import shrunk
from replications.verdicts import Judged, chart_names, digest_of, judged, read_record, write_record
from sfumato.experiments.definition.experiment_file import read_experiment

ROOT = Path(__file__).parents[2]
PAPERS = read_papers()
by_name = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)


def test_every_paper_has_its_folder() -> None:
    folders = {file.parent.name for file in (ROOT / "replications").glob("*/*") if file.suffix in (".toml", ".py")}
    assert folders - {"__pycache__", "sparse"} == {paper.name for paper in PAPERS}  # sparse: methods without a paper
    assert len(PAPERS) == 15  # the fourteen papers, and the one on n-grams that they compare with


@by_name
def test_every_chart_has_a_row_and_every_row_its_charts(paper: Paper) -> None:
    charts = {
        f"{name}/{chart}"
        for name, file in paper.experiments.items()
        for chart in chart_names(list(read_experiment(file).charts))
    }
    named = {f"{part.experiment}/{part.chart}" for row in paper.rows for part in row.charts}
    causes = {f"{part.experiment}/{part.chart}" for row in paper.rows for part in row.causes}
    scripts = {script.name for script in paper.scripts}
    trying = {name for name in scripts if name.startswith("causes")}
    assert charts <= named
    assert {name for name in named - charts if name.partition("/")[0] not in scripts} == set()
    assert scripts - trying == {name.partition("/")[0] for name in (named | causes) - charts} - trying


@by_name
def test_every_row_has_evidence_or_a_reason(paper: Paper) -> None:
    assert len({row.figure for row in paper.rows}) == len(paper.rows) > 0
    for row in paper.rows:
        assert bool(row.charts or row.tests) != bool(row.not_repeated), row.figure
        assert row.claim or row.charts, row.figure
        assert row.shows in VERDICTS
        assert row.shows == "holds" or row.shown_by, "a test that contradicts the paper is named"
        assert not row.shown_by or row.cause, row.figure
        assert not (row.cause and row.needed), row.figure
        for test in (*row.tests, *(name for name in row.shown_by if "::" in name)):
            file, _, name = test.partition("::")
            assert (ROOT / file).is_file(), test
            assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test
        for part in row.causes:
            assert part.experiment in {*paper.experiments, *(script.name for script in paper.scripts)}, part


@by_name
def test_a_cause_that_an_experiment_refutes_is_not_shown_by_it(paper: Paper) -> None:
    experiments = read_record(paper)["experiments"]
    for row in paper.rows:
        for part in row.causes:
            if part.experiment.startswith("causes"):
                found = experiments[part.experiment]["full"]["charts"][part.chart]
                assert {finding["verdict"] for finding in found} <= {"holds", "measured"}, (row.figure, part)


@by_name
def test_verdicts_are_about_the_files_as_they_are(paper: Paper) -> None:
    record = read_record(paper)
    assert set(record["experiments"]) <= {*paper.experiments, *(script.name for script in paper.scripts)}
    assert set(record["tests"]) <= {test for row in paper.rows for test in row.tests}
    drawn = set()
    for name, outcomes in record["experiments"].items():
        for size, outcome in outcomes.items():
            assert size in ("full", "quick")
            assert outcome["file"] == digest_of(what_is_run(paper, name, size)), (
                f"run {paper.name} again: {name} has changed"
            )
            _require_date(outcome["date"])
            drawn |= {f"{name}-{chart}.svg" for chart in outcome.get("charts", {})}
            if name in paper.experiments and "charts" in outcome:
                assert list(outcome["charts"]) == chart_names(list(read_experiment(paper.experiments[name]).charts))
    for outcome in record["tests"].values():
        _require_date(outcome["date"])
    kept = {file.name for file in (paper.folder / "charts").glob("*")}
    assert kept <= drawn, "a picture without a verdict"
    assert all((paper.folder / "charts" / name).stat().st_size < 12_000 for name in kept)


def _require_date(text: str) -> None:
    assert datetime.date.fromisoformat(text) <= datetime.datetime.now(tz=datetime.UTC).date()


@by_name
def test_the_page_of_a_paper_is_what_its_rows_and_verdicts_say(paper: Paper) -> None:
    assert (paper.folder / "RESULTS.md").read_text(encoding="utf-8") == page(paper, read_record(paper))


def test_the_page_of_all_papers_is_what_their_rows_and_verdicts_say() -> None:
    written = (ROOT / "replications" / "RESULTS.md").read_text(encoding="utf-8")
    assert written == overview([(paper, read_record(paper)) for paper in PAPERS])


EXPERIMENT = """title = "x"
repetitions = 5
[data]
generate = "city"
parameters = { cells = 5 }
[vary]
parameter = "data.sample"
values = [2000, 5000, 10000, 20000]
[[configuration]]
method = "seqanon"
parameters = { k = 5, m = 2 }
[[chart]]
y = "seconds"
expects = { at_most = 9, from = 10000 }
"""


def test_a_small_version_has_few_records_settings_and_one_repetition() -> None:
    made = tomllib.loads(shrunk(EXPERIMENT, {"size": 1000, "parameters": {"k": 3, "delta": 1}}))
    assert made["repetitions"] == 1
    assert made["data"]["parameters"] == {"cells": 5, "objects": 1000}
    assert made["vary"]["values"] == [100, 500, 1000]
    assert made["configuration"][0]["parameters"] == {"k": 3, "m": 2}
    assert made["chart"][0]["expects"]["from"] == 500
    over_k = EXPERIMENT.replace("data.sample", "k").replace('generate = "city"', 'file = "x.csv"')
    made = tomllib.loads(shrunk(over_k.replace("parameters = { cells = 5 }\n", ""), {"size": 9, "values": [1, 2]}))
    assert (made["data"], made["vary"]["values"]) == ({"file": "x.csv", "sample": 9}, [1, 2])


def outcome(*verdicts: str, date: str = "2030-01-02", size: str = "full") -> dict[str, Any]:
    findings = [{"claim": "", "verdict": verdict, "sentence": f"{verdict}."} for verdict in verdicts]
    return {"experiments": {"k": {size: {"charts": {"01-y": findings}, "date": date}}}, "tests": {}}


def with_test(*, passed: bool) -> dict[str, Any]:
    return {"experiments": {}, "tests": {"t::a": {"passed": passed, "date": "2030-01-01"}}}


@pytest.mark.parametrize(
    ("row", "record", "verdict"),
    [
        (Row("1", not_repeated="a drawing"), outcome(), "not repeated"),
        (Row("1", charts=(Part("k", "01-y"),)), outcome("holds", "holds"), "holds"),
        (Row("1", charts=(Part("k", "01-y"),)), outcome("holds", "does not hold"), "holds in part"),
        (Row("1", charts=(Part("k", "01-y", 2),)), outcome("holds", "does not hold"), "does not hold"),
        (Row("1", charts=(Part("k", "01-y"),)), outcome("holds", "cannot be judged"), "holds in part"),
        (Row("1", charts=(Part("k", "01-y"),)), outcome("does not hold", "cannot be judged"), "does not hold"),
        (Row("1", charts=(Part("k", "01-y"),)), outcome("cannot be judged"), "not run"),
        (Row("1", charts=(Part("m", "01-y"),)), outcome("holds"), "not run"),
        (Row("1", tests=("t::a",), shows="holds in part"), with_test(passed=True), "holds in part"),
        (Row("1", tests=("t::a",)), with_test(passed=False), "does not hold"),
    ],
)  # fmt: skip
def test_the_verdict_of_a_row(row: Row, record: dict[str, Any], verdict: str) -> None:
    assert judged(row, record).verdict == verdict


def test_a_whole_run_counts_before_a_small_one() -> None:
    record = outcome("holds", size="quick")
    record["experiments"]["k"]["full"] = outcome("does not hold", date="2030-02-01")["experiments"]["k"]["full"]
    row = Row("1", charts=(Part("k", "01-y"),))
    assert judged(row, record) == Judged("does not hold", "2030-02-01", "full", ("does not hold.",), ())


def test_one_figure_runs_and_is_recorded_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "papers" / "tiny_2000"
    folder.mkdir(parents=True)
    text = EXPERIMENT.replace("2000, 5000, 10000, 20000", "60, 80").replace("from = 10000", "from = 80")
    (folder / "size.toml").write_text(text.replace("cells = 5", "cells = 3, nodes = 40"))
    (folder / "broken.toml").write_text(text.replace("at_most", "most"))
    (folder / "figures.toml").write_text(
        "title = 'Tiny'\npaper = 'A'\n[quick.every]\nsize = 80\n"
        "[[figure]]\nfigure = '1'\ncharts = ['size/01-seconds']\n"
        "[[figure]]\nfigure = '2'\ncharts = ['broken/01-seconds']\n"
    )
    monkeypatch.setattr("replications.__main__.read_papers", lambda: read_papers(folder.parent))
    asked = ["--quick", "--jobs", "1", "--out", str(tmp_path / "out")]
    assert main(["tiny_2000", *asked]) == 0
    said = capsys.readouterr().out
    assert "tiny_2000/broken: failed after" in said  # and the other one is run all the same
    assert "tiny_2000/size: " in said
    assert "| holds (quick), " in (folder / "RESULTS.md").read_text()
    assert "| [Tiny](tiny_2000/RESULTS.md) (1 quick) | 2 | 1 |" in (folder.parent / "RESULTS.md").read_text()
    assert main(["tiny_2000/1", *asked]) == 0
    assert "tiny_2000/size: finished on" in capsys.readouterr().out
    drawn = folder / "charts" / "size-01-seconds.svg"
    record = read_record(read_paper(folder))
    record["experiments"]["size"] = {"full": record["experiments"]["size"]["quick"]}
    write_record(read_paper(folder), record)
    drawn.write_text("of the whole version")
    assert main(["tiny_2000/1", *asked]) == 0
    assert "tiny_2000/size: " in capsys.readouterr().out
    assert drawn.read_text() == "of the whole version"
    assert main(["tiny_2000/7", *asked]) == 2
    assert main(["nobody_2000", *asked]) == 2
    assert "no paper is called 'nobody_2000'" in capsys.readouterr().err


def test_pictures_take_numbers_and_names() -> None:
    drawn = picture("T", "k", "y", {"a": [(1, 2.0), (10, 4.0)], "b": [(1, 1.0)]}, log_x=True, log_y=True)
    assert drawn.count("<polyline") == 1
    assert drawn.count('r="2.6"') == 3
    assert "<svg" in picture("T", "", "y", {"a": [("a", 2.0)], "b": [("b", 2.0)]})
    assert "<svg" in picture("T", "", "y", {})
