"""Invented names of places and events in Portuguese, English and German, and how people misspell them."""

from __future__ import annotations

import unicodedata

import numpy as np

__all__ = ["misspelled", "names_of", "plain"]

# Portuguese with its preposition, English, German
_WORDS = (
    ("da Garça", "Heron", "Reiher"), ("do Farol", "Lighthouse", "Leuchtturm"), ("da Lua", "Moon", "Mond"),
    ("do Vento", "Wind", "Wind"), ("da Maré", "Tide", "Gezeiten"), ("do Coral", "Coral", "Korallen"),
    ("da Âncora", "Anchor", "Anker"), ("do Cajueiro", "Cashew Tree", "Cashewbaum"), ("da Neblina", "Mist", "Nebel"),
    ("do Pescador", "Fisherman", "Fischer"), ("da Pérola", "Pearl", "Perlen"), ("do Tucano", "Toucan", "Tukan"),
    ("da Aurora", "Dawn", "Morgenröte"), ("do Trovão", "Thunder", "Donner"), ("da Baleia", "Whale", "Wal"),
    ("do Jacarandá", "Jacaranda", "Jacaranda"), ("da Concha", "Shell", "Muschel"), ("do Barro", "Clay", "Lehm"),
    ("da Ponte Velha", "Old Bridge", "Altbrücken"), ("do Sal", "Salt", "Salz"), ("da Onda", "Wave", "Wellen"),
    ("do Papagaio", "Parrot", "Papageien"), ("da Figueira", "Fig Tree", "Feigenbaum"), ("do Sino", "Bell", "Glocken"),
    ("da Rede", "Hammock", "Hängematten"), ("do Moinho", "Mill", "Mühlen"), ("da Fonte", "Spring", "Quellen"),
    ("do Caranguejo", "Crab", "Krabben"), ("da Estrela", "Star", "Stern"), ("do Cacto", "Cactus", "Kaktus"),
    ("da Viola", "Viola", "Bratschen"), ("do Mirante", "Lookout", "Aussichts"), ("da Canoa", "Canoe", "Kanu"),
    ("do Limoeiro", "Lemon Tree", "Zitronenbaum"), ("da Serra", "Ridge", "Kamm"), ("do Porto", "Harbour", "Hafen"),
    ("da Andorinha", "Swallow", "Schwalben"), ("do Pandeiro", "Tambourine", "Tamburin"), ("da Areia", "Sand", "Sand"),
    ("do Horizonte", "Horizon", "Horizont"),
)  # fmt: skip
_AND = {0: " e ", 1: " and ", 2: "-"}


def names_of(patterns: tuple[str, str, str], count: int, rng: np.random.Generator) -> list[tuple[str, str, str]]:
    """Different names for so many places of a kind: with one word each, then with two, then with a number."""
    singles = [_WORDS[index] for index in rng.permutation(len(_WORDS))]
    words = list(singles)
    for step in range(1, len(singles)):
        if len(words) >= count:
            break
        pairs = zip(singles, singles[step:] + singles[:step], strict=True)
        words += [tuple(_AND[i].join((a[i], b[i])) for i in range(3)) for a, b in pairs]  # type: ignore[misc]
    names = [tuple(patterns[i].replace("{}", word[i]) for i in range(3)) for word in words[:count]]
    extra = [
        tuple(f"{names[index % len(words)][i]} {2 + index // len(words)}" for i in range(3))
        for index in range(count - len(names))
    ]
    return names + extra  # type: ignore[return-value]


def plain(text: str) -> str:
    """A text in lower case without accents.

    >>> plain("Praia da Garça")
    'praia da garca'
    """
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def misspelled(word: str, way: int) -> str:
    """A word with two letters exchanged, one letter doubled or one left out, in the middle of it.

    >>> [misspelled("mercado", way) for way in range(3)]
    ['mecrado', 'merccado', 'merado']
    """
    middle = len(word) // 2
    if len(word) < 4:
        return word + word[-1:]
    if way == 0:
        return word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    if way == 1:
        return word[:middle] + word[middle] + word[middle:]
    return word[:middle] + word[middle + 1 :]
