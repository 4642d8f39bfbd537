"""The pages of the ontology on the site: an index, and one page for each class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

import polars as pl

from sfumato.semantics.ontology.names import prefixed
from sfumato.semantics.ontology.terms import ontology_classes, ontology_properties
from sfumato.semantics.vocabulary import BQ

__all__ = ["class_pages", "index_table", "property_table"]


def class_pages() -> dict[str, tuple[str, str]]:
    """For each class of the ontology its title and the HTML of its page, by the name of the page."""
    classes = ontology_classes()
    properties = ontology_properties()
    own = classes.filter(pl.col("class").str.starts_with(BQ))
    children = _children(classes)
    return {
        f"ontology/{row['class'].removeprefix(BQ)}": (row["label"], _page(row, children, properties))
        for row in own.iter_rows(named=True)
    }


def index_table() -> str:
    """Every class of the ontology with a link to its page and its comment, as HTML."""
    own = ontology_classes().filter(pl.col("class").str.starts_with(BQ))
    rows = [
        (_link(row["class"], "ontology/"), escape(row["label"]), escape(row["comment"]))
        for row in own.iter_rows(named=True)
    ]
    return _table(("class", "label", "meaning"), rows)


def property_table() -> str:
    """Every property of the ontology with its domain and range, as HTML."""
    own = ontology_properties().filter(pl.col("property").str.starts_with(BQ))
    rows = [
        (
            f'<code id="{escape(row["name"].removeprefix("bq:"))}">{escape(row["name"])}</code>',
            escape(row["comment"]),
            _links(row["domain"], "ontology/"),
            _links(row["range"], "ontology/"),
            escape(", ".join(row["characteristics"])),
        )
        for row in own.iter_rows(named=True)
    ]
    return _table(("property", "meaning", "domain", "range", "characteristics"), rows)


def _children(classes: pl.DataFrame) -> dict[str, list[str]]:
    pairs = classes.select("class", parent="parents").explode("parent").drop_nulls()
    return dict(pairs.group_by("parent").agg(pl.col("class").sort()).rows())


def _page(row: dict[str, object], children: dict[str, list[str]], properties: pl.DataFrame) -> str:
    iri, name = str(row["class"]), str(row["name"])
    facts = [
        ("Name", f"<code>{escape(name)}</code>"),
        ("IRI", f"<code>{escape(iri)}</code>"),
        ("Label", escape(", ".join([str(row["label"]), *row["other_labels"]]))),  # type: ignore[misc]
        ("Subclass of", _links(row["parents"])),
        ("Subclasses", _links(children.get(iri, []))),
        ("Equivalent to", _links(row["equivalent"])),
        ("Has no instance in common with", _links(row["disjoint"])),
        ("Properties of it", _links(_with(properties, "domain", iri))),
        ("Properties with it as value", _links(_with(properties, "range", iri))),
        ("See also", _links(row["see_also"])),
    ]
    shown = [(f"<strong>{title}</strong>", text) for title, text in facts if text]
    heading = f"<h1>{escape(str(row['label']))}</h1>\n<p>{escape(str(row['comment']))}</p>\n"
    return f'{heading}{_table((), shown)}<p><a href="../ontology.html">All classes and properties</a></p>\n'


def _with(properties: pl.DataFrame, column: str, iri: str) -> list[str]:
    return properties.filter(pl.col(column).list.contains(iri))["property"].to_list()


def _links(iris: object, folder: str = "") -> str:
    return ", ".join(_link(iri, folder) for iri in iris)  # type: ignore[attr-defined]


def _link(iri: str, folder: str = "") -> str:
    """A short name; of a class of the ontology with a link to its page, of a property with a link to its row."""
    name = f"<code>{escape(prefixed(iri))}</code>"
    local = iri.removeprefix(BQ)
    if not iri.startswith(BQ):
        return name
    if iri in _property_names():
        return f'<a href="../ontology.html#{escape(local)}">{name}</a>'
    return f'<a href="{folder}{escape(local)}.html">{name}</a>'


@lru_cache(maxsize=1)
def _property_names() -> frozenset[str]:
    return frozenset(ontology_properties()["property"])


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    titles = "".join(f"<th>{title}</th>" for title in head)
    lines = [f"<thead><tr>{titles}</tr></thead>"] if head else []
    lines += ["<tbody>", *("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows), "</tbody>"]
    return '<div class="table-wrapper"><table class="docutils">\n' + "\n".join(lines) + "\n</table></div>\n"
