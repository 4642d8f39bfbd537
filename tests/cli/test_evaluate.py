"""`sfumato evaluate`: all that files allow, of every kind of release, and releases of other data."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest


@pytest.fixture
def release(run, visits: Path, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    assert run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", out).code == 0
    return out


def test_measures_have_a_meaning_and_a_direction(run, visits: Path, release: Path) -> None:
    said = json.loads(run("evaluate", visits, release, "--json").out)
    assert said["private"] is True
    assert set(said["about"]) == set(said["measures"])
    assert all(about["meaning"] and about["better"] in ("lower", "higher") for about in said["about"].values())
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
    assert "ends in .html, .png, .svg, .pdf or .csv" in ran.err


def test_a_misspelt_measure_gets_a_hint(run, visits: Path, release: Path) -> None:
    ran = run("evaluate", visits, release, "--measure", "intakt")
    assert (ran.code, ran.err) == (2, "sfumato: no measure is called 'intakt'; did you mean 'intact'?\n")


def test_synthetic_records_are_evaluated_too(run, visits: Path, tmp_path: Path) -> None:
    out, places = tmp_path / "synthetic", tmp_path / "places.csv"
    places.write_text("location\na\nb\nc\nd\ne\nnowhere\n")
    common = ("--epsilon", 5, "--seed", 1, "--places", places)
    assert run("anonymize", "ngrams", visits, *common, "--out", out).code == 0
    said = json.loads(run("evaluate", visits, out, "--json").out)
    assert "are" in said["measures"]
    assert {row["value"] for row in said["relative_differences"]} == set("abcde")
