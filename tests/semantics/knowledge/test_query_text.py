"""What a query may hold: nothing that reaches another address, in whatever way it is written."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

QUERIES = [
    "SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ service silent<{url}>{{ ?s ?p ?o }} }}",
    'ASK {{ BIND("a\\u0022" AS ?a) SERVICE SILENT <{url}> {{ ?s ?p ?o }} BIND("b" AS ?b) }}',
    "PREFIX e: <{url}> SELECT * {{ ?s e:o\\'b ?o . SERVICE SILENT e: {{ ?s ?p ?o }} }} # '",
    "PREFIX e: <{url}> ASK {{ VALUES (?a ?b) {{ (1 2) }} FILTER(?a<?b)SERVICE SILENT e:a{{ ?s ?p ?o }} FILTER(?b>?a)}}",
    "ASK {{ BIND('a\\\\' AS ?a) SERVICE SILENT <{url}> {{ ?s ?p ?o }} BIND('b' AS ?b) }}",
    'ASK {{ BIND("""a""b""" AS ?a) # "\n SERVICE SILENT <{url}> {{ ?s ?p ?o }} BIND("b" AS ?b) }}',
    "ASK {{ VALUES ?a {{ <{url}#'> }} SERVICE SILENT <{url}> {{ ?s ?p ?o }} FILTER(?a != '') }}",
]
UPDATES = [
    "LOAD <{url}x.ttl>",
    "LOAD SILENT <{url}x.ttl>",
    "INSERT {{ ?s ?p 1 }} WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
]
HARMLESS = [
    "SELECT ?service { ?service <urn:service/load> 'SERVICE' }  # SERVICE <http://example.org>",
    "PREFIX service: <urn:service#> SELECT * { ?load service:load ?o ; service:a\\'b ?c . FILTER(?o < 5 && ?c > 3) }",
]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("base") / "kb", ontology=False) as base:
        base.update("INSERT DATA { <urn:a> <urn:b> 1 }")
        yield base


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[str]]]:
    """An address, and the requests that it got."""
    requests: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.path)
            self.send_error(404)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    listener = HTTPServer(("127.0.0.1", 0), Recorder)
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{listener.server_port}/", requests
    listener.shutdown()
    thread.join()
    listener.server_close()


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_that_reaches_another_address_is_refused(
    kb: KnowledgeBase, server: tuple[str, list[str]], query: str
) -> None:
    url, requests = server
    with pytest.raises(DataError, match="query: wanted a question to this knowledge base alone, found SERVICE"):
        kb.answer(query.format(url=url))
    assert requests == []


@pytest.mark.parametrize("update", UPDATES)
def test_an_update_that_reaches_another_address_is_refused(
    kb: KnowledgeBase, server: tuple[str, list[str]], update: str
) -> None:
    url, requests = server
    with pytest.raises(DataError, match="update: wanted statements of this knowledge base alone, found"):
        kb.update(update.format(url=url))
    assert requests == []


def test_the_store_itself_would_call(server: tuple[str, list[str]]) -> None:
    """The refusal has a reason: each of these queries is valid, and the store sends a part of it away."""
    pyoxigraph = pytest.importorskip("pyoxigraph")
    url, requests = server
    store = pyoxigraph.Store()
    store.update(f"INSERT DATA {{ <urn:a> <{url}o'b> 1 ; <urn:b> 2 }}")
    for query in QUERIES[1:]:
        store.query(query.format(url=url))
        assert len(requests) == 1, query
        requests.clear()


@pytest.mark.parametrize("query", HARMLESS)
def test_the_words_may_be_names_texts_and_comments(kb: KnowledgeBase, query: str) -> None:
    assert len(kb.answer(query)) == 0


def test_an_update_is_no_query_and_an_unknown_function_is_named(kb: KnowledgeBase) -> None:
    with pytest.raises(DataError) as refused:
        kb.answer("PREFIX e: <urn:e>\nINSERT DATA { <urn:a> <urn:b> 2 }")
    assert str(refused.value) == "query: wanted SELECT, ASK, CONSTRUCT or DESCRIBE, found an update (INSERT)"
    with pytest.raises(DataError) as unknown:
        kb.answer("SELECT (<urn:f>(1) AS ?a) {}")
    assert str(unknown.value) == "query: no function is called <urn:f>"


def test_a_long_query_can_be_interrupted(kb: KnowledgeBase) -> None:
    """In a process of its own: the query would take hours, and a signal ends it."""
    program = """
import signal, sys
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
signal.signal(signal.SIGALRM, signal.default_int_handler)
with KnowledgeBase.open(sys.argv[1]) as base:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        values = " ".join(f"VALUES ?v{i} {{" + " 1" * 40 + "}" for i in range(9))
        base.answer("SELECT (COUNT(*) AS ?n) {" + values + "}")
    except KeyboardInterrupt:
        print("interrupted")
"""
    command = [sys.executable, "-c", program, str(kb.directory)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "interrupted\n"
