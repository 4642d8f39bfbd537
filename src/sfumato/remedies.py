"""What a caller can do about a refusal, in words that fit every front door.

A sentence that ends with a remedy carries the remedy's key.  The command line translates a key to its options; a web
form can translate it to a field.

>>> sentence = with_remedy("lm: needs to know which items are sensitive, these data name none", "name-sensitive")
>>> str(sentence)
'lm: needs to know which items are sensitive, these data name none; name what is sensitive'
>>> sentence.remedy
'name-sensitive'
"""

from __future__ import annotations

from typing import Any, Self

__all__ = ["REMEDIES", "Sentence", "keep_remedy", "with_remedy"]

REMEDIES = {
    "allow-keys": "leave it out, make it a quasi-identifier, or allow it",
    "allow-suppression": "allow it, lower k or widen the utility policy",
    "attack-two-releases": "give two",
    "choose-intervals": "choose other intervals",
    "choose-sheet": "name another sheet to read that one",
    "close-release": "put it back, or enter into the ledger where it lies or that it was never published",
    "equal-distance": "use the equal distance",
    "fewer-quasi-identifiers": "name fewer, flatten hierarchies, or take top-down",
    "fewer-records": "or keep fewer records of each person",
    "give-categories": "give places with a category, or a taxonomy",
    "give-constraints": "give utility constraints, with the columns location and constraint",
    "give-hierarchies": "give hierarchies",
    "give-network": "give the network of the roads",
    "give-original": "give the original to check it fully",
    "give-original-and-report": "give it, and the private report where records were suppressed or recoded locally",
    "give-owners": "give places with an owner column",
    "give-places": "give places, or lat and lon (or x and y) columns in the data",
    "give-places-file": "give places",
    "give-places-or-taxonomy": "give places, lat and lon (or x and y) columns in the data, or a taxonomy",
    "give-privacy-policy": "say which sets of items to protect",
    "give-report": "give the private report of the run",
    "give-sensitive-places": "give places with a sensitive column, or name them",
    "give-taxonomy": "give a taxonomy",
    "ignore-edge-labels": "ignore_edge_labels=True takes all alike",
    "keep-markers": "if it is a value, name other missing values or none",
    "largest-piece": "keep the largest",
    "leave-out-intervals": "give a time column, or leave out the intervals",
    "measure-the-run": "measure it while anonymizing",
    "move-release": "put it back, or enter into the ledger where it lies",
    "name-columns": "say which column is which, such as {columns}",
    "name-degrees": "if they are degrees, name them lon and lat",
    "name-missing": "correct it, or name what stands for a missing value",
    "name-other-columns": "if that is wrong, name the columns",
    "name-person-column": "name the column that identifies the person",
    "name-quasi-identifiers": "name the columns that an attacker may know, or all of them",
    "name-sensitive": "name what is sensitive",
    "name-visits": "if it is not a table, say which column is which, such as {columns}",
    "new-key": "make a new key",
    "override": "override=True writes it anyway",
    "read-as-the-run": "read them as the run did",
    "safe-chunks": "Disassociate with safe=True repairs this by partial suppression",
    "say-date-order": "say the order, or that they are texts",
    "split-jumps": "split_jumps=True begins a new trajectory there",
    "swap-coordinates": "if lat and lon are swapped, exchange the two columns",
}
"""The remedies by key, as the end of a sentence."""


class Sentence(str):
    """A sentence that ends with a remedy.

    remedy : the key of the remedy in `REMEDIES`.  details : what the remedy speaks of, such as the name of a measure.
    """

    remedy: str
    details: dict[str, str]

    def __new__(cls, text: str, remedy: str = "", details: dict[str, str] | None = None) -> Self:
        sentence = super().__new__(cls, text)
        sentence.remedy, sentence.details = remedy, details or {}
        return sentence


def with_remedy(problem: str, remedy: str, *, end: str = "", **details: Any) -> Sentence:
    """The problem followed by the words of a remedy; end : a full stop, where the sentence stands alone."""
    texts = {name: str(value) for name, value in details.items()}
    return Sentence(f"{problem}; {REMEDIES[remedy].format_map(texts)}{end}", remedy, texts)


def keep_remedy(text: str, source: object) -> str:
    """A text with the remedy of what it was made from: a sentence, or an error."""
    sentence = source.args[0] if isinstance(source, Exception) and source.args else source
    return Sentence(text, sentence.remedy, sentence.details) if isinstance(sentence, Sentence) else text
