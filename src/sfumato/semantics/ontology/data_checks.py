"""Checks of the data in a knowledge base against the definitions: one SPARQL query for each SHACL shape."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import polars as pl

from sfumato.semantics.ontology.terms import ontology_text

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["DataCheck", "check_data", "data_checks"]


@dataclass(frozen=True)
class DataCheck:
    """A rule that data satisfy, and the query that finds what breaks it.

    Attributes
    ----------
    name : str
        The name of the shape in `shapes.ttl`.
    severity : str
        violation, or warning where linked data are often incomplete.
    sentence : str
        The rule in words.
    query : str
        A SPARQL query whose column subject lists what breaks the rule.
    """

    name: str
    severity: str
    sentence: str
    query: str


def data_checks() -> list[DataCheck]:
    """Every check, in order of its name.

    >>> [check.name for check in data_checks() if check.severity == "warning"]
    ['event-time', 'monitoring-means', 'place-geometry']
    """
    folder = files("sfumato.semantics.ontology").joinpath("checks")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".rq"))
    return [_check(name) for name in names]


def check_data(kb: KnowledgeBase) -> pl.DataFrame:
    """What breaks a rule in a knowledge base; columns check, severity, sentence, subject; no rows if nothing does."""
    frames = [_broken(kb, check) for check in data_checks()]
    return pl.concat(frames).sort("check", "subject")


def _check(file: str) -> DataCheck:
    query = ontology_text(f"checks/{file}")
    severity, _, sentence = query.partition("\n")[0].removeprefix("# ").partition(": ")
    return DataCheck(file.removesuffix(".rq"), severity, sentence, query)


def _broken(kb: KnowledgeBase, check: DataCheck) -> pl.DataFrame:
    subjects = kb.answer(check.query).frame["subject"].cast(pl.String)
    facts = [pl.lit(value).alias(name) for name, value in _facts(check)]
    return subjects.to_frame().select(*facts, "subject")


def _facts(check: DataCheck) -> list[tuple[str, str]]:
    return [("check", check.name), ("severity", check.severity), ("sentence", check.sentence)]
