"""The section "What was released": the kind of data, how many records, how they were changed, and which files."""

from __future__ import annotations

from sfumato.catalogue import METHODS, method_class
from sfumato.data import Mixed, Table
from sfumato.experiments.description import describe
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Grid, Paragraph

__all__ = ["KINDS", "about_release", "heading"]

KINDS = {
    "trajectories": "movements: for each record, the places that a person visited, in order",
    "roads": "drives: for each record, the roads that a vehicle used, in order",
    "transactions": "sets of items: for each record, the items of a person, such as purchases or diagnoses",
    "table": "a table: one row for each record",
    "mixed": "a table with sets of items: one row and a set of items for each record",
    "chunks": "sets of items in parts: the release does not say which parts belong to the same record",
}
NAMES = {
    "trajectories": "movements",
    "roads": "drives",
    "transactions": "sets of items",
    "table": "table",
    "mixed": "table with sets of items",
    "chunks": "sets of items in parts",
}
_CHANGES = {
    "suppressed": "original records removed",
    "added": "invented records added, which belong to no person",
    "split": "original records published in several parts",
}
_FIGURES = {
    "visits": "visits",
    "items": "items",
    "distinct_locations": "different labels of places",
    "distinct_items": "different items or labels",
    "generalized_labels": "labels that stand for several values",
    "mean_length": "mean length of a record",
    "longest": "longest record",
    "clusters": "clusters",
    "subrecords": "parts of records",
    "smallest_cluster": "records in the smallest cluster",
    "network_roads": "roads of the network",
    "roads_travelled": "roads that are used",
    "intervals": "time intervals",
}
_FILES = {
    "data": "the published records",
    "chunks": "the parts of the records",
    "clusters": "the sizes of the clusters",
    "members": "what each generalized label stands for",
}


def heading(facts: Facts) -> tuple[str, str]:
    """The title and the subtitle of a report on this release."""
    records = facts.certificate.records.get("published")
    many = "" if records is None else f"{records:,} published records"
    return f"Report on a release: {NAMES.get(facts.certificate.kind, facts.certificate.kind)}", many


def about_release(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    certificate = facts.certificate
    method = certificate.method
    by = f"the method {method!r}"
    if method in METHODS:
        declared = method_class(method)
        by = f"the method {declared.title} ({method}; {declared.paper})"
    kind = KINDS.get(certificate.kind, certificate.kind)
    blocks: list[Block] = [
        Paragraph(f"The release holds {kind}."),
        Paragraph(
            f"It was made by {by} with Sfumato {certificate.version}. The certificate carries no date: a release says "
            "nothing about when it was made."
        ),
    ]
    if facts.synthetic:
        blocks.append(
            Paragraph(
                "The published records are synthetic: they were drawn from noisy counts, and no record belongs to a "
                "person. Therefore the release does not say how many people are in the original data."
            )
        )
    blocks.append(_figures(facts))
    blocks += [grid for grid in (_parameters(facts), _columns(facts)) if grid is not None]
    blocks.append(_files(facts))
    return tuple(blocks)


def _figures(facts: Facts) -> Grid:
    rows = [("published records", _count(facts.certificate.records.get("published")))]
    rows += [
        (words, f"{facts.certificate.records[name]:,}")
        for name, words in _CHANGES.items()
        if facts.certificate.records.get(name) is not None
    ]
    if facts.data is not None:
        figures = describe(facts.data).figures
        rows += [
            (words, f"{figures[name]:,}")
            for name, words in _FIGURES.items()
            if isinstance(figures.get(name), int | float)
        ]
    return Grid("The release in figures", ("what", "figure"), tuple(rows), numbers=(1,))


def _parameters(facts: Facts) -> Grid | None:
    """The parameters of the method in a table of their own: they may be long texts, which must wrap."""
    rows = tuple((name, str(value)) for name, value in facts.certificate.parameters.items())
    return Grid("The parameters of the method", ("parameter", "value"), rows) if rows else None


def _count(number: int | None) -> str:
    return "not stated" if number is None else f"{number:,}"


def _columns(facts: Facts) -> Grid | None:
    data = facts.data
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        return None
    rows = [
        (summary.column, _ROLES[summary.role], f"{summary.distinct:,}", f"{summary.missing:,}")
        for summary in describe(table).columns or ()
    ]
    if isinstance(data, Mixed):
        rows.append((data.column, "a set of items", f"{len(data.items.names):,}", ""))
    head = ("column", "role", "different values", "missing")
    return Grid("The columns", head, tuple(rows), numbers=(2, 3))


_ROLES = {
    "quasi-identifier": "quasi-identifier: an attacker may know it",
    "sensitive": "sensitive: must not be inferred",
    "other": "other: published, and not assumed to be known",
}


def _files(facts: Facts) -> Grid:
    names = [*(facts.certificate.files or {}), "certificate.json"]
    rows = [(name, _FILES.get(name.partition(".")[0], _context(name))) for name in names]
    return Grid("The files", ("file", "what it holds"), tuple(rows), code=(0,))


def _context(name: str) -> str:
    if name == "certificate.json":
        return "the promise, what it does not cover, and a digest of every other file"
    return "what a check needs and an attacker is assumed to know" if name.startswith("context/") else "published data"
