"""`sfumato workload`: drawn, kept, shown, and the same for two releases; refused where it does not fit."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sfumato import evaluate, read
from sfumato.cli.files import workload as subject
from sfumato.utility.queries import Are
from sfumato.utility.workload import Workload

BASKETS = "\n".join(["ale bread", "ale tea", "ale bread tea", "bread", "ale bread", "tea ale"] * 3) + "\n"
PEOPLE = "age,town,codes\n" + "".join(f"{20 + row % 9},{'RO'[row % 2]},a b\n" for row in range(30))


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    (tmp_path / "baskets.dat").write_text(BASKETS)
    return tmp_path / "baskets.dat"


def test_a_generated_workload_is_private_and_repeats(run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.json"
    done = run("workload", "generate", baskets, "--out", out, "--queries", 7, "--items-per-query", 2, "--seed", 3)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"7 queries in {out}: 7 drawn from the data, 2 items, seed 3",
        f"{out} is private: its queries name values that occur in {baskets}.",
    ]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    written = json.loads(out.read_text())
    assert written["private"] is True
    assert {len(query["items"]) for query in written["queries"]} == {2}
    run(
        "workload",
        "generate",
        baskets,
        "--out",
        tmp_path / "again.json",
        "--queries",
        7,
        "--items-per-query",
        2,
        "--seed",
        3,
    )
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()


def test_two_releases_are_measured_by_the_same_queries(run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.json"
    run("workload", "generate", baskets, "--out", out, "--queries", 9)
    values = {}
    for k in (2, 3):
        release = tmp_path / f"k{k}"
        assert run("anonymize", "coat", baskets, "--k", k, "--privacy-policy", "all:2", "--out", release).code == 0
        said = run("evaluate", baskets, release, "--measure", f"are:workload={out}", "--json")
        assert said.code == 0, said.err
        values[k] = json.loads(said.out)["measures"]["are"]
    data = read(baskets, kind="transactions")
    for k, value in values.items():
        expected = Are(workload=str(out))
        assert evaluate(data, tmp_path / f"k{k}", expected).to_json()["measures"]["are"] == value
        true, estimate = (Workload.load(out).counts(one) for one in (data, read(tmp_path / f"k{k}")))
        errors = [abs(a - b) / max(a, 1) for a, b in zip(true.tolist(), estimate.tolist(), strict=True)]
        assert _figure(value) == pytest.approx(sum(errors) / len(errors))


def _figure(value: object) -> float:
    return float(value["value"] if isinstance(value, dict) else value)  # type: ignore[arg-type]


def test_show_names_the_rule_and_the_queries(run, tmp_path: Path) -> None:
    given = [{"items": ["ale", "tea"]}, {"where": {"age": {"from": 20, "to": 29}, "town": ["Rome"]}}, {}]
    (tmp_path / "own.json").write_text(json.dumps(given))
    said = run("workload", "show", tmp_path / "own.json")
    assert said.code == 0
    assert "3 queries, given" in said.out
    assert "private" not in said.out
    assert "ale and tea" in said.out
    assert "age from 20 to 29, town is Rome" in said.out
    assert "every record" in said.out
    assert len(json.loads(run("workload", "show", tmp_path / "own.json", "--json").out)["queries"]) == 3


def test_a_long_workload_is_cut(run, baskets: Path, tmp_path: Path) -> None:
    run("workload", "generate", baskets, "--out", tmp_path / "w.json")
    said = run("workload", "show", tmp_path / "w.json").out
    assert f"and {100 - subject.SHOWN} more" in said
    assert "private: the queries were drawn from data" in said


def test_mixed_data_take_a_column_of_items_and_sizes(run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    words = ("--items", "codes", "--items-per-query", 1, "--values-per-query", 1, "--quasi-identifiers", "age,town")
    done = run("workload", "generate", tmp_path / "people.csv", "--out", tmp_path / "w.json", *words)
    assert done.code == 0, done.err
    first = Workload.load(tmp_path / "w.json").queries[0]
    assert (len(first.items), len(first.where)) == (1, 1)


def test_a_workload_for_another_kind_is_refused_in_one_sentence(
    run, baskets: Path, visits: Path, tmp_path: Path
) -> None:
    run("workload", "generate", baskets, "--out", tmp_path / "w.json")
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "out")
    refused = run("evaluate", visits, tmp_path / "out", "--measure", f"are:workload={tmp_path / 'w.json'}")
    sentence = "the workload: wanted queries with locations for data of the kind trajectories, found items in query 1"
    assert sentence in refused.out + refused.err
    before = run(
        "anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "two",
        "--report", tmp_path / "r.json", "--measure", f"kl:workload={tmp_path / 'w.json'}",
    )  # fmt: skip
    assert (before.code, (tmp_path / "two").exists()) == (2, False)
    assert sentence in before.err


def test_refusals(run, baskets: Path, tmp_path: Path) -> None:
    assert (
        "wanted a file that ends in .csv or .json"
        in run("workload", "generate", baskets, "--out", tmp_path / "w.txt").err
    )
    assert run("workload", "generate", baskets, "--out", baskets).code == 2
    (tmp_path / "broken.json").write_text("{")
    assert run("workload", "show", tmp_path / "broken.json").code == 2
    run("anonymize", "coat", baskets, "--k", 2, "--privacy-policy", "all:1", "--out", tmp_path / "out")
    inside = run("workload", "generate", baskets, "--out", tmp_path / "out" / "w.json")
    assert inside.code == 2
    assert "the workload is private and must not be in" in inside.err


def test_csv_is_read_and_written_as_well(run, baskets: Path, tmp_path: Path) -> None:
    for name in ("w.csv", "w.json"):
        assert run("workload", "generate", baskets, "--out", tmp_path / name, "--queries", 5).code == 0
    rows = (tmp_path / "w.csv").read_text().splitlines()
    assert rows[0] == "query,part,column,value,from,to,rule"
    assert Workload.load(tmp_path / "w.csv") == Workload.load(tmp_path / "w.json")
    assert run("workload", "show", tmp_path / "w.csv").out == run("workload", "show", tmp_path / "w.json").out
    data = read(baskets, kind="transactions")
    assert Are(workload=str(tmp_path / "w.csv")).to_json()["workload"].endswith("w.csv")
    assert Workload.load(tmp_path / "w.csv").counts(data).min() >= 1
