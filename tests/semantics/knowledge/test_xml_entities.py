"""Entities of RDF/XML: short ones are read, those that can grow are refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

TOP = '<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [{}]>\n'
BODY = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
<rdf:Description rdf:about="http://example.org/x"><e:p>&a;</e:p></rdf:Description></rdf:RDF>"""
GROWING = [
    '<!ENTITY a "b"><!ENTITY c "&a;&a;">',
    '<!ENTITY c "&a;&a;"><!ENTITY a "b">',
    f'<!ENTITY a "{"b" * 1000}">',
    '<!ENTITY a SYSTEM "file:///etc/hosts">',
    f'<!-- {"b" * (1 << 20)} --><!ENTITY a "b">',
    f'<!-- {"b" * ((1 << 20) - 60)} --><!ENTITY a "b">',
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return KnowledgeBase.create(tmp_path_factory.mktemp("entities") / "kb", ontology=False)


@pytest.mark.parametrize("declared", GROWING)
def test_entities_that_can_grow_are_refused(tmp_path: Path, base: KnowledgeBase, declared: str) -> None:
    (tmp_path / "x.rdf").write_text(TOP.format(declared) + BODY)
    with pytest.raises(FileError, match="wanted well-formed RDF"):
        base.load(tmp_path / "x.rdf")


def test_abbreviations_are_read(tmp_path: Path, base: KnowledgeBase) -> None:
    text = TOP.format('<!ENTITY owl "http://www.w3.org/2002/07/owl#"  >\n<!ENTITY a "short">') + BODY
    (tmp_path / "x.rdf.gz").write_bytes(gzip.compress(text.encode()))
    base.load(tmp_path / "x.rdf.gz")
    assert base.answer("SELECT ?o { <http://example.org/x> ?p ?o }").to_csv() == "o\r\nshort\r\n"


def test_relative_names_do_not_name_folders_of_this_machine(tmp_path: Path, base: KnowledgeBase) -> None:
    (tmp_path / "my world.ttl").write_text('<#cafe> <urn:p> "x" .')
    base.load(tmp_path / "my world.ttl")
    assert base.answer("SELECT ?s { ?s <urn:p> ?o }").to_csv() == "s\r\nfile:///my%20world.ttl#cafe\r\n"
