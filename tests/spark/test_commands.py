"""The commands on Spark, in the session of the tests."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from sfumato.cli import cli
from sfumato.io import read_places
from spark.data import PLACES, in_files, walks


def run(*words: Any) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [str(word) for word in (*words, "--engine", "spark", "--json")])
    assert result.exit_code in (0, 1, 3), result.output
    return dict(json.loads(result.stdout))


def test_describe_anonymize_and_verify(spark: Any, tmp_path: Path) -> None:  # noqa: ARG001
    data = walks(4, persons=False)
    folder = in_files(data, tmp_path / "in")
    places = tmp_path / "places.csv"
    PLACES.frame.select("location", "x", "y").write_csv(places)
    assert len(read_places(places)) == len(PLACES)
    assert run("describe", folder)["records"] == len(data)
    assert run("verify", folder, "--model", "km", "--k", 2, "--m", 9)["holds"] is False
    out = tmp_path / "out"
    facts = run("anonymize", "seqanon", folder, "--k", 5, "--m", 2, "--places", places, "--out", out)
    assert facts["holds"] is True
    assert run("verify", out)["code"] == 3
    checked = CliRunner().invoke(cli, ["verify", str(out)])
    assert checked.exit_code == 0, checked.output
