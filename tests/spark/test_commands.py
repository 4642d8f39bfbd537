"""The commands on Spark, in the session of the tests."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

from sfumato import Incognito, Table
from sfumato.cli import cli, main
from sfumato.io import read_places
from spark.data import PLACES, in_files, walks
from spark.roads.test_strict_k import TOWN, drives
from spark.test_table_methods import people


def run(*words: Any) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [str(word) for word in (*words, "--engine", "spark", "--json")])
    assert result.exit_code in (0, 1, 3), result.output
    return dict(json.loads(result.stdout))


def refused(capsys: pytest.CaptureFixture[str], *words: Any) -> str:
    """The only line on stderr of a command that ends with exit code 2."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in (*words, "--engine", "spark")])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_trajectories_from_describe_to_evaluate(spark: Any, tmp_path: Path) -> None:  # noqa: ARG001
    data = walks(4, persons=False)
    folder = in_files(data, tmp_path / "in")
    places = tmp_path / "places.csv"
    PLACES.frame.select("location", "x", "y").write_csv(places)
    assert len(read_places(places)) == len(PLACES)
    assert run("describe", folder)["records"] == len(data)
    audited = run("audit", folder, "--known", 1, "--out", tmp_path / "audit.csv")
    assert audited["known"][0]["examined"] == len(data)
    assert (tmp_path / "audit.csv").exists()
    assert run("verify", folder, "--model", "km", "--k", 2, "--m", 9)["holds"] is False
    hidden = run(
        "verify", folder, "--model", "klm", "--k", 2, "--l", 2, "--m", 1, "--places", places, "--sensitive", "p03"
    )
    assert hidden["verdict"]["measured"]["worst_association"]["sensitive"] == "p03"
    out = tmp_path / "out"
    facts = run("anonymize", "seqanon", folder, "--k", 5, "--m", 2, "--places", places, "--out", out)
    assert facts["holds"] is True
    assert run("verify", out)["code"] == 3
    checked = CliRunner().invoke(cli, ["verify", str(out)])
    assert checked.exit_code == 0, checked.output
    evaluation = run("evaluate", folder, out, "--measure", "visits-kept", "--measure", "label-size")
    assert evaluation["measures"].keys() == {"visits-kept", "label-size"}


def test_a_table_from_describe_to_evaluate(spark: Any, tmp_path: Path) -> None:  # noqa: ARG001
    frame = people(tmp_path / "in")
    roles = ("--quasi-identifiers", "age,town", "--sensitive", "job", "--person", "patient")
    described = run("describe", tmp_path / "in", *roles)
    assert (described["records"], described["persons"]) == (200, frame["patient"].n_unique())
    assert described["columns"][1] == {
        "column": "town",
        "type": "string",
        "role": "quasi-identifier",
        "distinct": 3,
        "missing": frame["town"].is_null().sum() + (frame["town"] == "").sum(),
    }
    audited = run("audit", tmp_path / "in", *roles, "--out", tmp_path / "audit.csv")
    assert audited["disclosure"][0]["column"] == "job"
    assert pl.read_csv(tmp_path / "audit.csv").filter(pl.col("figure") == "separation")["subject"].to_list() == [
        "age",
        "town",
    ]
    data = Table.from_frame(frame.drop("patient"), quasi_identifiers=("age", "town"), sensitive=("job",))
    Incognito(k=4, l=2, suppression=0.1).anonymize(data).write(tmp_path / "out", format="parquet")
    check = run("verify", tmp_path / "out")
    assert check["problems"] == []
    assert [guarantee["verdict"]["holds"] for guarantee in check["guarantees"]] == [True, True]
    alone = json.loads(CliRunner().invoke(cli, ["verify", str(tmp_path / "out"), "--json"]).stdout)
    assert check["guarantees"] == alone["guarantees"]
    measured = run("evaluate", tmp_path / "in", tmp_path / "out", "--person", "patient", "--measure", "class-size")
    assert measured["measures"].keys() == {"class-size"}
    assert run("audit", tmp_path / "out")["notes"][-1].startswith("Not computed on Spark")


def test_roads(spark: Any, tmp_path: Path) -> None:  # noqa: ARG001
    from sfumato.io.roads.network import write_network

    write_network(TOWN, tmp_path / "town")
    folder = in_files(drives(2, persons=True, intervals=False), tmp_path / "in")
    verdict = run("verify", folder, "--model", "strict-k", "--k", 2, "--network", tmp_path / "town")["verdict"]
    assert verdict["measured"]["unit"] == "person"


def test_refusals_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.DataFrame({"age": [1], "town": ["a"]}).write_parquet(tmp_path / "a.parquet")
    needed = "the audit of a table needs quasi-identifiers, and this one has the columns age, town"
    assert needed in refused(capsys, "audit", tmp_path)
    others = refused(capsys, "audit", tmp_path, "--quasi-identifiers", "age", "--per-person", tmp_path / "risks.csv")
    assert "--per-person is not there with --engine spark; leave it out" in others
    roads = refused(capsys, "verify", tmp_path, "--model", "strict-k", "--k", 2)
    assert "road trajectories need the network of their roads" in roads
