"""A remote SPARQL endpoint, played by a server of this process: pages, failures, limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.semantics.knowledge.endpoint import Endpoint
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

WGS84 = "http://www.w3.org/2003/01/geo/wgs84_pos#"
GEO = "http://www.opengis.net/ont/geosparql#"
TURTLE = f"""
<urn:a> <{WGS84}lat> 1.0 ; <{WGS84}long> 1.0 ; <urn:p> "x", "y", "z" ; <urn:q> [ <urn:r> 1 ] .
<urn:b> <{WGS84}lat> 5.0 ; <{WGS84}long> 5.0 .
<urn:c> <{GEO}hasGeometry> [ <{GEO}asWKT> "POLYGON((0 0,3 0,3 3,0 0))"^^<{GEO}wktLiteral> ] ; <urn:p> "polygon" .
"""
CONSTRUCT = "CONSTRUCT { ?s <urn:p> ?o } WHERE { ?s <urn:p> ?o }"


class Server(ThreadingHTTPServer):
    """Answers queries from a store; `trouble` names what goes wrong, for how many requests."""

    trouble: tuple[str, int] = ("", 0)

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.store, self.seen = ox.Store(), list[dict[str, str]]()
        self.store.load(input=TURTLE, format=ox.RdfFormat.TURTLE)
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/sparql"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        query = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["query"][0]
        self.server.seen.append({"query": query, "auth": self.headers.get("Authorization", ""), "path": self.path})
        name, left = self.server.trouble
        if name and left:
            self.server.trouble = (name, left - 1)
            getattr(self, f"_{name}")()
            return
        result = self.server.store.query(query)
        if isinstance(result, ox.QuerySolutions):
            self._send(result.serialize(format=ox.QueryResultsFormat.JSON), "application/sparql-results+json")
        else:
            self._send(result.serialize(format=ox.RdfFormat.N_TRIPLES), "application/n-triples")

    def _send(self, content: bytes, kind: str, code: int = 200, length: int | None = None) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)

    def _busy(self) -> None:
        self._send(b"later", "text/plain", 503)

    def _refused(self) -> None:
        self._send(b"private text of the server", "text/plain", 400)

    def _html(self) -> None:
        self._send(b"<html>private</html>", "text/html; charset=utf-8")

    def _cut(self) -> None:
        self._send(b"<urn:a> <urn:p> ", "application/n-triples", length=1000)

    def _broken(self) -> None:
        self._send(b"<urn:a> <urn:p> private", "application/n-triples")

    def _slow(self) -> None:
        self.server.released.wait(10)

    def _trickle(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/n-triples")
        self.end_headers()
        while not self.server.released.wait(0.05):
            self.wfile.write(b"# more\n")

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/n-triples")
        self.end_headers()
        while not self.server.released.wait(0.05):
            self.wfile.write(b"#")

    def _moved(self, place: str = "/other") -> None:
        self.send_response(307)
        self.send_header("Location", place)
        self.end_headers()

    def _elsewhere(self) -> None:
        self._moved("file:///etc/hostname")

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.released.set()
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture
def endpoint(server: Server) -> Endpoint:
    return Endpoint(server.url, timeout_s=5, pause_s=0.01, page=2)


def test_places_in_a_box_are_fetched_page_by_page(server: Server, endpoint: Endpoint, tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        report = kb.load(endpoint=endpoint, box=(0, 0, 2, 2))
        names = kb.answer("SELECT ?s ?o WHERE { ?s <urn:p> ?o } ORDER BY ?s ?o").frame.rows()
        assert names == [("urn:a", "x"), ("urn:a", "y"), ("urn:a", "z"), ("urn:c", "polygon")]
        assert kb.geometries()["resource"].to_list() == ["urn:a", "urn:c"]
        assert kb.load(endpoint=endpoint, box=(0, 0, 2, 2)).triples == 0
    assert report.files[0]["name"] == server.url
    assert report.files[0]["kind"] == "endpoint"
    offsets = [int(seen["query"].rpartition(" ")[2]) for seen in server.seen]
    assert offsets[:4] == [0, 2, 4, 6]


def test_a_query_is_paged_only_if_its_rows_are_ordered(server: Server, endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.fetch_query(CONSTRUCT, tmp_path / "once.nt")
    assert len(server.seen) == 1
    endpoint.fetch_query(CONSTRUCT + " ORDER BY ?s ?o", tmp_path / "pages.nt")
    assert len(server.seen) == 4  # two pages and an empty one
    endpoint.fetch_query(CONSTRUCT + " ORDER BY ?s ?o LIMIT 3", tmp_path / "limited.nt")
    lines = [sorted((tmp_path / f"{name}.nt").read_text().splitlines()) for name in ("once", "pages", "limited")]
    assert lines[0] == lines[1]
    assert (len(lines[0]), len(lines[2])) == (4, 3)
    with pytest.raises(DataError, match="wanted a CONSTRUCT query"):
        endpoint.fetch_query("SELECT ?construct WHERE { ?s ?p ?o }".replace("?construct", "?s"), tmp_path / "x.nt")


@pytest.mark.parametrize(
    ("trouble", "sentence", "requests"),
    [
        ("busy", "wanted an answer to a SPARQL query, but the endpoint answered with the error 503 (3 attempts)", 3),
        ("refused", "wanted an answer to a SPARQL query, but the endpoint answered with the error 400", 1),
        ("cut", "wanted an answer to a SPARQL query, but the endpoint cut off its answer (3 attempts)", 3),
        ("broken", "wanted well-formed RDF, found an answer that is broken", 1),
        ("html", "wanted an answer in application/n-triples or text/turtle or application/rdf+xml, found text/html", 1),
        ("elsewhere", "wanted an answer to a SPARQL query, but the endpoint answered with the error 307", 1),
    ],
)
def test_failures_are_one_sentence(
    server: Server, endpoint: Endpoint, tmp_path: Path, trouble: str, sentence: str, requests: int
) -> None:
    server.trouble = (trouble, 99)
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        with pytest.raises(DataError) as refused:
            kb.load(endpoint=endpoint, query=CONSTRUCT)
        assert str(refused.value) == f"{server.url}: {sentence}"
        assert len(kb) == 0
    assert len(server.seen) == requests


@pytest.mark.parametrize("trouble", ["slow", "trickle", "drip"])
def test_an_endpoint_that_times_out(server: Server, endpoint: Endpoint, tmp_path: Path, trouble: str) -> None:
    server.trouble = (trouble, 99)
    start = time.monotonic()
    with pytest.raises(DataError, match=r"did not answer within 0\.2 s \(2 attempts\)"):
        replace(endpoint, timeout_s=0.2, attempts=2).fetch_query(CONSTRUCT, tmp_path / "x.nt")
    assert time.monotonic() - start < 5


def test_failures_that_pass_and_redirects(server: Server, endpoint: Endpoint, tmp_path: Path) -> None:
    for trouble in ("busy", "cut", "moved"):
        server.trouble = (trouble, 1)
        endpoint.fetch_query(CONSTRUCT, tmp_path / "x.nt")
        assert (tmp_path / "x.nt").read_text().count("\n") == 4
    assert server.seen[-1]["path"] == "/other"


def test_limits_and_addresses(endpoint: Endpoint, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="wanted at most 50 bytes, found more"):
        replace(endpoint, most_bytes=50).fetch_query(CONSTRUCT, tmp_path / "x.nt")
    for url in ("file:///etc/hostname", "ftp://example.org/", "example.org", "http://"):
        with pytest.raises(ParameterError, match="wanted an address that begins with http"):
            Endpoint(url)
    with pytest.raises(DataError, match="cannot be reached"):
        Endpoint("http://127.0.0.1:1/", attempts=1).fetch_query(CONSTRUCT, tmp_path / "x.nt")


def test_credentials_are_sent_and_never_shown(server: Server, tmp_path: Path) -> None:
    url = server.url.replace("http://", "http://me:hidden@")
    endpoint = Endpoint(f"{url}?key=hidden", attempts=1)
    endpoint.fetch_query(CONSTRUCT, tmp_path / "x.nt")
    assert server.seen[-1]["auth"] == "Basic bWU6aGlkZGVu"
    assert endpoint.name == server.url
    server.trouble = ("refused", 9)
    with pytest.raises(DataError) as refused:
        endpoint.fetch_query(CONSTRUCT, tmp_path / "x.nt")
    assert "hidden" not in f"{refused.value} {endpoint!r}"
