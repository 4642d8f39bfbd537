"""Remedies in the words of the command line: the options that each key stands for."""

from __future__ import annotations

import shlex

from sfumato.errors import SfumatoError
from sfumato.remedies import Sentence

__all__ = ["FIELDS", "FLAGS", "with_flags"]

FLAGS = {
    "allow-keys": "--allow-keys true",
    "allow-suppression": "--transaction {transaction}",
    "attack-two-releases": "--against DIR, twice",
    "choose-intervals": "--interval",
    "choose-sheet": "--sheet NAME",
    "close-release": "sfumato ledger {ledger} --moved {number} DIR or --close {number}; or --override",
    "equal-distance": "--distance equal",
    "fewer-quasi-identifiers": "--quasi-identifiers COLUMNS",
    "fewer-records": "sfumato prepare limit --records-per-person N",
    "give-categories": "--places FILE or --taxonomy FILE",
    "give-constraints": "--constraints FILE",
    "give-hierarchies": "--hierarchies DIR",
    "give-network": "--network DIR, with nodes.csv and roads.csv",
    "give-original": "--original FILE",
    "give-original-and-report": "--original FILE --report FILE",
    "give-owners": "--places FILE",
    "give-places": "--places FILE",
    "give-places-file": "--places FILE",
    "give-places-or-taxonomy": "--places FILE or --taxonomy FILE",
    "give-privacy-policy": "--privacy-policy FILE, or all:2 for all sets of two items",
    "give-report": "--report FILE",
    "give-sensitive-places": "--places FILE or --sensitive NAMES",
    "give-taxonomy": "--taxonomy FILE",
    "ignore-edge-labels": "--ignore-edge-labels",
    "keep-markers": '--missing MARKERS, or --missing "" for none',
    "largest-piece": "--largest true",
    "leave-out-intervals": "--interval",
    "measure-the-run": "anonymize --measure {measure} --report FILE",
    "move-release": "sfumato ledger {ledger} --moved {number} DIR; or --override",
    "name-columns": "--columns {columns}",
    "name-degrees": "--columns {columns}",
    "name-missing": "--missing MARKER",
    "name-other-columns": "--columns {columns}, or --kind table",
    "name-person-column": "--person COLUMN",
    "name-quasi-identifiers": "--quasi-identifiers COLUMNS, or --quasi-identifiers all",
    "name-sensitive": "--sensitive NAMES",
    "name-visits": "--columns {columns}",
    "new-key": "sfumato sign --new-key FILE",
    "override": "--override",
    "read-as-the-run": "the same --person, --items, --columns, --missing and --dates as with anonymize",
    "safe-chunks": "--safe true",
    "say-date-order": "--dates day-first, month-first or text",
    "split-jumps": "--split-jumps",
    "swap-coordinates": "--columns {columns}",
}


FIELDS = {"say-date-order": 'dates = "day-first", "month-first" or "text" under [data]'}
"""Remedies in the words of a definition file, where it has another place for them."""


def with_flags(source: str | SfumatoError, *, in_definition: bool = False) -> str:
    """A sentence with the options of its remedy in brackets; one without a remedy as it is.

    in_definition : name the field of a definition file, where there is one.

    >>> from sfumato.remedies import with_remedy
    >>> with_flags(with_remedy("me: needs a taxonomy, these data carry none", "give-taxonomy"))
    'me: needs a taxonomy, these data carry none; give a taxonomy (--taxonomy FILE)'
    """
    sentence = source.args[0] if isinstance(source, SfumatoError) else source
    if not isinstance(sentence, Sentence):
        return str(sentence)
    details = {name: shlex.quote(text) if name == "columns" else text for name, text in sentence.details.items()}
    remedies = FLAGS | FIELDS if in_definition else FLAGS
    options = remedies[sentence.remedy].format_map(details)
    dot = "." if sentence.endswith(".") else ""
    return f"{sentence.removesuffix('.')} ({options}){dot}"
