"""Tags, texts and names of places that people write in the synthetic city, with mistakes and unrelated words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.generate.coast.events import CityEvents
from sfumato.generate.coast.place_names import misspelled, plain
from sfumato.generate.coast.places import CITY, CityPlaces
from sfumato.generate.coast.vocabulary import KINDS

__all__ = ["Subjects", "draw_names", "draw_tags", "draw_texts"]

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_UNRELATED = (
    "love", "summer", "friends", "family", "photo", "canon", "travel", "sunset", "happy", "holiday", "cat", "music",
    "blue", "nofilter", "2024", "selfie", "birthday", "me", "amigos", "saudade", "foto", "rain", "night", "dog",
    "running", "book", "flowers", "vintage", "sky", "lol", "football", "urlaub", "sonne", "viagem", "chuva", "work",
)  # fmt: skip
_HOME_TAGS = ("home", "casa", "sofa", "zuhause")
_UNDER_WAY = ("bus", "street", "taxi", "rua")
_TEXTS = (  # Portuguese, English, German; the name of the place goes between the two halves
    (("Bom dia, ", "!"), ("Chegamos: ", "."), ("Que lugar lindo, ", "..."), ("De volta a ", " :)")),
    (("Good morning from ", "!"), ("Finally at ", "."), ("What a place, ", "..."), ("Back at ", " :)")),
    (("Guten Morgen aus ", "!"), ("Endlich da: ", "."), ("Wie schön, ", "..."), ("Wieder bei ", " :)")),
)
_LONGEST = 8


@dataclass(frozen=True)
class Subjects:
    """What each post is about: place (negative: home -2, under way -1), event (-1 for none), language of its author."""

    place: Ints
    event: Ints
    language: Ints

    def __len__(self) -> int:
        return len(self.place)


def draw_tags(
    subjects: Subjects, places: CityPlaces, events: CityEvents, misspelt: float, rng: np.random.Generator
) -> pl.Series:
    """The tags of each post, separated by semicolons; null for a post without tags."""
    counts = np.minimum(1 + rng.poisson(2.2, len(subjects)), _LONGEST) * (rng.random(len(subjects)) < 0.85)
    post = np.repeat(np.arange(len(subjects)), counts)
    words = _Words(places, events)
    tag = words.draw(subjects, post, rng)
    wrong = rng.random(len(tag)) < misspelt
    variant = np.where(wrong, 1 + rng.integers(3, size=len(tag)), 0)
    spelt = pl.Series([w if way == 0 else misspelled(w, way - 1) for w in words.texts for way in range(4)])
    table = pl.DataFrame({"post": post, "tag": spelt.gather(tag * 4 + variant)}).unique(maintain_order=True)
    joined = table.group_by("post", maintain_order=True).agg(pl.col("tag").str.join(";"))
    posts = pl.DataFrame({"post": np.arange(len(subjects))})
    return posts.join(joined, on="post", how="left", maintain_order="left")["tag"].rename("tags")


class _Words:
    """All words that are used as tags, in one list, and the choice of one for each tag."""

    def __init__(self, places: CityPlaces, events: CityEvents) -> None:
        self.texts: list[str] = []
        kinds = list(KINDS)
        self._kind = np.array([kinds.index(kind) for kind in places.kind])
        self._unrelated = self._add(_UNRELATED)
        self._city = self._add((plain(CITY).replace(" ", ""), plain(CITY), "litorania"))
        self._home = self._add(_HOME_TAGS)
        self._under_way = self._add(_UNDER_WAY)
        self._kinds = self._add(tag for kind in kinds for tag in KINDS[kind].tags[:4])
        self._places = self._add(plain(name) for names in places.names for name in names)
        self._events = self._add(plain(name) for names in events.names for name in names)

    def _add(self, words: Iterable[str]) -> int:
        """Append words and return the number of the first."""
        first = len(self.texts)
        self.texts.extend(words)
        return first

    def draw(self, subjects: Subjects, post: Ints, rng: np.random.Generator) -> Ints:
        """The number of a word for each tag of the posts: of the place, its kind, the city, an event, or unrelated."""
        place, event, language = subjects.place[post], subjects.event[post], subjects.language[post]
        spoken = np.where(rng.random(len(post)) < 0.6, language, rng.integers(2, size=len(post)))
        source = rng.random(len(post))
        of_four = rng.integers(4, size=len(post))
        popularity = np.arange(1, len(_UNRELATED) + 1) ** -0.8
        unrelated = self._unrelated + rng.choice(len(_UNRELATED), size=len(post), p=popularity / popularity.sum())
        here = np.maximum(place, 0)
        of_place = self._places + here * 3 + spoken
        of_kind = self._kinds + self._kind[here] * 4 + of_four
        is_at = place >= 0
        conditions = [
            (source < 0.12) & (event >= 0),
            (source < 0.4) & is_at,
            (source < 0.65) & is_at,
            (source < 0.5) & (place == -2),
            (source < 0.5) & (place == -1),
            source < 0.8,
        ]
        city = self._city + of_four % 3
        choices = [self._events + np.maximum(event, 0) * 3 + spoken, of_place, of_kind, self._home + of_four,
                   self._under_way + of_four, city]  # fmt: skip
        return np.select(conditions, choices, unrelated)


def draw_names(subjects: Subjects, places: CityPlaces, share: float, rng: np.random.Generator) -> pl.Series:
    """The name of the place, for a share of the posts at a place, as a location service adds it; null for the others.

    Of these names one in ten is misspelt, and one in ten is in English.
    """
    named = np.flatnonzero((subjects.place >= 0) & (rng.random(len(subjects)) < share))
    variants = pl.Series(
        [
            text
            for names in places.names
            for text in (names[0], names[1], *(misspelled(names[0], way) for way in (0, 2)))
        ]
    )
    draw = rng.random(len(named))
    variant = np.select([draw < 0.8, draw < 0.9, draw < 0.95], [0, 1, 2], 3)
    row = np.full(len(subjects), -1)
    row[named] = subjects.place[named] * 4 + variant
    return variants.gather(np.maximum(row, 0)).set(pl.Series(row < 0), None).rename("name")


def draw_texts(subjects: Subjects, places: CityPlaces, names: pl.Series, rng: np.random.Generator) -> pl.Series:
    """The text of each post: what a location service writes where there is a name, a sentence, or nothing."""
    of_four = rng.integers(4, size=len(subjects))
    halves = [text for texts in _TEXTS for text in texts]
    number = subjects.language * 4 + of_four
    before, after = (pl.Series([text[i] for text in halves]).gather(number) for i in range(2))
    own = pl.Series([names[language] for names in places.names for language in range(3)])
    name = own.gather(np.maximum(subjects.place, 0) * 3 + subjects.language)
    is_at = subjects.place >= 0
    name = name.set(pl.Series(~is_at), CITY)
    silent = rng.random(len(subjects)) < 0.35
    frame = pl.DataFrame({"before": before, "after": after, "own": name, "name": names, "silent": silent})
    service = pl.format(f"I'm at {{}} in {CITY}", pl.col("name"))
    sentence = pl.concat_str("before", "own", "after")
    text = pl.when(pl.col("name").is_not_null()).then(service).when(pl.col("silent")).then(None).otherwise(sentence)
    return frame.select(text.alias("text")).to_series()
