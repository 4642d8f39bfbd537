"""Words by which the text of a question shows what it asks for, and made-up values for such questions.

>>> topic_of("Patient name")
'name'
>>> topic_of("Received drugs")
'drug'
>>> topic_of("Anything else")
''
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["NUMBERS", "TEXTS", "YEARS", "topic_of"]

_SIGMA = str.maketrans("\N{GREEK SMALL LETTER FINAL SIGMA}", "\N{GREEK SMALL LETTER SIGMA}")

# topic: beginnings of words of English and Greek questions, without accents; the first topic that fits is taken
_TOPICS: dict[str, tuple[str, ...]] = {
    "number of a person": (
        "id", "identifier", "mrn", "amka", "ssn", "passport", "afm", "αμκα", "αφμ", "κωδικος ασθεν", "μητρωο",
        "patient code", "patient number", "patient id", "record number", "social security", "insurance number",
    ),
    "contact": ("phone", "telephone", "mobile", "email", "e-mail", "address", "τηλεφων", "κινητο", "διευθυνσ", "email"),
    "drug": ("drug", "medicine", "medication", "antibiotic", "treatment", "therapy", "φαρμακ", "αγωγη", "θεραπει"),
    "organism": ("organism", "microorganism", "bacteri", "pathogen", "μικροοργανισμ", "μικροβι", "παθογον"),
    "diagnosis": ("diagnos", "disease", "condition", "illness", "infection", "διαγνωσ", "νοσος", "παθησ", "λοιμωξ"),
    "test": ("hiv", "hepatitis", "result", "outcome", "mutation", "pregnan", "αποτελεσμα", "εκβαση", "εγκυ"),
    "habit": ("smok", "alcohol", "substance", "sexual", "religio", "income", "salary", "καπνι", "αλκοολ", "εισοδημα"),
    "age": ("age", "ηλικια"),
    "birth": ("birth", "born", "γεννησ"),
    "gender": ("gender", "sex", "φυλο"),
    "place": (
        "town", "city", "village", "region", "municipality", "country", "postcode", "postal", "zip", "residence",
        "hospital", "clinic", "πολη", "χωριο", "περιοχη", "δημος", "χωρα", "νομος", "κατοικι", "νοσοκομει", "κλινικ",
    ),
    "work": ("occupation", "profession", "job", "education", "επαγγελμα", "εκπαιδευσ"),
    "family": ("marital", "married", "children", "nationality", "ethnic", "οικογενειακ", "τεκνα", "υπηκοοτητα"),
    "date": ("admission", "admitted", "discharge", "hospitali", "εισαγωγ", "εξιτηρι", "νοσηλει"),
    "temperature": ("temperature", "fever", "θερμοκρασι", "πυρετ"),
    "weight": ("weight", "βαρος"),
    "height": ("height", "υψος"),
    "name": ("name", "surname", "forename", "initials", "ονομα", "επωνυμο", "ονοματεπωνυμο", "αρχικα"),
}  # fmt: skip

TEXTS: dict[str, tuple[str, ...]] = {
    "name": (
        "Anna Alpha", "Basil Beta", "Chris Gamma", "Dimitra Delta", "Eleni Epsilon", "Fotis Zeta", "Giorgos Eta",
        "Hara Theta", "Ioanna Iota", "Kostas Kappa", "Lina Lambda", "Maria Mu", "Nikos Nu", "Olga Xi", "Petros Omicron",
    ),
    "drug": (
        "amoxicillin", "meropenem", "ciprofloxacin", "vancomycin", "fluconazole", "ceftriaxone", "colistin",
        "gentamicin",
    ),
    "organism": ("Pseudomonas", "Candida", "Salmonella", "Klebsiella", "Escherichia", "Staphylococcus"),
    "diagnosis": (
        "pneumonia", "sepsis", "urinary tract infection", "influenza", "endocarditis", "meningitis", "cellulitis",
        "bronchitis", "gastroenteritis", "tuberculosis",
    ),
    "place": ("Athens", "Thessaloniki", "Patras", "Volos", "Larissa", "Heraklion", "Chania", "Kavala", "Ioannina"),
    "work": ("teacher", "nurse", "farmer", "clerk", "driver", "engineer", "retired", "student"),
    "": ("value A", "value B", "value C", "value D", "value E", "value F", "value G", "value H"),
}  # fmt: skip

# topic: least, greatest, of numbers without a range
NUMBERS: dict[str, tuple[int, int]] = {
    "age": (18, 95), "temperature": (35, 41), "weight": (45, 120), "height": (150, 200), "": (0, 100),
}  # fmt: skip

# topic: first and last year, of dates without a range
YEARS: dict[str, tuple[int, int]] = {"birth": (1930, 2006), "": (2024, 2025)}


_STEMS = {
    topic: tuple(f" {stem} " if len(stem) <= 3 else f" {stem}" for stem in (word.translate(_SIGMA) for word in words))
    for topic, words in _TOPICS.items()
}


@lru_cache(maxsize=20_000)
def topic_of(text: str) -> str:
    """What a question asks for, by the words of its text; "" if no word says it."""
    parts = unicodedata.normalize("NFD", text.casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part)).translate(_SIGMA)
    words = "".join(part if part.isalnum() or part == "-" else " " for part in plain).split()
    padded = f" {' '.join(words)} "
    return next((topic for topic, stems in _STEMS.items() if any(stem in padded for stem in stems)), "")
