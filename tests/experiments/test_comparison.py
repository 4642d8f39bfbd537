"""A comparison from file to report; interrupted, resumed, extended, refused."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
from pathlib import Path

import polars as pl
import pytest

import sfumato
from experiments.conftest import DATA, TOP, TWO, VARY, write_walks
from sfumato.errors import FileError, MissingExtra, OutputError, SfumatoError
from sfumato.experiments import result_store as store
from sfumato.experiments.comparison import Comparison, compare
from sfumato.experiments.reports import charts

CLAIMS = """
[[chart]]
y = "intact"
x_scale = "log"
claim = "Fewer <b>places</b> & more words."
expects = { monotone = "falling" }
[[chart]]
title = "Suppressed"
y = "counts.suppressed_visits"
[[chart]]
y = "seconds"
y_scale = "log"
expects = { ordering = ["seqanon", "all at once"] }
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("six")
    write_walks(folder)
    (folder / "six.toml").write_text("".join((TOP, DATA, VARY, TWO, CLAIMS)))
    return compare(folder / "six.toml", folder / "out", jobs=2)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes seconds that most tests do not need."""

    def absent() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(charts, "require_charts", absent)


def test_the_figures_are_those_of_the_methods(finished: Comparison) -> None:
    walks = sfumato.read(finished.experiment.data.file)
    release = sfumato.SeqAnon(k=2, m=2).anonymize(walks)
    from sfumato.utility.places.generalization import IntactLocations, LabelSize

    rows = finished.results.filter((pl.col("configuration") == "seqanon") & (pl.col("setting") == 2))
    assert set(rows["repetition"]) == {1, 2}
    assert set(rows["seed"]) == {1, 2}
    for name, measure in (("intact", IntactLocations()), ("label-size", LabelSize())):
        assert rows.filter(pl.col("figure") == name)["value"].to_list() == [measure(walks, release).value] * 2
    assert rows.filter(pl.col("figure") == "counts.published_records")["value"].to_list() == [18, 18]
    assert rows.filter(pl.col("figure") == "holds")["value"].to_list() == [1, 1]
    assert rows.filter(pl.col("figure") == "seconds")["value"].min() > 0
    assert rows.filter(pl.col("figure") == "seconds.verifying")["value"].min() > 0


def test_the_tables_are_tidy(finished: Comparison) -> None:
    results = pl.read_csv(finished.out / "results.csv")
    assert results.columns == [
        "configuration", "method", "privacy_policy", "utility_policy", "taxonomy", "hierarchies", "constraints",
        "parameter", "setting", "repetition", "seed", "data_seed", "figure", "value", "unit", "reason", "release",
        "near_total_loss",
    ]  # fmt: skip
    assert results.select("configuration", "setting", "repetition", "figure").is_duplicated().sum() == 0
    assert finished.runs == finished.ran == 8
    summary = pl.read_csv(finished.out / "summary.csv")
    assert summary.columns[-6:] == ["runs", "median", "min", "q1", "q3", "max"]
    assert summary["configuration"].unique(maintain_order=True).to_list() == ["seqanon", "all at once"]
    assert (summary["runs"] == 2).all()
    assert ((summary["min"] <= summary["median"]) & (summary["median"] <= summary["max"])).all()


def test_charts_and_findings(finished: Comparison) -> None:
    names = sorted(path.name for path in (finished.out / "charts").iterdir())
    assert [name for name in names if name.startswith("01")] == ["01-intact.pdf", "01-intact.png", "01-intact.svg"]
    assert len(names) == 9
    assert (finished.out / "charts" / "01-intact.png").read_bytes().startswith(b"\x89PNG")
    assert (finished.out / "charts" / "01-intact.pdf").read_bytes().startswith(b"%PDF")
    svg = (finished.out / "charts" / "01-intact.svg").read_text()
    (intact,) = finished.findings[0]
    assert str(intact).split(" (")[0] in re.sub(r"<[^>]+>", " ", svg).replace("  ", " ")
    assert finished.findings[1] == ()
    assert finished.findings[2][0].verdict in ("holds", "holds in part", "does not hold")


def test_the_report_is_one_file_that_needs_nothing(finished: Comparison) -> None:
    page = (finished.out / "report.html").read_text()
    markup = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "@@" not in markup
    assert set(re.findall(r"(?:src|href)=['\"]?([a-z:]+|#)", markup)) == {"#", "data:image"}
    assert "Fewer &lt;b&gt;places&lt;/b&gt; &amp; more words." in page
    assert "Private." in page
    assert finished.findings[0][0].sentence in page
    specs = json.loads(re.search(r"const charts = (\{.*?\});\n", page)[1])
    assert list(specs) == ["01-intact", "02-counts-suppressed-visits", "03-seconds"]
    assert len(specs["01-intact"]["layer"]) == 3
    assert page.count("data-chart=") == 3
    assert "parameters = { m = 2 }" in page


@pytest.mark.usefixtures("undrawn")
def test_nothing_is_run_twice(finished: Comparison) -> None:
    before = {path: path.stat().st_mtime_ns for path in (finished.out / "cells").iterdir()}
    told: list[int] = []
    again = compare(finished.experiment.file, finished.out, tell=lambda done, *_: told.append(done))
    assert again.ran == 0
    assert told == []
    assert {path: path.stat().st_mtime_ns for path in (finished.out / "cells").iterdir()} == before
    assert again.results.equals(finished.results)


@pytest.mark.usefixtures("undrawn")
def test_interrupted_and_resumed(write, tmp_path: Path) -> None:
    path, out = write(TOP, DATA, VARY, TWO), tmp_path / "out"

    def stop(done: int, total: int, _: str) -> None:
        assert total == 8
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(path, out, jobs=1, tell=stop)
    kept = {file: file.stat().st_mtime_ns for file in (out / "cells").glob("*.json")}
    assert len(kept) == 3
    assert not (out / "results.csv").exists()
    assert multiprocessing.active_children() == []
    whole = compare(path, out, jobs=1)
    assert whole.ran == 5
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    assert len(list((out / "cells").glob("*.json"))) == 8


@pytest.mark.usefixtures("undrawn")
def test_a_killed_worker(write, tmp_path: Path) -> None:
    path, out = write(TOP, DATA, VARY, TWO), tmp_path / "out"

    def kill(done: int, *_: object) -> None:
        if done == 1:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid, signal.SIGKILL)

    with pytest.raises(SfumatoError, match="a worker process ended before its work was done") as stopped:
        compare(path, out, jobs=1, tell=kill)
    assert "the same command continues from there" in str(stopped.value)
    kept = len(list((out / "cells").glob("*.json")))
    assert 1 <= kept < 8
    assert compare(path, out, jobs=1).ran == 8 - kept


@pytest.mark.usefixtures("undrawn")
def test_more_values_and_other_charts_keep_what_is_there(write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    small = 'title = "Six"\nseeds = [4]\nmeasures = ["intact"]\n'
    first = compare(write(small, DATA, VARY, TWO), out, jobs=1)
    assert first.ran == 4
    more = VARY.replace("[2, 3]", "[2, 3, 5]")
    renamed = TWO.replace("all at once", "another name")
    second = compare(
        write(small.replace("[4]", "[4, 9]"), DATA, more, renamed, CLAIMS.partition("expects")[0]), out, jobs=1
    )
    assert (second.runs, second.ran) == (12, 8)
    assert set(second.summary["configuration"]) == {"seqanon", "another name"}


OTHERS = {
    "another dataset": lambda folder, text: write_walks(folder, times=2) and text,
    "another experiment": lambda folder, text: text.replace("[2, 3]", "[2, 4]"),  # noqa: ARG005
    "another version of sfumato": lambda folder, text: text,  # noqa: ARG005
}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("whose", OTHERS)
def test_results_of_something_else_are_refused(whose: str, finished: Comparison, tmp_path, monkeypatch) -> None:
    write_walks(tmp_path)
    text = OTHERS[whose](tmp_path, finished.experiment.text)
    (tmp_path / "six.toml").write_text(text)
    if "version" in whose:
        monkeypatch.setattr(sfumato, "__version__", "99")
    before = sorted(path.name for path in finished.out.rglob("*"))
    with pytest.raises(OutputError) as refused:
        compare(tmp_path / "six.toml", finished.out)
    assert str(refused.value) == (
        f"{finished.out}: contains the results of {whose} ('Six walks'); choose another directory or remove it first"
    )
    assert sorted(path.name for path in finished.out.rglob("*")) == before


@pytest.mark.usefixtures("undrawn")
def test_changed_code_is_another_version(finished: Comparison, monkeypatch) -> None:
    from sfumato.experiments import single_run as cells

    for module in (cells, store):
        monkeypatch.setattr(module, "code_digest", lambda: "edited")
    with pytest.raises(OutputError, match="another version of sfumato"):
        compare(finished.experiment.file, finished.out)


def test_a_directory_of_somebody_else_is_refused(write, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious.txt").write_text("x")
    with pytest.raises(OutputError, match="found other files"):
        compare(write(TOP, DATA, VARY, TWO), tmp_path / "mine")
    with pytest.raises(OutputError, match="wanted a directory, found a file"):
        compare(write(TOP, DATA, VARY, TWO), tmp_path / "walks.csv")
    with pytest.raises(OutputError, match="make it first"):
        compare(write(TOP, DATA, VARY, TWO), tmp_path / "no" / "where")


def test_what_the_data_cannot_serve_is_refused_before_anything_runs(write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "plain.csv").write_text("trajectory,location\n1,a\n2,a\n")
    (tmp_path / "people.csv").write_text("age,town\n30,Rome\n30,Rome\n")
    for parts, sentence in [
        ((DATA.replace("walks", "nowhere"),), "nowhere.csv: no such file"),
        ((DATA.replace("walks", "plain"),), "configuration 'seqanon': seqanon: needs places, these data carry none"),
        ((DATA.replace("walks", "people"),), "configuration 'seqanon': seqanon: wanted trajectories, got table"),
        ((DATA, 'columns = { location = "locatio" }\n'), "'locatio' for location, found none; did you mean"),
        ((DATA, "sample = 19\n"), "six.toml: wanted a sample of at most 18 records, found 19"),
    ]:  # fmt: skip
        with pytest.raises(FileError, match=re.escape(sentence)):
            compare(write(TOP, *parts, VARY, TWO), out)
        assert not out.exists()


@pytest.mark.usefixtures("undrawn")
def test_a_figure_that_no_run_has(write, tmp_path: Path) -> None:
    chart = '[[chart]]\ny = "counts.supressed_visits"\n'
    fixed = '[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }\n'
    with pytest.raises(FileError, match=r"no run has a figure .*; did you mean 'counts.suppressed_visits'"):
        compare(write(TOP, DATA, fixed, chart), tmp_path / "out", jobs=1)
    again = compare(write(TOP, DATA, fixed, chart.replace("supressed", "suppressed")), tmp_path / "out")
    assert again.ran == 0


@pytest.mark.usefixtures("undrawn")
def test_a_run_that_is_infeasible_is_said_and_not_judged(write, tmp_path: Path) -> None:
    crowd = '[vary]\nparameter = "k"\nvalues = [2, 3, 19]\n'
    chart = '[[chart]]\ny = "label-size"\nexpects = { monotone = "rising" }\n'
    found = compare(write(TOP, DATA, crowd, TWO, chart), tmp_path / "out", jobs=1)
    assert found.infeasible[0] == (
        "seqanon at 19, seed 1: seqanon: k=19 needs at least 19 records with a visit, these data have 18"
    )
    assert len(found.infeasible) == 4
    assert "not judged at k = 19, where a figure is missing" in found.findings[0][0].sentence
    feasible = found.results.filter((pl.col("figure") == "feasible") & (pl.col("setting") == 19))
    assert feasible["value"].to_list() == [0.0] * 4
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Infeasible runs" in page
    assert "altair is not installed: pip install &#x27;sfumato[report]&#x27;" in page


@pytest.mark.usefixtures("undrawn")
def test_samples_of_generated_data(write, tmp_path: Path) -> None:
    data = '[data]\ngenerate = "checkins"\nparameters = { trajectories = 60, locations = 6 }\n'
    vary = '[vary]\nparameter = "data.sample"\nlabel = "records"\nvalues = [30, 60]\n'
    found = compare(write(TOP, data, TWO.replace("m = 2", "k = 2, m = 1"), vary), tmp_path / "out", jobs=1)
    records = found.summary.filter(pl.col("figure") == "counts.original_records")
    assert records["median"].to_list() == [30, 60, 30, 60]
    seeds = found.results.select("repetition", "data_seed").unique().sort("repetition")["data_seed"].to_list()
    assert len(set(seeds)) == 2, "every repetition generates data of its own"
    assert not set(seeds) & {1, 2}, "data and method must not see the same random numbers"


@pytest.mark.usefixtures("undrawn")
def test_the_same_file_gives_the_same_figures(write, tmp_path: Path) -> None:
    data = '[data]\ngenerate = "checkins"\nparameters = { trajectories = 60, locations = 6 }\nsample = 40\n'
    path = write(TOP, data, TWO, VARY)
    one, two = (compare(path, tmp_path / name, jobs=jobs) for name, jobs in (("one", 1), ("two", 2)))
    steady = ~pl.col("figure").str.starts_with("seconds")
    assert one.results.filter(steady).equals(two.results.filter(steady))


def test_one_configuration_alone_is_looked_at_closely(write, tmp_path: Path) -> None:
    found = compare(
        write(TOP, DATA, '[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 2 }\n'),
        tmp_path / "out",
        jobs=1,
    )
    page = (tmp_path / "out" / "report.html").read_text()
    names = {path.stem for path in (tmp_path / "out" / "charts").iterdir()}
    assert names == {"phases", "histogram-1", "histogram-2"}
    assert page.index("<h2>Figures</h2>") < page.index("<h2>Charts</h2>")
    assert found.profile[0]["bars"] == [["2", 6, 6], ["3", 3, 3], ["4", 9, 9]]
    assert found.profile[1]["title"] == "visits by the number of locations that their label stands for"
    assert sum(bar[2] for bar in found.profile[1]["bars"]) == 57
