"""Tables on the command line: a release and back, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROWS = "age,town,illness\n30,Rome,flu\n31,Bari,hiv\n52,Oslo,flu\n,Oslo,flu\n31,Rome,cold\n52,Oslo,hiv\n,Oslo,cold\n"
TREE = "Rome;Italy;*\nBari;Italy;*\nOslo;Norway;*\n"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(ROWS)
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "h_town.csv").write_text(TREE)
    return tmp_path


def options(folder: Path, *more: object) -> tuple[object, ...]:
    return (folder / "people.csv", "--hierarchies", folder / "trees", "--sensitive", "illness", *more)


@pytest.mark.parametrize("method", ["incognito", "top-down", "bottom-up"])
def test_a_release_and_back(method: str, people: Path, run: Any) -> None:
    out, report = people / "out", people / "report.json"
    more = ("--k", 2, "--l", 2, "--measure", "ncp", "--measure", "frequencies", "--out", out, "--report", report)
    done = run("anonymize", method, *options(people, *more))
    assert done.code == 0, done.err
    old, north = ("52", "Norway") if method == "incognito" else ("52", "Oslo")  # one level, or one label each
    head, *rows = (out / "data.csv").read_text().splitlines()
    assert head == "age,town,illness"
    assert sorted(rows) == sorted(
        [f",{north},cold", f",{north},flu", f"{old},{north},flu", f"{old},{north},hiv"]
        + [f"[30:31],Italy,{illness}" for illness in ("cold", "flu", "hiv")]
    )
    checked = json.loads(run("verify", out, "--json").out)
    assert [one["verdict"]["holds"] for one in checked["guarantees"]] == [True, True]
    measured = json.loads(run("evaluate", *options(people)[:1], out, *options(people)[1:], "--json").out)["measures"]
    assert measured["ncp"] == json.loads(report.read_text())["measures"]["ncp"]
    assert {"are", "class-size", "discernibility", "frequencies", "granularity"} <= set(measured)


@pytest.mark.parametrize(
    ("rows", "tree", "more", "sentence"),
    [
        (
            ROWS.replace("52,Oslo,flu", "52,Paris,flu"),
            TREE,
            (),
            "people.csv, line 4: the hierarchy of 'town' lacks 1 value that occurs in the data, first seen here",
        ),
        (ROWS, TREE + "Pisa;Italy;world\n", (), "h_town.csv, line 4: wanted one parent for each node, found a second one"),
        (ROWS, TREE, ("--k", 8), "incognito: k=8 needs at least 8 rows, these data have 7"),
        (
            ROWS,
            TREE,
            ("--quasi-identifiers", "town", "--person", "age"),
            "people.csv, line 5: wanted a person, found nothing",
        ),
        (
            ROWS.replace("age", "number").replace("\n,", "\n77,").replace("31,R", "32,R").replace("52,Oslo,h", "53,Oslo,h")
            .replace("77,Oslo,c", "78,Oslo,c"),
            TREE,
            ("--quasi-identifiers", "town"),
            "incognito: no two rows share a value of the column 'number', so it would identify every row;",
        ),
        (ROWS, TREE, ("--suppression", 1.5), "suppression must be a number of at least 0 and at most 1, got 1.5"),
        (ROWS, TREE, ("--minimize", "loss"), "minimize must be one of 'ncp', 'granularity'"),
        (ROWS, TREE, ("--l", 4), "incognito: k=2 and l=4 are too large for these data"),
        (ROWS, TREE, ("--quasi-identifiers", "agee"), "wanted a column 'agee', found none; did you mean 'age'?"),
    ],
)  # fmt: skip
def test_refusals(rows: str, tree: str, more: tuple[Any, ...], sentence: str, people: Path, run: Any) -> None:
    (people / "people.csv").write_text(rows)
    (people / "trees" / "h_town.csv").write_text(tree)
    k = () if "--k" in more else ("--k", 2)
    done = run("anonymize", "incognito", *options(people, *k, *more, "--out", people / "out"))
    assert done.code == 2
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert not (people / "out").exists()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_column_that_nearly_is_a_key_is_named_on_the_error_stream(run, tmp_path: Path, as_json: bool) -> None:
    rows = "".join(
        f"{age},{pay}\n" for age, pay in zip([30] * 3 + [40] * 7, [1, 2, 3, 4, 5, 6, 7, 7, 7, 7], strict=True)
    )
    (tmp_path / "people.csv").write_text("age,pay\n" + rows)
    words = ("anonymize", "incognito", tmp_path / "people.csv", "--k", 2, "--quasi-identifiers", "age")
    more = ("--out", tmp_path / "out", "--report", tmp_path / "report.json", *(["--json"] if as_json else []))
    ran = run(*words, *more)
    assert ran.code == 0
    assert ran.err.startswith("sfumato: warning: column 'pay' is published unchanged, and 60 % of the rows (6 of 10)")
    assert "column 'pay'" not in ran.out
    assert "column 'pay'" in json.loads((tmp_path / "report.json").read_text())["notes"][-1]
    assert all("60 %" not in path.read_text() for path in (tmp_path / "out").iterdir() if path.is_file())
