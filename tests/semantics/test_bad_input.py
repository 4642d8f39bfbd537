"""Bad input of every command about the meaning of movements: one sentence, exit code 2, and nothing written."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import sfumato
from sfumato.cli import main
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement

PRIVATE = "tagebuch"  # a text of a post, which no message may quote
WORLD = """
@prefix bq: <http://www.seek-project.eu/Baquara02#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<urn:bar> a bq:Bar ; rdfs:label "Bar Azul"@pt ; geo:hasGeometry <urn:bar/g> .
<urn:bar/g> geo:asWKT "POINT(-43.2 -22.9)"^^geo:wktLiteral .
"""
TAG = "http://www.seek-project.eu/Baquara02#tag"
CYCLE = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<urn:A> rdfs:subClassOf <urn:B> . <urn:B> rdfs:subClassOf <urn:C> . <urn:C> rdfs:subClassOf <urn:A> .
<urn:bar> a <urn:A> .
"""
CYCLE_SENTENCE = (
    "ClassGraph: wanted no cycle, found urn:A is a subclass of urn:B is a subclass of urn:C is a subclass of urn:A"
)
POSTS = "person,time,lon,lat,tags\n" + "".join(
    f"ana,2024-05-0{day}T1{hour}:00:00Z,-43.2,-22.9,{PRIVATE};bar azul\n" for day in (1, 2) for hour in range(4)
)
MAPPING = 'id = "urn:{id}"\nclasses = ["urn:C"]\nlongitude = "lon"\nlatitude = "lat"\n[labels]\nname = ""\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good and bad files, a knowledge base `kb` and a movement `movement`."""
    root = tmp_path_factory.mktemp("bad")
    texts = {
        "world.ttl": WORLD,
        "cycle.ttl": CYCLE,
        "broken.ttl": "@prefix : <urn:x#> .\n:a :b ;\n",
        "broken.nt": '<urn:a> <urn:b> "x .\n',
        "broken.rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>',
        "empty.ttl": "",
        "table.csv": "id,name\n1,Bar\n",
        "table.toml": MAPPING,
        "names.csv": "id,class,name\n1,urn:C,Bar\n2,Bar,Bar\n",
        "names.toml": 'id = "urn:{id}"\nclasses = ["{class}"]\n[labels]\nname = ""\n',
        "broken.toml": "id = \n",
        "unknown.toml": 'id = "urn:{id}"\nklasses = ["urn:C"]\n',
        "posts.csv": POSTS,
        "no_time.csv": "person,lon,lat,tags\nana,1,2,x\n",
        "lost_time.csv": f"person,time,lon,lat,tags\nana,,1,2,{PRIVATE}\n",
        "cut.rq": "SELECT ?a WHERE { ?a ?b ",
        "prefix.rq": "SELECT ?a WHERE { ?a rdfs:label ?b }",
        "slow.rq": "SELECT (COUNT(*) AS ?count) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }",
        "labels.rq": "SELECT ?a WHERE { ?a <http://www.w3.org/2000/01/rdf-schema#label> ?b } LIMIT 1",
        "cut.toml": "[segment",
        "other.toml": '[segment]\ntype = "STOP"\npersn = "bq:Tourist"\n',
    }
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")
    (root / "cut.ttl.gz").write_bytes(gzip.compress(WORLD.encode())[:60])
    (root / "plain").mkdir()
    (root / "plain" / "notes.txt").write_text("nothing")
    movement().write(root / "movement")
    with KnowledgeBase.create(root / "kb") as base:
        base.load([root / "world.ttl", root / "movement"])
    with KnowledgeBase.create(root / "cycle") as base:
        base.load([root / "world.ttl", root / "cycle.ttl"])
    return root


def movement() -> Movement:
    positions = {"object": ["ana"] * 3, "begin": [0.0, 1800, 3600], "x": [-43.2, -43.2, -43.1], "y": [-22.9] * 3}
    segments = {"object": ["ana"] * 2, "type": ["TRAIL", "STOP"], "first": [0, 0], "last": [2, 1]}
    tag = {"target_kind": "position", "target": 0, "property": TAG, "kind": "tag", "value": PRIVATE}
    return Movement.of({"object": ["ana"]}, positions, segments, annotations=[tag])


@pytest.fixture
def refused(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """The sentence of a command that is refused, in the folder; nothing may be written."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", str(Path(sfumato.__file__).parents[1]))  # a query may run in another process
    handlers = {sent: signal.getsignal(sent) for sent in (signal.SIGTERM, signal.SIGINT)}

    def running(command: str, *, code: int = 2) -> str:
        before = _files(folder)
        with pytest.raises(SystemExit) as left:
            main(command.split())
        out, err = capsys.readouterr()
        assert left.value.code == code, out + err
        sentences = [line for line in err.splitlines() if not line.startswith("sfumato: note: ")]
        assert len(sentences) == 1, err
        assert PRIVATE not in out + err
        assert _files(folder) == before
        return sentences[0].removeprefix("sfumato: ")

    yield running
    for sent, handler in handlers.items():
        signal.signal(sent, handler)


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if "/store/" not in path.as_posix()}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        # broken RDF
        ("kb load new broken.ttl", "broken.ttl, line 2: wanted well-formed RDF, found a statement that is broken"),
        ("kb load new broken.nt", "broken.nt, line 1: wanted well-formed RDF, found a statement that is broken"),
        ("kb load new broken.rdf", "broken.rdf, line 1: wanted well-formed RDF, found a statement that is broken"),
        ("kb load new empty.ttl", "empty.ttl: the file is empty"),
        ("kb load new cut.ttl.gz", "cut.ttl.gz: the gzip file ends early or is damaged"),
        ("kb load kb broken.ttl", "broken.ttl, line 2: wanted well-formed RDF, found a statement that is broken"),
        ("kb load new missing.ttl", "missing.ttl: cannot be read (No such file or directory)"),
        # a mapping that names a missing column, or is none
        (
            "kb load new table.csv --mapping table.toml",
            "table.csv: wanted the columns id, lon, lat, name, found no column lon, lat",
        ),
        (
            "kb load new table.csv",
            "table.csv: wanted a mapping of the columns of a table: osm, geonames or a .toml file, found none",
        ),
        (
            "kb load new table.csv --mapping unknown.toml",
            "unknown.toml: no key of a mapping is called 'klasses'; did you mean 'classes'?",
        ),
        (
            "kb load new names.csv --mapping names.toml",
            "names.csv, line 3: wanted a whole IRI in 'class', found another text",
        ),
        # empty boxes and periods
        (
            "kb load new world.ttl --box 100,1,101,2",
            "world.ttl: no place lies in the box and no event in the period; nothing was loaded",
        ),
        (
            "kb load new world.ttl --box 1,2,3",
            "--box: wanted west,south,east,north such as 12.3,41.8,12.6,42.0, found another text",
        ),
        (
            "kb load new world.ttl --period 2015-01-01,2014-01-01",
            "period: wanted a begin that is not after the end, found a later one",
        ),
        # what is not a knowledge base
        ("kb query plain labels.rq", "plain: wanted a knowledge base, found a directory without kb.json"),
        ("kb query missing labels.rq", "missing: wanted a knowledge base, found none"),
        ("kb query world.ttl labels.rq", "world.ttl: wanted the directory of a knowledge base, found a file"),
        ("kb load plain world.ttl", "plain: wanted a knowledge base, found a directory without kb.json"),
        ("enrich movement --kb plain --out new", "plain: wanted a knowledge base, found a directory without kb.json"),
        ("map movement --kb plain --out new.html", "plain: wanted a knowledge base, found a directory without kb.json"),
        # queries
        ("kb query kb cut.rq", "query: wanted SPARQL 1.1, found an error on line 1, column 25"),
        (
            "kb query kb prefix.rq",
            "query: wanted SPARQL 1.1, found an error on line 1, column 32, a prefix is not declared",
        ),
        (
            "kb query kb slow.rq --timeout 0.2",
            "query: wanted an answer within 0.2 s, found none; ask for less or wait longer",
        ),
        # a label language that is missing, and cyclic subclasses
        (
            "enrich movement --kb kb --languages xx --out new",
            "languages: wanted labels in 'xx', found labels in en, pt",
        ),
        ("kb facets cycle Place", CYCLE_SENTENCE),
        ("kb taxonomy cycle --out new.csv", CYCLE_SENTENCE),
        ("kb facets kb Plce", "facets: no facet is called 'Plce'; did you mean 'Place'?"),
        ("kb query kb cut.toml", "cut.toml: wanted TOML: Expected ']' at the end of a table declaration"),
        ("kb query kb other.toml", "other.toml: segment: no key is called 'persn'; did you mean 'person'?"),
        (
            "kb query kb labels.rq --out new.geojson",
            "no column of the answer has a geometry; ask for a resource with a geometry, or for its WKT",
        ),
        # texts that no position has, and a movement without links
        (
            "enrich movement --kb kb --names nonsense --out new",
            "link: wanted texts of 'nonsense' to compare with labels, found texts of tags",
        ),
        (
            "kb visits movement --kb kb --out new.csv",
            "visits: wanted stops that are linked to places of the knowledge base, found none",
        ),
        # what is not a movement
        (
            "map plain --out new.html",
            "plain: wanted a file, a published directory or the directory of a movement, found another",
        ),
        ("enrich plain --kb kb --out new", "plain: wanted the directory of a movement, found no movement.json"),
        ("kb visits plain --kb kb --out new.csv", "plain: wanted the directory of a movement, found no movement.json"),
        # posts
        (
            "segment no_time.csv --out new",
            "no_time.csv: wanted the columns time, person, found person, lon, lat, tags; say which column is which, "
            "such as time=COLUMN (--columns time=COLUMN)",
        ),
        (
            "segment lost_time.csv --out new",
            "lost_time.csv, line 2: wanted a time, found nothing (is the file cut off?)",
        ),
        (
            "segment posts.csv --columns tags=tgs --out new",
            "posts.csv: wanted a column 'tgs' for tags, found none; did you mean 'tags'?",
        ),
    ],
)
def test_one_sentence_each(refused, command: str, sentence: str) -> None:
    assert refused(command) == sentence


def test_an_endpoint_that_times_out_is_named(refused) -> None:
    release = threading.Event()

    class Slow(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            release.wait(10)

        def do_GET(self) -> None:
            release.wait(10)

        def log_message(self, *arguments: object) -> None:
            """Silent."""

    server = HTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/sparql"
    try:
        message = refused(f"kb load new --endpoint {address} --box 1,1,2,2 --timeout 0.2")
    finally:
        release.set()
        server.shutdown()
        server.server_close()
    assert message.startswith(f"{address}: wanted an answer to a SPARQL query")


def test_a_knowledge_base_that_another_process_writes_is_locked(folder: Path, refused) -> None:
    with KnowledgeBase.open(folder / "kb", read_only=False):
        message = refused("kb load kb world.ttl")
    assert message.startswith("kb")
    assert "writ" in message


@pytest.mark.parametrize("damage", ["missing", "cut", "version", "json", "rule"])
def test_a_damaged_movement_is_named_with_its_file(folder: Path, refused, damage: str) -> None:
    copy = folder / "damaged"
    shutil.copytree(folder / "movement", copy)
    try:
        if damage == "missing":
            (copy / "positions.parquet").unlink()
        elif damage == "cut":
            (copy / "positions.parquet").write_bytes((copy / "positions.parquet").read_bytes()[:100])
        elif damage == "version":
            note = json.loads((copy / "movement.json").read_text())
            (copy / "movement.json").write_text(json.dumps({**note, "version": 99}))
        elif damage == "json":
            (copy / "movement.json").write_text("{")
        else:
            frame = movement().positions
            frame.reverse().write_parquet(copy / "positions.parquet")
        for command in ("map damaged --out new.html", "enrich damaged --kb kb --out new", "kb load kb damaged"):
            assert refused(command).startswith("damaged"), command
    finally:
        shutil.rmtree(copy)


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ("pyoxigraph", "kb load new world.ttl"),
        ("pyoxigraph", "kb query kb labels.rq"),
        ("pyoxigraph", "enrich movement --kb kb --out new"),
        ("pyoxigraph", "kb facets kb"),
        ("pyoxigraph", "kb visits movement --kb kb --out new.csv"),
        ("pyoxigraph", "map movement --kb kb --out new.html"),
        ("shapely", "kb load new world.ttl --box -44,-23,-43,-22"),
        ("shapely", "enrich movement --kb kb --out new"),
        ("shapely", "map movement --kb kb --out new.html"),
        ("duckdb", "kb export kb --out new.duckdb"),
    ],
)
def test_a_missing_extra_is_named(refused, monkeypatch: pytest.MonkeyPatch, package: str, command: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    extra = "duckdb" if package == "duckdb" else "semantics"
    lines = f"pip install 'sfumato[{extra}]', or in a checkout pip install '.[{extra}]'"
    assert refused(command) == f"{package} is not installed: {lines}"
