"""What the builder shows of a form: cards in parts, of which one is open where the form is long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sfumato.web.studies.forms.tree import Form, Question

__all__ = ["Card", "Part", "parts_of", "place_of"]

SHOWN_WHOLE = 100  # rows of a form that is shown without parts
_PART = 50  # rows of a part; a title begins a new part where this one has at least a third of them


@dataclass
class Card:
    """A question on the canvas.

    number : its place in the whole form, from 1, as the branching table numbers it.  place, siblings : among the
    questions beside it.  into : the group beside it, which can take it.  rest : the card shows the later questions
    of a group that began in an earlier part.  text, kind, privacy, conditions, problem, into_text : in words.
    """

    question: Question
    number: int
    group: Question | None
    place: int
    siblings: int
    into: Question | None = None
    rest: bool = False
    cards: list[Card] = field(default_factory=list)
    text: str = ""
    kind: str = ""
    privacy: str = ""
    conditions: list[tuple[str, str]] = field(default_factory=list)
    problem: str = ""
    into_text: str = ""


@dataclass
class Part:
    """Rows of a form that are shown or hidden together.

    first : the key of its first question.  title : the text of its first title or question.  low, high : numbers.
    """

    first: str
    title: str
    low: int
    high: int
    opened: bool
    cards: list[Card]


Row = tuple[int, Question, Question | None]


def parts_of(form: Form, chosen: str, language: str) -> list[Part]:
    """The parts of a form; the one with the chosen question is open, or the first.

    >>> questions = tuple(Question(f"q{number}", "string") for number in range(120))
    >>> [(part.low, part.high, part.opened) for part in parts_of(Form(("en",), questions), "q60", "en")]
    [(1, 50, False), (51, 100, True), (101, 120, False)]
    """
    rows = [(number, question, group) for number, (question, group) in enumerate(form.walk(), 1)]
    if not rows:
        return []
    pieces = _pieces(rows)
    opened = next((place for place, piece in enumerate(pieces) if any(row[1].key == chosen for row in piece)), 0)
    return [
        Part(
            piece[0][1].key,
            _title(piece).text(language),
            piece[0][0],
            piece[-1][0],
            place == opened,
            _cards(form, piece) if place == opened else [],
        )
        for place, piece in enumerate(pieces)
    ]


def place_of(form: Form, key: str) -> tuple[int, int]:
    """The place of a question among those beside it, from 1, and how many these are."""
    group = form.group_of(key)
    keys = [question.key for question in (group.questions if group else form.questions)]
    return keys.index(key) + 1, len(keys)


def _pieces(rows: list[Row]) -> list[list[Row]]:
    if len(rows) <= SHOWN_WHOLE:
        return [rows]
    pieces: list[list[Row]] = [[]]
    for row in rows:
        _number, question, group = row
        begins = group is None and question.type == "title" and len(pieces[-1]) >= _PART // 3
        if len(pieces[-1]) >= _PART or begins:
            pieces.append([])
        pieces[-1].append(row)
    return pieces


def _title(piece: Sequence[Row]) -> Question:
    return next((question for _number, question, _group in piece if question.type == "title"), piece[0][1])


def _cards(form: Form, piece: Sequence[Row]) -> list[Card]:
    places = {question.key: place for place, question in enumerate(form.questions)}
    cards: list[Card] = []
    for number, question, group in piece:
        if group is None:
            cards.append(_outer(form, number, question, places[question.key]))
            continue
        if not cards or cards[-1].question.key != group.key:
            cards.append(Card(group, number, None, places[group.key] + 1, len(form.questions), rest=True))
        keys = [inner.key for inner in group.questions]
        cards[-1].cards.append(Card(question, number, group, keys.index(question.key) + 1, len(keys)))
    return cards


def _outer(form: Form, number: int, question: Question, place: int) -> Card:
    beside = form.questions[max(place - 1, 0) : place] + form.questions[place + 1 : place + 2]
    groups = [other for other in beside if other.type == "group"] if question.type != "group" else []
    return Card(question, number, None, place + 1, len(form.questions), groups[0] if groups else None)
