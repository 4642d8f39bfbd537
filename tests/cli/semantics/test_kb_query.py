"""Queries on the command line: queries of the papers, formats, time limits and mistakes."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from papers.baquara_world import FOLDER, QUERIES, build, expected

Run = Any


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("world") / "kb")


@pytest.mark.parametrize("name", QUERIES[::5])  # tests/papers/test_baquara.py asks them all
def test_a_query_of_the_papers_writes_the_checked_answer(run: Run, world: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "answer.csv"
    assert run("kb", "query", world, FOLDER / f"{name}.rq", "--out", out).code == 0
    with out.open(encoding="utf-8", newline="") as file:
        assert file.read() == expected(name)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def asked(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "question.rq"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_truth_and_triples(run: Run, world: Path, tmp_path: Path) -> None:
    ran = run("kb", "query", world, FOLDER / "b15_query3.rq")
    assert ran.out.splitlines()[-1] == "2 rows"
    shown = json.loads(run("kb", "query", world, FOLDER / "b15_query3.rq", "--json").out)
    assert shown["columns"] == {"city": "iri", "cityLabel": "text", "trails": "integer"}
    assert [row["trails"] for row in shown["rows"]] == [2, 1]
    assert run("kb", "query", world, asked(tmp_path, "ASK { ?s ?p ?o }")).out == "yes\n"
    assert run("kb", "query", world, asked(tmp_path, "ASK { ?s <urn:x> ?o }")).out == "no\n"
    construct = asked(tmp_path, "CONSTRUCT { ?s a <urn:thing> } WHERE { ?s a <http://dbpedia.org/ontology/Country> }")
    out = tmp_path / "answer.nt"
    assert run("kb", "query", world, construct, "--out", out).code == 0
    assert out.read_text().count("<urn:thing> .\n") == 3
    table = tmp_path / "answer.parquet"
    assert run("kb", "query", world, FOLDER / "b15_query3.rq", "--out", table).code == 0
    assert pl.read_parquet(table)["trails"].to_list() == [2, 1]


def test_mistakes_are_one_sentence(run: Run, world: Path, tmp_path: Path) -> None:
    def sentence(*args: object) -> str:
        ran = run("kb", "query", *args)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1
        return str(ran.err).removeprefix("sfumato: ").strip()

    broken = asked(tmp_path, "SELECT ?s WHERE {\n  ?s ?p }")
    assert sentence(world, broken) == "query: wanted SPARQL 1.1, found an error on line 2, column 10"
    unknown = asked(tmp_path, "SELECT ?s WHERE { ?s a ex:Thing }")
    assert sentence(world, unknown).endswith("line 1, column 32, a prefix is not declared")
    good = asked(tmp_path, "ASK { ?s ?p ?o }")
    assert sentence(tmp_path / "absent", good) == f"{tmp_path / 'absent'}: wanted a knowledge base, found none"
    assert sentence(tmp_path, good) == f"{tmp_path}: wanted a knowledge base, found a directory without kb.json"
    assert sentence(world, good, "--out", tmp_path / "x.pdf").endswith("found '.pdf'")
    assert sentence(world, tmp_path / "none.rq").endswith("none.rq: cannot be read (No such file or directory)")
    assert sentence(world, good, "--timeout", "0").startswith("kb query: Invalid value for '--timeout'")


def test_a_time_limit(run: Run, world: Path, tmp_path: Path) -> None:
    triple = asked(tmp_path, "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }")
    ran = run("kb", "query", world, triple, "--timeout", "0.2")
    assert ran.err == ("sfumato: query: wanted an answer within 0.2 s, found none; ask for less or wait longer\n")
    quick = json.loads(run("kb", "query", world, FOLDER / "b15_query3.rq", "--timeout", "60", "--json").out)
    assert quick["count"] == 2


def test_a_description_as_table_sparql_geojson_and_map(run: Run, world: Path, tmp_path: Path) -> None:
    question = tmp_path / "question.toml"
    question.write_text(
        "[segment]\nname = 'trail'\ntype = 'TRAIL'\nperson = 'bq:European'\n"
        "annotation = { property = 'bq:visits', value = 'dbo:Country', label = 'Brazil' }\n",
        encoding="utf-8",
    )
    assert run("kb", "query", world, question).out.splitlines()[-1] == "10 rows"
    shown = run("kb", "query", world, question, "--show-sparql").out
    assert run("kb", "query", world, asked(tmp_path, shown)).out.splitlines()[-1] == "10 rows"
    features = tmp_path / "answer.geojson"
    assert run("kb", "query", world, question, "--out", features).code == 0
    lines = [feature["geometry"]["type"] for feature in json.loads(features.read_text())["features"]]
    assert len(lines) == 10
    assert set(lines) == {"LineString", "Point"}
    page = tmp_path / "answer.html"
    assert run("kb", "query", world, question, "--out", page).code == 0
    assert "<h1>Map of answer, trail</h1>" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o077 == features.stat().st_mode & 0o077 == 0
    nowhere = asked(tmp_path, "SELECT (1 AS ?n) WHERE { }")
    ran = run("kb", "query", world, nowhere, "--out", page)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "no column of the answer has a geometry" in ran.err


def test_rows_without_a_geometry_are_counted_apart(run: Run, world: Path, tmp_path: Path) -> None:
    point = '"POINT(1 2)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>'
    query = asked(tmp_path, f"SELECT ?wkt ?n {{ VALUES (?wkt ?n) {{ ({point} 1) (UNDEF 2) (UNDEF 3) }} }}")
    out = tmp_path / "rows.geojson"
    assert run("kb", "query", world, query, "--out", out).out.startswith(
        f"1 row in {out}, 2 without a geometry left out"
    )
    assert len(json.loads(out.read_text())["features"]) == 1
