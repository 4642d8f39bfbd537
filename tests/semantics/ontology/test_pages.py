"""The pages of the ontology: one for each class, whose links lead to pages and rows that exist."""

from __future__ import annotations

import re

import polars as pl

from sfumato.semantics.ontology.pages import class_pages, index_table, property_table
from sfumato.semantics.ontology.terms import ontology_classes, ontology_properties


def test_every_class_has_a_page_with_its_facts() -> None:
    pages = class_pages()
    own = ontology_classes().filter(pl.col("name").str.starts_with("bq:"))
    assert set(pages) == {f"ontology/{name.removeprefix('bq:')}" for name in own["name"]}
    title, stop = pages["ontology/Stop"]
    assert title == "stop"
    for fact in ("stays near its first position", "Episode.html", "Move.html", "bq:Stop"):
        assert fact in stop
    assert "lgdo:Restaurant" in pages["ontology/Restaurant"][1]  # a class of linked data below it
    assert "geo:Feature" in pages["ontology/Place"][1]
    assert "../ontology.html#father" in pages["ontology/MovementSegment"][1]


def test_links_lead_to_pages_and_rows_that_exist() -> None:
    pages = {name.removeprefix("ontology/") for name in class_pages()}
    rows = set(re.findall(r'id="(\w+)"', property_table()))
    assert len(rows) == ontology_properties().filter(pl.col("name").str.starts_with("bq:")).height
    for _, body in class_pages().values():
        assert set(re.findall(r'href="(\w+)\.html"', body)) <= pages
        assert set(re.findall(r"ontology\.html#(\w+)", body)) <= rows
    for table in (index_table(), property_table()):
        assert set(re.findall(r'href="ontology/(\w+)\.html"', table)) <= pages
    assert len(re.findall(r'href="ontology/\w+\.html"', index_table())) == len(pages)
