"""Queries and updates do not reach other machines, whatever way the words are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.knowledge.query_text import require_local

REFUSED = "another address|without SERVICE and LOAD"
OUTWARD = [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { service silent <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { SERVICESILENT<http://127.0.0.1:9/>{ ?s ?p ?o } }",
    "SELECT * { ?s ?p 1SERVICE<http://127.0.0.1:9/>{ ?s ?p ?o } }",
    "PREFIX e: <http://127.0.0.1:9/> SELECT * { SERVICEe:x{ ?s ?p ?o } }",
    'SELECT * { FILTER(1<2)#>"""\nSERVICE <http://127.0.0.1:9/> { ?s ?p ?o }\n#"""\n}',
    "SELECT * { ?s ?p ?o FILTER(?s<?p)SERVICE?s#>\n{ ?a ?b ?c } }",
    "ASK { BIND(IRI('http://127.0.0.1:9/') AS ?x) SERVICE ?x { ?s ?p ?o } }",
]
INWARD = [
    "SELECT * { ?service <urn:service#load> 'SERVICE <http://127.0.0.1:9/>' # SERVICE\n}",
    'PREFIX service: <urn:x> SELECT (service:f(?load) AS ?y) { ?load service:SERVICE """LOAD""" }',
    "PREFIX geof: <http://www.opengis.net/def/function/geosparql/> ASK { FILTER(geof:distance('load', 1, 2) < 3) }",
    "SELECT * { ?s ?p ?o }",
]


@pytest.mark.parametrize("sparql", OUTWARD)
def test_a_query_that_asks_another_machine_is_refused(sparql: str) -> None:
    with pytest.raises(DataError, match=REFUSED):
        require_local("query", sparql)


@pytest.mark.parametrize("sparql", INWARD)
def test_the_words_may_occur_in_names_texts_and_comments(sparql: str) -> None:
    require_local("query", sparql)


@pytest.mark.parametrize(
    "sparql",
    [
        "LOAD <http://127.0.0.1:9/>",
        "load silent <file:///etc/hosts> INTO GRAPH <urn:g>",
        "INSERT DATA {} ; LOAD <urn:x>",
    ],
)
def test_an_update_that_loads_is_refused(sparql: str) -> None:
    with pytest.raises(DataError, match=REFUSED):
        require_local("update", sparql)


def test_a_knowledge_base_refuses_both(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        for ask in (lambda: base.answer(OUTWARD[0]), lambda: base.answer(OUTWARD[0], timeout_s=9)):
            with pytest.raises(DataError, match=REFUSED):
                ask()
        with pytest.raises(DataError, match=REFUSED):
            base.update("LOAD <http://127.0.0.1:9/>")
        assert base.update("INSERT DATA { <urn:load> <urn:service> 'load' }") == 1
        assert len(base.answer("SELECT * { <urn:load> ?service ?o }")) == 1
