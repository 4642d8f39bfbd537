"""`--engine spark`: refusals, which need no Spark; the commands themselves are tested in tests/spark."""

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from sfumato.cli import cli


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["describe", "in", "--master", "local[2]"], "--master and --conf need --engine spark"),
        (["describe", "in", "--engine", "spark", "--conf", "x"], "--conf: wanted name=value, found another text"),
        (["describe", "in", "--engine", "spark", "--missing", "NA"], "--missing is not there with --engine spark"),
        (
            ["verify", "in", "--engine", "spark"],
            "in is not a published directory; name the privacy model, e.g. --model km",
        ),
        (
            [
                "anonymize",
                "seqanon",
                "in",
                "--k",
                "5",
                "--m",
                "2",
                "--out",
                "out",
                "--engine",
                "spark",
                "--report",
                "r",
            ],
            "--report is not there with --engine spark",
        ),
    ],
)
def test_refusals(words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    pl.DataFrame({"trajectory": ["1"], "location": ["a"]}).write_parquet("in/1.parquet")
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())
