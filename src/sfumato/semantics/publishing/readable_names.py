"""Readable and unique names for resources: labels where they are unique, with the end of the IRI where they are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from urllib.parse import unquote

import polars as pl

from sfumato.semantics.ontology.names import prefixed

__all__ = ["best_labels", "local_name", "unique_names"]


def local_name(iri: str) -> str:
    """The last part of an IRI, readable.

    >>> local_name("http://dbpedia.org/ontology/Hospital"), local_name("https://osm.org/wiki/Tag:amenity%3Dcafe")
    ('Hospital', 'Tag:amenity=cafe')
    """
    trimmed = iri.rstrip("/#")
    return unquote(max(trimmed.rpartition("#")[2], trimmed.rpartition("/")[2], key=lambda part: -len(part))) or iri


def best_labels(labels: pl.DataFrame) -> dict[str, str]:
    """One label of each resource: without a language, else English, else of the first language; ties by text.

    labels : resource, label, language.  The sign of time slots, ``@``, becomes the word at.
    """
    rank = pl.col("language").fill_null("").replace_strict({"": 0, "en": 1}, default=2)
    cleaned = pl.col("label").str.replace_all("@", " at ").str.replace_all(r"\s+", " ").str.strip_chars()
    rows = labels.with_columns(cleaned.alias("label"), rank.alias("rank")).filter(pl.col("label") != "")
    first = rows.sort("resource", "rank", "language", "label", nulls_last=False).unique("resource", keep="first")
    return dict(first.select("resource", "label").rows())


def unique_names(resources: Iterable[str], labels: dict[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """The name of each resource: its label, or the end of its IRI; where several share it, both; else with the IRI.

    The names depend on all resources, not on their order.  taken : names that are used already.

    >>> unique_names(["ex/1", "ex/2", "ex/3"], {"ex/1": "Bar", "ex/2": "Bar", "ex/3": "Inn"})
    {'ex/1': 'Bar (1)', 'ex/2': 'Bar (2)', 'ex/3': 'Inn'}
    """
    resources, used = sorted(set(resources)), set(taken)
    ends = {iri: local_name(iri).replace("@", " at ") for iri in resources}
    forms = [
        {iri: labels.get(iri, ends[iri]) for iri in resources},
        {iri: f"{labels[iri]} ({ends[iri]})" if iri in labels else iri.replace("@", " at ") for iri in resources},
        {iri: f"{labels.get(iri, ends[iri])} ({prefixed(iri)})" for iri in resources},
    ]
    names: dict[str, str] = {}
    left = resources
    for form in forms:
        counts = Counter(form[iri] for iri in left)
        names |= {iri: form[iri] for iri in left if counts[form[iri]] == 1 and form[iri] not in used}
        left = [iri for iri in left if iri not in names]
        used |= set(names.values())
    return {iri: names.get(iri, f"<{iri}>") for iri in resources}
