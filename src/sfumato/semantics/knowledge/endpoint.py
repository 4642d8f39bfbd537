"""Statements of a remote SPARQL endpoint, fetched page by page with time and size limits."""

from __future__ import annotations

import base64
import http.client
import re
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sfumato.errors import DataError, FileError, ParameterError
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.selection import Selection
from sfumato.semantics.knowledge.xml_entities import without_large_entities
from sfumato.semantics.vocabulary import GEO, prefix_lines

__all__ = ["Endpoint"]

_TRIPLES = {"application/n-triples": "N_TRIPLES", "text/turtle": "TURTLE", "application/rdf+xml": "RDF_XML"}
_ROWS = {"application/sparql-results+json": "JSON", "application/sparql-results+xml": "XML"}
_ORDERED, _LIMITED = re.compile(r"\border\s+by\b", re.I), re.compile(r"\b(limit|offset)\s+\d+", re.I)
_COMMENT = re.compile(r"#[^\n<>]*$", re.M)
_CONSTRUCT = re.compile(r"\bconstruct\b", re.I)
_AGAIN = (408, 425, 429, 500, 502, 503, 504)  # answers after which another attempt makes sense
_BLOCK = 1 << 16
_PLACES = """SELECT DISTINCT ?s ?p ?o WHERE {{
  {{ ?s wgs84:lat ?lat ; wgs84:long ?long . FILTER({numbers}) }}
  UNION {{ ?s geo:hasGeometry/geo:asWKT ?wkt . FILTER({shapes}) }}
  ?s ?p ?o . FILTER(isIRI(?s) && !isBlank(?o) && ?p != geo:hasGeometry)
}} ORDER BY ?s ?p ?o"""
_GEOMETRIES = """SELECT DISTINCT ?s ?o WHERE {{
  ?s geo:hasGeometry/geo:asWKT ?wkt . FILTER(isIRI(?s) && ({shapes})) BIND(?wkt AS ?o)
}} ORDER BY ?s ?o"""


@dataclass(frozen=True)
class Endpoint:
    """An address that answers SPARQL queries over HTTP.

    Parameters
    ----------
    url : its address, http or https; a name and password in it are sent and never shown.
    timeout_s : how long one request may take.
    attempts : how often a request is sent at most.
    page : how many rows are asked for at a time.
    most_bytes : how much is read in total at most.
    pause_s : how long to wait before the second attempt; it doubles with each further attempt.
    """

    url: str = field(repr=False)  # it may hold a password
    timeout_s: float = 60.0
    attempts: int = 3
    page: int = 5_000
    most_bytes: int = 1 << 30
    pause_s: float = 1.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ParameterError("endpoint: wanted an address that begins with http:// or https://, found another one")

    @property
    def name(self) -> str:
        """The address without a name, a password and parameters."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return urlunsplit((parts.scheme, f"{parts.hostname}{port}", parts.path, "", ""))

    def fetch_query(self, query: str, out: Path, progress: Callable[[str, float], None] | None = None) -> None:
        """Write the statements of a CONSTRUCT query as N-Triples.

        A query with ORDER BY and without LIMIT is fetched page by page; any other is sent once, as it is.
        """
        plain = _COMMENT.sub("", query)
        if not _CONSTRUCT.search(plain):
            raise DataError(f"{self.name}: wanted a CONSTRUCT query, found another one")
        pages = bool(_ORDERED.search(plain)) and not _LIMITED.search(plain)
        with open(out, "wb") as file:
            for part in self._pages(query, _TRIPLES, progress, paged=pages):
                file.write(part)

    def fetch_box(self, selection: Selection, out: Path, progress: Callable[[str, float], None] | None = None) -> None:
        """Write everything that the endpoint says of places in a box as N-Triples."""
        if not selection.boxes:
            raise ParameterError(f"{self.name}: wanted a box or a query, found neither")
        with open(out, "wb") as file:
            for template in (_PLACES, _GEOMETRIES):
                for part in self._pages(_box_query(template, selection), _ROWS, progress, paged=True):
                    file.write(part)

    def _pages(
        self, query: str, formats: dict[str, str], progress: Callable[[str, float], None] | None, *, paged: bool
    ) -> Iterator[bytes]:
        offset, left = 0, self.most_bytes
        while True:
            content, kind = self._ask(f"{query}\nLIMIT {self.page} OFFSET {offset}" if paged else query, formats, left)
            left -= len(content)
            rows, lines = self._lines(content, formats[kind], of_rows=formats is _ROWS)
            yield lines
            if progress is not None:
                progress(f"{self.name} ({offset + rows:,} rows)", 0.0)
            if not paged or rows == 0:
                return
            offset += rows if formats is _ROWS else self.page

    def _lines(self, content: bytes, form: str, *, of_rows: bool) -> tuple[int, bytes]:
        """The number of rows or statements of a page, and the statements as N-Triples."""
        ox = oxigraph()
        try:
            if of_rows:
                rows = list(ox.parse_query_results(content, format=getattr(ox.QueryResultsFormat, form)))
                triples = [triple for row in rows for triple in _statements(row)]
            else:
                file = without_large_entities(BytesIO(content)) if form == "RDF_XML" else BytesIO(content)
                parsed = ox.parse(input=file, format=getattr(ox.RdfFormat, form), base_iri=self.name)
                rows = triples = [ox.Triple(quad.subject, quad.predicate, quad.object) for quad in parsed]
        except (SyntaxError, ValueError):
            raise DataError(f"{self.name}: wanted well-formed RDF, found an answer that is broken") from None
        return len(rows), ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)

    def _ask(self, query: str, formats: dict[str, str], left: int) -> tuple[bytes, str]:
        """The content of an answer and its media type; tries again after failures that may pass."""
        problem = ""
        for attempt in range(self.attempts):
            if attempt:
                time.sleep(self.pause_s * 2 ** (attempt - 1))
            try:
                return self._request(query, formats, left)
            except HTTPError as error:
                problem = f"answered with the error {error.code}"
                if error.code not in _AGAIN:
                    break
            except TimeoutError:
                problem = f"did not answer within {self.timeout_s:g} s"
            except (http.client.IncompleteRead, http.client.RemoteDisconnected, ConnectionError):
                problem = "cut off its answer"
            except http.client.HTTPException:
                problem = "does not answer as HTTP"
            except URLError as error:
                slow = isinstance(error.reason, TimeoutError | socket.timeout)
                problem = f"did not answer within {self.timeout_s:g} s" if slow else "cannot be reached"
        times = f" ({self.attempts} attempts)" if self.attempts > 1 and attempt else ""
        raise DataError(f"{self.name}: wanted an answer to a SPARQL query, but the endpoint {problem}{times}")

    def _request(self, query: str, formats: dict[str, str], left: int) -> tuple[bytes, str]:
        deadline = time.monotonic() + self.timeout_s
        headers = {"Accept": ", ".join(formats), "User-Agent": "sfumato", **self._credentials()}
        body = urlencode({"query": query}).encode()
        opener = build_opener(_SafeRedirects)
        with opener.open(Request(self._address(), body, headers), timeout=self.timeout_s) as answer:
            kind = answer.headers.get_content_type()
            if kind not in formats:
                raise DataError(f"{self.name}: wanted an answer in {' or '.join(formats)}, found {kind}")
            return self._content(answer, deadline, left), kind

    def _content(self, answer: Any, deadline: float, left: int) -> bytes:
        blocks: list[bytes] = []
        size = 0
        expected = answer.headers.get("Content-Length")
        while block := answer.read1(_BLOCK):  # what has arrived: `read` would wait for a whole block
            blocks.append(block)
            size += len(block)
            if size > left:
                raise DataError(f"{self.name}: wanted at most {self.most_bytes:,} bytes, found more; ask for less")
            if time.monotonic() > deadline:
                raise TimeoutError
        if expected is not None and expected.isdigit() and size < int(expected):
            raise http.client.IncompleteRead(b"")
        return b"".join(blocks)

    def _address(self) -> str:
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path or "/", parts.query, ""))

    def _credentials(self) -> dict[str, str]:
        parts = urlsplit(self.url)
        if parts.username is None:
            return {}
        pair = f"{parts.username}:{parts.password or ''}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}


class _SafeRedirects(HTTPRedirectHandler):
    """Sends the query again to another address, only over http or https, and credentials only to the same host."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if new.scheme not in ("http", "https") or (old.scheme == "https" and new.scheme != "https"):
            raise HTTPError(req.full_url, code, msg, headers, fp)
        kept = {name: value for name, value in req.headers.items() if name.lower() != "content-length"}
        if (new.scheme, new.netloc) != (old.scheme, old.netloc):
            kept.pop("Authorization", None)
        return Request(newurl, req.data, kept)


def _statements(row: Any) -> list[Any]:
    """The statements of a row ?s ?p ?o, or of a row ?s ?o with a geometry."""
    ox = oxigraph()
    if len(row) == 3:
        return [ox.Triple(row[0], row[1], row[2])]
    node = ox.NamedNode(f"{row[0].value}/geometry")
    has, text = ox.NamedNode(GEO + "hasGeometry"), ox.NamedNode(GEO + "asWKT")
    return [ox.Triple(row[0], has, node), ox.Triple(node, text, row[1])]


def _box_query(template: str, selection: Selection) -> str:
    numbers = " || ".join(
        f"(?long >= {w} && ?long <= {e} && ?lat >= {s} && ?lat <= {n})" for w, s, e, n in selection.boxes
    )
    shapes = " || ".join(
        f'geof:sfIntersects(?wkt, "POLYGON(({w} {s},{e} {s},{e} {n},{w} {n},{w} {s}))"^^geo:wktLiteral)'
        for w, s, e, n in selection.boxes
    )
    return prefix_lines("geo", "geof", "wgs84") + "\n" + template.format(numbers=numbers, shapes=shapes)


def read_query(path: Path) -> str:
    """The text of a query file."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise FileError(path, "wanted a query as text in UTF-8, found no such file") from None
