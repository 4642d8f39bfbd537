"""`sfumato evaluate`: all that files allow, of every kind of release, and releases of other data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

from sfumato.data.queries import ESTIMATES
from sfumato.utility.base import Better


@pytest.fixture
def release(run, visits: Path, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    assert run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", out).code == 0
    return out


def test_measures_have_a_meaning_and_a_direction(run, visits: Path, release: Path) -> None:
    said = json.loads(run("evaluate", visits, release, "--json").out)
    assert said["private"] is True
    assert set(said["about"]) == set(said["measures"])
    assert all(about["meaning"] and about["better"] in get_args(Better) for about in said["about"].values())
    ran = run("evaluate", visits, release)
    assert ran.code == 0
    assert "largest relative differences" in ran.out
    assert "generalized values" in ran.out
    assert "not measured: displacement: needs the run itself" in ran.out


def test_generalized_values_and_differences_are_those_of_the_files(run, visits: Path, release: Path) -> None:
    said = json.loads(run("evaluate", visits, release, "--json").out)
    members = pl.read_csv(release / "members.csv")
    data = pl.read_csv(release / "data.csv")
    for row in said["generalized_values"]:
        assert row["members"] == len(members.filter(pl.col("label") == row["label"]))
        assert row["records"] == data.filter(pl.col("location") == row["label"])["trajectory"].n_unique()
    original = pl.read_csv(visits)
    for row in said["relative_differences"]:
        assert row["original"] == original.filter(pl.col("location") == row["value"])["trajectory"].n_unique()
    (attribute,) = said["attributes"]
    off = [row["relative_difference"] for row in said["relative_differences"]]
    assert attribute["largest_difference"] == max(off)
    assert attribute["mean_difference"] == pytest.approx(sum(off) / len(off))
    assert attribute["labels"] == len(said["generalized_values"])


def test_files_of_every_ending(run, visits: Path, release: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    for ending, start in ((".html", b"<!doctype html>"), (".png", b"\x89PNG"), (".svg", b"<svg")):
        path = tmp_path / f"kept{ending}"
        assert run("evaluate", visits, release, "--out", path).code == 0
        assert path.read_bytes().startswith(start)
    page = (tmp_path / "kept.html").read_text()
    for word in ("secret-", "name-", 'src="http'):
        assert word not in page


def test_the_table_has_all_figures(run, visits: Path, release: Path, tmp_path: Path) -> None:
    assert run("evaluate", visits, release, "--out", tmp_path / "kept.csv").code == 0
    frame = pl.read_csv(tmp_path / "kept.csv")
    assert frame.columns == ["about", "attribute", "name", "figure", "value", "unit"]
    assert set(frame["about"]) == {"measure", "label", "value"}
    assert set(frame.filter(pl.col("about") == "value")["figure"]) == {"original", "published", "relative_difference"}


def test_a_release_of_other_data_is_refused(run, visits: Path, release: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    text = visits.read_text()
    for place in "abcde":
        text = text.replace(f",{place},", f",shop-{place},")
    other.write_text(text)
    ran = run("evaluate", other, release)
    labels = pl.read_csv(release / "data.csv")["location"].unique().sort()
    assert (ran.code, ran.err) == (
        2,
        f"sfumato: {release}: is a release of other data: {len(labels)} of its {len(labels)} labels have no "
        f"member in the original, such as {labels[0]!r}\n",
    )


def test_labels_that_stand_for_unknown_places_are_pointed_out(run, visits: Path, release: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    members = pl.read_csv(release / "members.csv")["member"].to_list()
    other.write_text(visits.read_text().replace(f",{members[0]},", ",nowhere,"))
    ran = run("evaluate", other, release)
    assert ran.code == 0
    assert "1 of the 5 members of its labels does not occur in the original" in ran.out


def test_a_release_of_another_kind_is_refused(run, release: Path, tmp_path: Path) -> None:
    baskets = tmp_path / "baskets.csv"
    baskets.write_text("record,item\n1,a\n1,b\n2,a\n")
    ran = run("evaluate", baskets, release)
    assert (ran.code, ran.err) == (
        2,
        f"sfumato: {release}: wanted an original with trajectories, found transactions in {baskets}\n",
    )
    ran = run("evaluate", baskets, release, "--kind", "transactions")
    assert ran.code == 2
    assert "wanted an original with trajectories" in ran.err


def test_tables_of_other_columns_are_refused(run, tmp_path: Path) -> None:
    people, other = tmp_path / "people.csv", tmp_path / "other.csv"
    people.write_text("age,town\n30,Rome\n31,Rome\n52,Oslo\n53,Oslo\n")
    other.write_text("age,city\n30,Rome\n31,Rome\n52,Oslo\n53,Oslo\n")
    assert run("anonymize", "incognito", people, "--k", 2, "--out", tmp_path / "out").code == 0
    assert run("evaluate", people, tmp_path / "out").code == 0
    ran = run("evaluate", other, tmp_path / "out")
    assert ran.code == 2
    assert "is a release of other data: it lacks the column 'city'" in ran.err
    other.write_text("age,town\n30,Bonn\n31,Bonn\n52,Bern\n53,Bern\n")
    ran = run("evaluate", other, tmp_path / "out")
    assert ran.code == 2
    assert "that stands for no value of the original" in ran.err


def test_figures_do_not_go_where_others_read(run, visits: Path, release: Path, tmp_path: Path) -> None:
    ran = run("evaluate", visits, release, "--out", release / "kept.csv")
    assert ran.code == 2
    assert "the evaluation is private and must not be in" in ran.err
    assert run("evaluate", visits, release, "--out", visits).code == 2
    ran = run("evaluate", visits, release, "--out", tmp_path / "kept.doc")
    assert ran.code == 2
    assert "ends in .html, .png, .svg, .pdf, .jpg, .bmp or .csv" in ran.err


def test_a_misspelt_measure_gets_a_hint(run, visits: Path, release: Path) -> None:
    ran = run("evaluate", visits, release, "--measure", "intakt")
    assert (ran.code, ran.err) == (2, "sfumato: no measure is called 'intakt'; did you mean 'intact'?\n")


@pytest.fixture
def baskets(run, tmp_path: Path) -> tuple[Path, Path]:
    """Two pairs of items, each under a label of its own."""
    data, tree, out = tmp_path / "baskets.dat", tmp_path / "tree.csv", tmp_path / "shop"
    data.write_text("ale bread\ntea figs\nale figs\ntea bread\nale tea bread\n")
    tree.write_text("node,parent\nall,\ndrinks,all\nfood,all\nale,drinks\ntea,drinks\nbread,food\nfigs,food\n")
    ran = run("anonymize", "apriori", data, "--k", 3, "--m", 2, "--taxonomy", tree, "--out", out)
    assert ran.code == 0
    assert (out / "members.csv").read_text().count("drinks") == 2
    return data, out


def test_items_are_counted_by_the_chosen_estimate(run, baskets: tuple[Path, Path]) -> None:
    """Five records with drinks: a half of them each, or two thirds."""
    found = {}
    for estimate in ESTIMATES:
        ran = run("evaluate", *baskets, "--estimate", estimate, "--measure", "are:items=1", "--json")
        found[estimate] = json.loads(ran.out)
        published = {row["value"]: row["published"] for row in found[estimate]["relative_differences"]}
        assert published["ale"] == pytest.approx(5 * {"share": 1 / 2, "subsets": 2 / 3}[estimate])
    assert found["share"]["measures"]["are"] != found["subsets"]["measures"]["are"]
    assert json.loads(run("evaluate", *baskets, "--measure", "are:items=1", "--json").out) == found["share"]
    said = json.loads(run("evaluate", *baskets, "--estimate", "subsets", "--json").out)
    by_hand = json.loads(run("evaluate", *baskets, "--measure", "re:estimate=subsets", "--json").out)
    assert said["measures"]["re"] == by_hand["measures"]["re"]


@pytest.mark.parametrize(
    ("measures", "problem"),
    [
        (["are:itemz=2"], "are: wanted parameter=value, found 'itemz=2'; did you mean 'items'?"),
        (["are:items"], "are: wanted parameter=value, found 'items'; give items a value"),
        (["are:items=two"], "Are: items must be a whole number of at least 1, or None, got 'two'"),
        (["are:values=2"], "values in a query: wanted data with values, found transactions"),
        (["tlost:k"], "tlost: wanted parameter=value, found 'k'"),
    ],
)
def test_parameters_that_a_measure_does_not_take(
    run, baskets: tuple[Path, Path], measures: list[str], problem: str
) -> None:
    ran = run("evaluate", *baskets, *(word for one in measures for word in ("--measure", one)))
    assert ran.code == 2
    assert problem in ran.err


def test_synthetic_records_are_evaluated_too(run, visits: Path, tmp_path: Path) -> None:
    out, places = tmp_path / "synthetic", tmp_path / "places.csv"
    places.write_text("location\na\nb\nc\nd\ne\nnowhere\n")
    common = ("--epsilon", 5, "--seed", 1, "--places", places)
    assert run("anonymize", "ngrams", visits, *common, "--out", out).code == 0
    said = json.loads(run("evaluate", visits, out, "--json").out)
    assert "are" in said["measures"]
    assert {row["value"] for row in said["relative_differences"]} == set("abcde")


def test_parameters_of_a_measure(run, visits: Path, release: Path) -> None:
    wanted = (
        "patterns-preserved",
        "patterns-preserved:statistic=median,projections=9",
        "patterns-preserved:statistic=sd",
    )
    options = [part for text in (*wanted, "intact") for part in ("--measure", text)]
    said = json.loads(run("evaluate", visits, release, *options, "--json").out)
    names = [
        "patterns-preserved",
        "patterns-preserved:projections=9,statistic=median",
        "patterns-preserved:statistic=sd",
    ]
    assert list(said["measures"]) == list(said["about"]) == [*names, "intact"]
    assert said["measures"]["patterns-preserved:statistic=sd"] >= 0
    assert "patterns-preserved:statistic=sd" in run("evaluate", visits, release, *options).out
    alone = json.loads(run("evaluate", visits, release, "--measure", wanted[2], "--json").out)
    assert alone["measures"] == {"patterns-preserved": said["measures"]["patterns-preserved:statistic=sd"]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("intact:size=2", "intact: wanted parameter=value, found 'size=2'; known are count_sensitive"),
        ("label-size:size=2", "label-size: wanted parameter=value, found 'size=2'; it has no parameters"),
        ("kl:patterns", "kl: wanted parameter=value, found 'patterns'; give patterns a value"),
        ("kl:patterns=many", "KlDivergence: patterns must be a whole number of at least 1, or None, got 'many'"),
        ("kl:", "kl: wanted parameter=value, found ''"),
        ("kl:patterns=2,size=1", "kl: wanted parameter=value, found 'size=1'"),
        ("", "no measure is called ''"),
        ("ours", "no measure is called 'ours'"),
    ],
)
def test_what_is_not_a_measure_is_refused(run, visits: Path, release: Path, text: str, problem: str) -> None:
    ran = run("evaluate", visits, release, "--measure", text)
    assert ran.code == 2
    assert problem in ran.err


def test_parameters_of_a_measure_during_the_run(run, visits: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "measured", tmp_path / "private.json"
    measures = ("--measure", "subtrajectories:size=3", "--measure", "subtrajectories:size=1")
    run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", out, "--report", report, *measures)
    assert set(json.loads(report.read_text())["measures"]) == {"subtrajectories:size=3", "subtrajectories:size=1"}


def test_quasi_identifiers_come_from_the_release(run, tmp_path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,town,pay\n" + "".join(f"{20 + n},t{n % 3},{n}\n" for n in range(12)))
    typed = ["--quasi-identifiers", "age,town"]
    words = ["anonymize", "cluster", people, *typed, "--k", 3, "--allow-keys", "true", "--out", tmp_path / "out"]
    assert run(*words).code == 0
    texts = [run("evaluate", people, tmp_path / "out", "--measure", "ncp", *more).out for more in ([], typed)]
    assert texts[0] == texts[1]
    assert texts[0] != run("evaluate", people, tmp_path / "out", "--measure", "ncp", "--quasi-identifiers", "age").out
