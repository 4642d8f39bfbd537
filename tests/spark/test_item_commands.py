"""Methods for sets of items on Spark from the command line, with their side files."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sfumato.cli import cli
from spark.data import in_files
from spark.itemsets import FOOD, purchases


@pytest.mark.parametrize("method", ["lra", "disassociate"])
def test_anonymize_and_verify(spark: Any, method: str, tmp_path: Path) -> None:  # noqa: ARG001
    folder, out, trees = in_files(purchases(5, 60), tmp_path / "in"), tmp_path / "out", tmp_path / "trees"
    trees.mkdir()
    paths = ([leaf, FOOD.parent(leaf), "any"] for leaf in FOOD.leaves)
    (trees / "food_item.csv").write_text("".join(";".join(path) + "\n" for path in paths))
    own = {"lra": ["--parts", 2, "--hierarchies", trees], "disassociate": ["--partition", 20, "--sensitive", "i09"]}
    words = ["anonymize", method, folder, "--k", 3, "--m", 2, *own[method], "--out", out, "--engine", "spark", "--json"]
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["holds"] is True
    for engine, code in (("local", 0), ("spark", 3)):
        checked = CliRunner().invoke(cli, ["verify", str(out), "--engine", engine])
        assert checked.exit_code == code, checked.output
    if method == "disassociate":
        model = ["verify", str(out), "--model", "reconstruction", "--k", "4", "--m", "2", "--engine", "spark"]
        (out / "certificate.json").unlink()  # the files alone
        assert CliRunner().invoke(cli, model).exit_code == 1
        assert (out / "context" / "sensitive.csv").read_text() == "item\ni09\n"
        refused = CliRunner().invoke(
            cli, [str(word) for word in words[:-6]] + ["--sensitive", "tea", "--out", "x", "--engine", "spark"]
        )
        assert "wanted items of the data, found 'tea'" in refused.output
