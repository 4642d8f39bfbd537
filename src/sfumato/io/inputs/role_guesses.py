"""Which columns of a table probably identify a person, may be known to an attacker, or are sensitive, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from sfumato.data.column_names import ALIASES

__all__ = ["ROLES", "RoleGuess", "guess_roles"]

ROLES = ("quasi-identifier", "sensitive", "person", "identifier", "items", "other")
"""identifier : names a person directly, such as a telephone number; it is not to be published at all."""

_SENSITIVE = (
    "disease diagnosis illness condition icd hiv cancer treatment medication drug therapy symptom salary income wage "
    "debt credit religion belief party vote sexual orientation crime offence offense conviction disability grade score "
    "mental pregnancy smoker alcohol genotype mutation outcome result"
)
_KNOWN = (
    "age sex gender birth born dob zip zipcode postcode postal city town region county state country nation "
    "nationality citizenship race ethnicity marital married education degree school job occupation profession "
    "employer workclass household children height weight admission discharge visit date year month day place address "
    "language"
)
_IDENTIFYING = "name surname firstname lastname email mail phone telephone mobile ssn passport iban account street"
_WORDS = {
    role: frozenset(words.split())
    for role, words in (("identifier", _IDENTIFYING), ("sensitive", _SENSITIVE), ("quasi-identifier", _KNOWN))
}
_REASONS = {
    "identifier": "its name says that it names the person",
    "sensitive": "its name says that it may be sensitive",
    "quasi-identifier": "its name says that others may know it",
}
_PERSONS = ("pid", "subject", "subjectid", "pseudonym", "participant", "participantid", "respondent")
_FEW_ROWS = 20  # below, that all values differ says nothing


@dataclass(frozen=True)
class RoleGuess:
    """A role of `ROLES`, and the reason in a few words."""

    role: str
    reason: str


def guess_roles(frame: pl.DataFrame) -> dict[str, RoleGuess]:
    """The likely role of each column of a table, by its name and by how many values differ.

    A column without any sign is a quasi-identifier: it is safer to assume that an attacker may know it.

    >>> rows = pl.DataFrame({"patient_id": ["a", "b"], "age": [30, 40], "Diagnosis": ["flu", "flu"]})
    >>> {column: guess.role for column, guess in guess_roles(rows).items()}
    {'patient_id': 'person', 'age': 'quasi-identifier', 'Diagnosis': 'sensitive'}
    """
    guesses = {column.name: _guess(column) for column in frame.iter_columns()}
    persons = [name for name, guess in guesses.items() if guess.role == "person"]
    for name in persons[1:]:
        guesses[name] = RoleGuess("identifier", "another column already holds the person")
    return guesses


def _guess(column: pl.Series) -> RoleGuess:
    words = [word for word in re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", column.name) if word]
    words = [word.lower() for word in words]
    joined = re.sub(r"[\W_]+", "", column.name).lower()
    if joined in (*ALIASES["person"], *_PERSONS):
        return RoleGuess("person", "its name says that it holds the person")
    if joined in ("items", "itemset", "codes", "diagnoses", "products") or isinstance(column.dtype, pl.List):
        return RoleGuess("items", "its name says that it holds a set of items")
    if words and words[-1] in ("set", "items", "itemset") and column.dtype == pl.String and _has_blanks(column):
        return RoleGuess("items", "its name says that it holds a set of items")
    for role, known in _WORDS.items():
        if known.intersection(words) or joined in known:
            return RoleGuess(role, _REASONS[role])
    if _names_rows(column, words):
        return RoleGuess("identifier", "every row has another value, so it numbers or names the rows")
    return RoleGuess("quasi-identifier", "nothing says that it is sensitive, so an attacker may know it")


def _has_blanks(column: pl.Series) -> bool:
    """Whether some texts are several words, as sets of items are."""
    return bool(column.str.contains(" ", literal=True).any())


def _names_rows(column: pl.Series, words: list[str]) -> bool:
    """Whether all values differ, in a column of codes or texts that is long enough to tell, or whose name says so."""
    if column.dtype.is_float() or column.dtype.is_temporal() or not len(column) or column.null_count():
        return False
    is_numbered = bool({"id", "nr", "number", "key", "index"}.intersection(words))
    return (is_numbered or len(column) >= _FEW_ROWS) and column.n_unique() == len(column)
