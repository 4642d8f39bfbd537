"""Methods for sets of items on Spark from the command line, with their side files."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sfumato.cli import cli
from spark.data import in_files
from spark.itemsets import FOOD, purchases


def run(*words: Any) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [str(word) for word in (*words, "--json")])
    assert result.exit_code == 0, (result.output, result.exception)
    return dict(json.loads(result.stdout))


@pytest.mark.parametrize("method", ["lra", "disassociate"])
def test_anonymize_and_verify(spark: Any, method: str, tmp_path: Path) -> None:  # noqa: ARG001
    folder, out, trees = in_files(purchases(5, 60), tmp_path / "in"), tmp_path / "out", tmp_path / "trees"
    trees.mkdir()
    paths = ([leaf, FOOD.parent(leaf), "any"] for leaf in FOOD.leaves)
    (trees / "food_item.csv").write_text("".join(";".join(path) + "\n" for path in paths))
    own = {"lra": ["--parts", 2, "--hierarchies", trees], "disassociate": ["--partition", 20, "--sensitive", "i09"]}
    on_spark = ("--engine", "spark")
    assert run("anonymize", method, folder, "--k", 3, "--m", 2, *own[method], "--out", out, *on_spark)["holds"] is True
    assert run("verify", out)["code"] == 0
    if method == "disassociate":
        assert (out / "context" / "sensitive.csv").read_text() == "item\ni09\n"
        (out / "certificate.json").unlink()  # the files alone
        words = ("verify", out, "--model", "reconstruction", "--k", 4, "--m", 2)
        assert run(*words, *on_spark) == run(*words)
        wrong = ("anonymize", method, folder, "--k", 3, "--m", 2, "--sensitive", "tea", "--out", tmp_path / "no")
        refused = CliRunner().invoke(cli, [str(word) for word in (*wrong, *on_spark)])
        assert "sensitive items: wanted items of the data, found 'tea'" in str(refused.output + str(refused.exception))
