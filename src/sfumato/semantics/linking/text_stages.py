"""Optional changes of texts before they are compared: cleaning, frequent words of a language, stems.

Each is small and needs no package, except stems, which come from snowballstemmer: rules for a dozen languages are not
worth writing again, and only texts in running language gain from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import polars as pl

from sfumato.errors import MissingExtra, ParameterError, did_you_mean
from sfumato.semantics.linking.similarity import plain

__all__ = ["LANGUAGES", "STAGES", "changed_column", "clean", "language_of"]

_NOISE = re.compile(r"https?://\S+|www\.\S+|(?<!\w)@\w+|&\w+;|\bRT\b")
# the most frequent words that carry no name, in plain letters
_FREQUENT = {
    "en": "the a an of in at on and to is i im my with for from this that it we was are",
    "pt": "o a os as de do da dos das em no na nos nas e com para por um uma eu meu minha que ao",
    "es": "el la los las de del en y con para por un una que al mi se lo es",
    "it": "il lo la i gli le di del dello della dei degli delle in nel nella e con per un una che al alla da dal",
    "fr": "le la les de du des en et avec pour par un une que au aux dans je mon ma est",
    "de": "der die das den dem des in im am und mit fur von zu ein eine einen ich mein auf ist",
}
LANGUAGES = {"en": "english", "pt": "portuguese", "es": "spanish", "it": "italian", "fr": "french", "de": "german"}
_WORDS = {name: frozenset(words.split()) for name, words in _FREQUENT.items()}


def clean(text: str) -> str:
    """The text without addresses of pages, names of users and marks of tags; words that are run together are split.

    >>> clean("RT @ana: at #PraiaDeIpanema https://t.co/x")
    ': at Praia De Ipanema'
    """
    text = re.sub(r"#(\w+)", lambda tag: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tag[1]), _NOISE.sub(" ", text))
    return " ".join(text.split())


def language_of(text: str) -> str | None:
    """The language whose frequent words occur most often in a text, or None; of equal ones, the first by name.

    >>> language_of("a praia do Rio"), language_of("the beach"), language_of("Lapa")
    ('pt', 'en', None)
    """
    words = plain(text).split()
    counts = {name: sum(word in frequent for word in words) for name, frequent in _WORDS.items()}
    best = max(counts.values())
    return min(name for name, count in counts.items() if count == best) if best else None


def _without_frequent_words(text: str) -> str:
    """Words of the text's language that carry no name are left out, unless nothing else is left."""
    frequent = _WORDS.get(language_of(text) or "", frozenset())
    words = [word for word in plain(text).split() if word not in frequent]
    return " ".join(words) or plain(text)


def _stemmed() -> Callable[[str], str]:
    try:
        import snowballstemmer
    except ModuleNotFoundError as absent:
        raise MissingExtra("snowballstemmer", "semantics") from absent
    stemmers = {name: snowballstemmer.stemmer(language) for name, language in LANGUAGES.items()}

    def stemmed(text: str) -> str:
        language = language_of(text)
        return " ".join(stemmers[language].stemWords(plain(text).split())) if language else text

    return stemmed


STAGES = {"clean": lambda: clean, "frequent-words": lambda: _without_frequent_words, "stem": _stemmed}


def changed_column(texts: pl.Series, stages: Iterable[str]) -> pl.Series:
    """Every text after some stages, in the order in which they are named, then in plain letters."""
    changes = []
    for name in stages:
        if name not in STAGES:
            raise ParameterError(f"link: no stage is called {name!r}; {did_you_mean(name, STAGES)}")
        changes.append(STAGES[name]())
    distinct = texts.unique().drop_nulls()
    values = distinct.to_list()
    for change in (*changes, plain):
        values = [change(text) for text in values]
    return texts.replace_strict(distinct, pl.Series(values, dtype=pl.String), default=None, return_dtype=pl.String)
