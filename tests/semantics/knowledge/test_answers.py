"""Answers as frames, CSV and triples."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

VALUES = """
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX geo: <http://www.opengis.net/ont/geosparql#>
SELECT ?iri ?text ?whole ?real ?yes ?time ?local ?day ?wkt ?mixed ?huge ?none
WHERE { VALUES (?iri ?text ?whole ?real ?yes ?time ?local ?day ?wkt ?mixed ?huge ?none) {
  (<urn:a> "é, \\"x\\"\\n"@fr 7 1.5 true "2014-07-13T16:00:00-03:00"^^xsd:dateTime "2014-07-13T16:00:00"^^xsd:dateTime
   "2014-07-13"^^xsd:date "POINT(1 2)"^^geo:wktLiteral <urn:b> 99999999999999999999 UNDEF)
  (<urn:c> UNDEF -1 2 false "2014-07-13T19:00:00Z"^^xsd:dateTime UNDEF UNDEF UNDEF 3 1 UNDEF)
} }"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("answers") / "kb"
    with KnowledgeBase.create(path, ontology=False) as kb:
        kb.update("INSERT DATA { <urn:a> <urn:p> _:x . _:x <urn:p> 1 }")
    return path


def test_terms_are_values(base: Path) -> None:
    with KnowledgeBase.open(base) as kb:
        answer = kb.answer(VALUES)
    assert answer.kinds == {
        "iri": "iri", "text": "text", "whole": "integer", "real": "number", "yes": "boolean", "time": "time",
        "local": "time", "day": "date", "wkt": "wkt", "mixed": "mixed", "huge": "number", "none": "empty",
    }  # fmt: skip
    first, second = answer.frame.rows()
    assert first[:5] == ("urn:a", 'é, "x"\n', 7, 1.5, True)
    moment = datetime(2014, 7, 13, 19, tzinfo=UTC)
    assert first[5] == second[5] == moment
    assert first[6:] == (datetime(2014, 7, 13, 16), date(2014, 7, 13), "POINT(1 2)", "urn:b", 1e20, None)
    assert second[:5] == ("urn:c", None, -1, 2.0, False)
    assert answer.frame["time"].dtype == pl.Datetime("us", "UTC")
    assert answer.rows()[0]["time"].startswith("2014-07-13 19:00:00")
    assert answer.to_csv().splitlines()[0] == "iri,text,whole,real,yes,time,local,day,wkt,mixed,huge,none"


def test_csv_is_the_store_s_own(base: Path) -> None:
    import pyoxigraph as ox

    with KnowledgeBase.open(base) as kb:
        text = kb.answer(VALUES).to_csv()
    assert text == ox.Store().query(VALUES).serialize(format=ox.QueryResultsFormat.CSV).decode()


def test_truth_triples_and_blank_nodes(base: Path) -> None:
    with KnowledgeBase.open(base) as kb:
        assert kb.answer("ASK { ?s ?p 1 }")
        assert not kb.answer("ASK { ?s ?p 2 }")
        assert kb.answer("ASK { ?s ?p 2 }").to_csv() == "answer\r\nfalse\r\n"
        triples = kb.answer("CONSTRUCT { <urn:a> <urn:q> ?o } WHERE { ?s ?p ?o FILTER(isLiteral(?o)) }")
        assert triples.to_ntriples() == '<urn:a> <urn:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
        assert triples.frame.rows() == [("urn:a", "urn:q", 1)]
        blank = kb.answer("SELECT ?o WHERE { <urn:a> ?p ?o }")
        assert blank.kinds == {"o": "blank"}
        assert blank.frame["o"].item().startswith("_:")
        assert len(kb.answer("SELECT ?s WHERE { ?s <urn:none> ?o }").frame) == 0
