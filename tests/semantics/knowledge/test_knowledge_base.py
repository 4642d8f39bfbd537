"""A knowledge base in a directory: created, loaded completely or not at all, read by several processes."""

from __future__ import annotations

import gzip
import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from papers.baquara_world import FOLDER
from sfumato.errors import DataError, FileError, OutputError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

TRIPLES = '<urn:a> <urn:p> "1" .\n<urn:a> <urn:q> _:x .\n_:x <urn:p> "2" .\n'


def written(path: Path, text: str = TRIPLES) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def base(tmp_path: Path) -> Path:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as new:
        new.load(written(tmp_path / "a.nt"))
    return tmp_path / "kb"


def test_only_its_owner_can_read_it(base: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in base.rglob("*") if path.is_dir()}
    assert modes == {0o700} == {stat.S_IMODE(base.stat().st_mode)}
    assert {stat.S_IMODE(path.stat().st_mode) for path in base.rglob("*") if path.is_file()} == {0o600}


def test_the_same_file_adds_nothing_also_with_blank_nodes(base: Path, tmp_path: Path) -> None:
    with KnowledgeBase.open(base, read_only=False) as kb:
        report = kb.load([written(tmp_path / "b.nt"), tmp_path / "a.nt"])
        assert (report.triples, len(kb)) == (0, 3)
        assert [entry["known"] for entry in report.files] == [True, True]
    note = json.loads((base / "kb.json").read_text())
    assert (note["version"], note["triples"], [entry["triples"] for entry in note["files"]]) == (1, 3, [3])


def test_a_load_takes_effect_completely_or_not_at_all(base: Path, tmp_path: Path) -> None:
    good = written(tmp_path / "good.nt", "<urn:b> <urn:p> <urn:c> .\n")
    broken = written(tmp_path / "broken.nt", '<urn:b> <urn:p> "4" .\n<urn:b> <urn:p "private" .\n')
    with KnowledgeBase.open(base, read_only=False) as kb:
        with pytest.raises(FileError) as refused:
            kb.load([good, broken])
        assert str(refused.value) == f"{broken}, line 2: wanted well-formed RDF, found a statement that is broken"
        assert len(kb) == len(kb.answer("SELECT * WHERE { ?s ?p ?o }")) == 3
        assert kb.load(good).triples == 1
    assert [path.name for path in (base / "store").iterdir()] == ["4"]


def test_what_an_interrupted_load_leaves_is_removed(base: Path, tmp_path: Path) -> None:
    shutil.copytree(base / "store" / "2", base / "store" / "3")
    (base / "store" / "loading-x").mkdir()
    with KnowledgeBase.open(base, read_only=False) as kb:
        kb.load(written(tmp_path / "c.nt", "<urn:b> <urn:p> <urn:c> .\n"))
        assert len(kb) == 4
    assert [path.name for path in (base / "store").iterdir()] == ["3"]


def test_one_process_writes_while_others_read(base: Path, tmp_path: Path) -> None:
    count = "SELECT * WHERE { ?s ?p ?o }"
    with (
        KnowledgeBase.open(base) as reader,
        KnowledgeBase.open(base) as other,
        KnowledgeBase.open(base, read_only=False) as writer,
    ):
        with pytest.raises(OutputError, match="another process writes to this knowledge base"):
            KnowledgeBase.open(base, read_only=False)
        writer.load(written(tmp_path / "c.nt", "<urn:b> <urn:p> <urn:c> .\n"))
        writer.update("INSERT DATA { <urn:b> <urn:p> <urn:d> }")
        assert (len(reader.answer(count)), len(other.answer(count)), len(writer.answer(count))) == (3, 3, 5)
        script = "import sys; from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase as K"
        script += f"; print(len(K.open(sys.argv[1]).answer({count!r})))"
        ran = subprocess.run([sys.executable, "-c", script, base], capture_output=True, text=True, check=True)
        assert ran.stdout == "5\n"
    with KnowledgeBase.open(base, read_only=False) as writer:
        writer.update("INSERT DATA { <urn:b> <urn:p> <urn:e> }")
    assert len(list((base / "store").iterdir())) == 1


def test_a_reader_cannot_write(base: Path) -> None:
    with KnowledgeBase.open(base) as kb, pytest.raises(OutputError, match="opened to be read only"):
        kb.update("DELETE WHERE { ?s ?p ?o }")


def test_directories_that_are_not_one(base: Path, tmp_path: Path) -> None:
    def sentence(path: Path) -> str:
        with pytest.raises(FileError) as refused:
            KnowledgeBase.open(path)
        return str(refused.value).removeprefix(f"{path}: ")

    assert sentence(tmp_path / "absent") == "wanted a knowledge base, found none"
    assert sentence(tmp_path) == "wanted a knowledge base, found a directory without kb.json"
    assert sentence(tmp_path / "a.nt") == "wanted the directory of a knowledge base, found a file"
    note = json.loads((base / "kb.json").read_text())
    (base / "kb.json").write_text(json.dumps(note | {"version": 9}))
    assert sentence(base) == "wanted format version 1 or older, found 9; install a newer sfumato"
    (base / "kb.json").write_text(json.dumps({"format": "other"}))
    assert sentence(base) == "wanted a knowledge base, found a kb.json of another format"
    (base / "kb.json").write_text("{")
    assert "is not JSON; the directory is damaged" in sentence(base)
    (base / "kb.json").write_text(json.dumps(note | {"files": 3}))
    assert "lacks a field or holds a wrong one" in sentence(base)
    (base / "kb.json").write_text(json.dumps(note))
    shutil.rmtree(base / "store" / "2")
    assert sentence(base).startswith("its store is missing or damaged")


def test_it_is_refused_where_it_would_be_published_or_replace_files(base: Path, tmp_path: Path) -> None:
    published = tmp_path / "published"
    published.mkdir()
    (published / "certificate.json").write_text("{}")
    with pytest.raises(OutputError, match="is private and must not be in"):
        KnowledgeBase.create(published / "kb")
    with pytest.raises(OutputError, match="exists already"):
        KnowledgeBase.create(base)


def test_every_format_and_gzip(tmp_path: Path) -> None:
    turtle = "@prefix e: <urn:> .\n" + "e:a e:p e:b .\n"
    xml = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:">'
        '<rdf:Description rdf:about="urn:a"><e:x rdf:resource="urn:b"/></rdf:Description></rdf:RDF>'
    )
    quads = "<urn:a> <urn:p> <urn:c> <urn:g> .\n<urn:a> <urn:p> <urn:c> <urn:h> .\n"
    texts = {"a.nt": TRIPLES, "b.ttl": turtle, "c.rdf": xml, "d.nq": quads, "e.trig": "<urn:g> { <urn:a> <urn:p> 5 }"}
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        plain = kb.load([written(tmp_path / name, text) for name, text in texts.items()])
        assert [entry["triples"] for entry in plain.files] == [3, 1, 1, 1, 1]  # a statement in two graphs is one
        for name, text in texts.items():
            (tmp_path / f"z{name}.gz").write_bytes(gzip.compress(f"{text}\n".encode()))
        zipped = kb.load([tmp_path / f"z{name}.gz" for name in texts])
        assert [entry["triples"] for entry in zipped.files] == [2, 0, 0, 0, 0]  # blank nodes of another file are others
        (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(TRIPLES.encode() * 99)[:-20])
        with pytest.raises(FileError, match="gzip file ends early or is damaged"):
            kb.load(tmp_path / "cut.nt.gz")
        with pytest.raises(FileError, match=r"wanted a file that ends in .*, found '\.docx'"):
            kb.load(written(tmp_path / "x.docx"))
        with pytest.raises(FileError, match="another directory"):
            kb.load(tmp_path)
        with pytest.raises(FileError, match=r"cannot be read \(No such file"):
            kb.load(tmp_path / "absent.ttl")


def test_blocks_of_lines_are_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.semantics.knowledge import rdf_files

    monkeypatch.setattr(rdf_files, "_PART", 40)
    lines = [f"<urn:{number}> <urn:p> <urn:o> ." for number in range(9)]
    blank = ["_:x <urn:p> <urn:o> .", *lines[5:], "<urn:s> <urn:p> _:x ."]
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        assert kb.load(written(tmp_path / "a.nt", "\n".join(lines[:5] + blank))).triples == 11
        assert len(kb.answer("SELECT * WHERE { ?s <urn:p> ?x . ?x <urn:p> ?o }")) == 1  # one blank node
        with pytest.raises(FileError, match="line 8: wanted well-formed RDF"):
            kb.load(written(tmp_path / "b.nt", "\n".join([*lines[:7], "nonsense"])))
        with pytest.raises(FileError, match="line 3: wanted well-formed RDF"):
            kb.load(written(tmp_path / "c.nt", "\n".join([*blank[:2], "nonsense"])))


def test_broken_lines_can_be_left_out(tmp_path: Path) -> None:
    lines = ['<urn:a> <urn:p> "1" .', '<urn:a> <urn:p "2" .', "nonsense", '_:x <urn:p> "3" .', '_:x <urn:p> "4" .']
    good, broken = "\n".join(lines[3:]), "\n".join(lines)
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        report = kb.load(written(tmp_path / "broken.nt", broken), skip_broken=True)
        assert (report.triples, report.files[0]["skipped"]) == (3, 2)
        assert len(kb.answer("SELECT DISTINCT ?s WHERE { ?s ?p ?o }")) == 2
        with pytest.raises(FileError, match=r"only of \.nt and \.nq files"):
            kb.load(written(tmp_path / "broken.ttl", good), skip_broken=True)


def test_frames_of_resources(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        kb.load(FOLDER / "world.ttl")
        labels, geometries, types, events = kb.labels(), kb.geometries(), kb.types(), kb.events()
        assert labels.schema == dict.fromkeys(("resource", "label", "language"), pl.String)
        brazil = labels.filter(pl.col("resource").str.ends_with("/Brazil")).rows()
        assert brazil == [
            ("http://dbpedia.org/resource/Brazil", name, lang) for name, lang in (("Brasil", "pt"), ("Brazil", "en"))
        ]
        assert labels.filter(pl.col("label") == "BB ATM")["language"].to_list() == [None]
        airport = geometries.row(by_predicate=pl.col("resource") == "http://example.org/rio/gig", named=True)
        assert (airport["wkt"], airport["x"], airport["y"]) == ("POINT(-43.2436 -22.81)", -43.2436, -22.81)
        country = geometries.row(by_predicate=pl.col("resource").str.ends_with("/Brazil"), named=True)
        assert (country["x"], country["y"]) == (-54, -14.25)
        counted = kb.answer("SELECT (COUNT(*) AS ?n) WHERE { ?s a ?class }").frame["n"].item()
        assert (types.columns, types.height) == (["resource", "class"], counted)
        assert events["resource"].str.split("/").list.last().to_list() == [
            "christmas",
            "final",
            "forro_festival",
            "third_place",
        ]
        assert events.row(1)[1:3] == (1405278000.0, 1405287600.0)  # 16:00 and 18:40 in Rio
        assert events["place"].null_count() == 1


def test_a_geometry_that_is_not_one_is_named(tmp_path: Path) -> None:
    geo = "http://www.opengis.net/ont/geosparql#"
    text = f'<urn:a> <{geo}hasGeometry> <urn:g> .\n<urn:g> <{geo}asWKT> "PIONT(1 2)"^^<{geo}wktLiteral> .\n'
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        kb.load(written(tmp_path / "a.nt", text))
        with pytest.raises(DataError, match="found 1 that are not WKT or are empty"):
            kb.geometries()


def test_places_with_latitude_and_longitude_have_a_geometry(tmp_path: Path) -> None:
    wgs84 = "http://www.w3.org/2003/01/geo/wgs84_pos#"
    text = f"<urn:a> <{wgs84}lat> 41.9 ; <{wgs84}long> 12.5 ."
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        kb.load(written(tmp_path / "a.ttl", text))
        kb.load(written(tmp_path / "b.ttl", text + "\n"))
        assert kb.geometries().rows() == [("urn:a", "POINT(12.5 41.9)", 12.5, 41.9)]


def test_a_store_that_is_a_link_is_refused(base: Path, tmp_path: Path) -> None:
    (base / "store").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "precious").mkdir()
    (base / "store").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError, match="a link to another directory"):
        KnowledgeBase.open(base, read_only=False)
    assert (tmp_path / "elsewhere" / "precious").is_dir()


def test_parts_that_are_loaded_at_the_same_time_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.semantics.knowledge import rdf_files

    lines = [f"<urn:s{n % 97}> <urn:p{n % 7}> <urn:o{n}> .\n" for n in range(5000)]
    blank = [f"_:b{n % 3} <urn:p> <urn:o{n}> .\n" for n in range(30)]
    (tmp_path / "all.nt").write_text("".join([*lines, *blank]))
    (tmp_path / "broken.nt").write_text("".join([*lines[:4000], "no triple\n", *lines[4000:]]))
    with KnowledgeBase.create(tmp_path / "whole", ontology=False) as base:
        base.load(tmp_path / "all.nt")
        whole = base.answer("SELECT ?s ?p ?o { ?s ?p ?o FILTER(!ISBLANK(?s)) } ORDER BY ?s ?p ?o").frame
        assert len(base) == 5030
    monkeypatch.setattr(rdf_files, "_PART", 9000)
    with KnowledgeBase.create(tmp_path / "parts", ontology=False) as base:
        with pytest.raises(FileError, match="4001"):
            base.load(tmp_path / "broken.nt")
        assert len(base) == 0
        base.load(tmp_path / "all.nt")
        parts = base.answer("SELECT ?s ?p ?o { ?s ?p ?o FILTER(!ISBLANK(?s)) } ORDER BY ?s ?p ?o").frame
        blanks = base.answer("SELECT DISTINCT ?s { ?s ?p ?o FILTER(ISBLANK(?s)) }").frame
        assert len(base) == 5030
    assert parts.equals(whole)
    assert len(blanks) == 3
