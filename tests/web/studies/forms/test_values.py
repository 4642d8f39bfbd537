"""What may be typed, what is stored, and what a stored text stands for; with a slow reference implementation."""

from __future__ import annotations

import random
import unicodedata
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from sfumato.web.studies.forms.reading import reads_alike
from sfumato.web.studies.forms.tree import Choice, Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical, value_of

CHOICES = (Choice("f", {"en": "female"}), Choice("m", {"en": "male"}), Choice("fm", {"en": "both"}))


def stored(kind: str, typed: Any, **fields: Any) -> Any:
    """The stored text, or "refused"."""
    try:
        return canonical(Question("q", kind, **fields), typed, CHOICES)
    except AnswerRefused:
        return "refused"


def slowly(kind: str, typed: str) -> Any:
    """The stored text of a number, a date, yes or no, written from the description, character by character."""
    text = typed.strip()
    if not text:
        return None
    sign, digits = ("-", text[1:]) if text[0] == "-" else ("", text[1:] if text[0] == "+" else text)
    if kind == "yes_no":
        return text if text in ("yes", "no") else "refused"
    if kind == "date":
        return _slow_date(text)
    whole, _, rest = digits.replace(",", ".").partition(".")
    is_whole = all(character in "0123456789" for character in whole + rest) and whole + rest != ""
    if kind == "integer":
        if not is_whole or digits != whole or len(whole) > 18:
            return "refused"
        number = whole.lstrip("0") or "0"
        return "0" if number == "0" else sign + number
    if not is_whole or digits.count(".") + digits.count(",") > 1 or len(text) > 40:
        return "refused"
    number = (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")
    return number if set(number) <= {"0", "."} else sign + number


def _slow_date(text: str) -> str:
    for separator, order in (("/", (2, 1, 0)), (".", (2, 1, 0)), ("-", (0, 1, 2))):
        parts = text.split(separator)
        if len(parts) == 3 and all(part and set(part) <= set("0123456789") for part in parts):
            year, month, day = (parts[place] for place in order)
            if len(year) == 4 and len(month) <= 2 and len(day) <= 2:
                try:
                    return date(int(year), int(month), int(day)).isoformat()
                except ValueError:
                    return "refused"
    return "refused"


def test_random_texts_agree_with_the_reference() -> None:
    chance = random.Random(7)
    accepted = 0
    for _number in range(6000):
        kind = chance.choice(["integer", "decimal", "date", "yes_no"])
        text = "".join(
            chance.choices("0123456789.,-+/ e٣", weights=[3] * 10 + [2] * 5 + [1] * 3, k=chance.randint(0, 7))
        )
        if kind == "date" and chance.random() < 0.6:
            day = date.min + timedelta(days=chance.randrange(3_652_059))
            pattern = chance.choice(
                ["{d}/{m}/{y:04}", "{y:04}-{m:02}-{d:02}", "{d:02}.{m:02}.{y:04}", "{m}/{d}/{y:04}"]
            )
            text = pattern.format(d=day.day, m=day.month, y=day.year)
        expected = slowly(kind, text)
        result = stored(kind, text)
        assert result == expected, (kind, text)
        if result not in (None, "refused"):
            accepted += 1
            assert stored(kind, result) == result, "a stored text is stored as it is"
            assert value_of(Question("q", kind), result) is not None
    assert accepted > 1500


@pytest.mark.parametrize(
    ("kind", "typed", "expected"),
    [
        ("integer", " 012 ", "12"),
        ("integer", "-0", "0"),
        ("integer", "٣", "refused"),
        ("integer", "9" * 18, "9" * 18),
        ("integer", "9" * 19, "refused"),
        ("integer", "1e3", "refused"),
        ("integer", "1_000", "refused"),
        ("decimal", "1,5", "1.5"),
        ("decimal", "1.500", "1.500"),
        ("decimal", "1.500,5", "refused"),
        ("decimal", "-0,0", "0.0"),
        ("decimal", "NaN", "refused"),
        ("decimal", "1e999999", "refused"),
        ("decimal", "9" * 41, "refused"),
        ("date", "29/2/2020", "2020-02-29"),
        ("date", "29/2/2021", "refused"),
        ("date", "1.1.0001", "0001-01-01"),
        ("date", "9999-12-31", "9999-12-31"),
        ("date", "20200229", "refused"),
        ("date", "2020-W05-1", "refused"),
        ("string", "\u0391\u0301", "\u0386"),
        ("string", "a\x00b", "refused"),
        ("string", "\ud800", "refused"),
        ("string", "x" * 10_001, "refused"),
        ("string", "two\nlines", "two\nlines"),
        ("one", "f", "f"),
        ("one", ["f"], "f"),
        ("one", ["f", "m"], "refused"),
        ("one", "female", "refused"),
        ("many", ["m", "f", "m"], ["f", "m"]),
        ("many", "m", ["m"]),
        ("many", [], None),
        ("many", ["x"], "refused"),
        ("many", [1], "refused"),
        ("string", 5, "refused"),
        ("string", {"a": 1}, "refused"),
        ("calculated", "5", "refused"),
    ],
)
def test_typed_and_stored(kind: str, typed: Any, expected: Any) -> None:
    assert stored(kind, typed) == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("integer", "1.0"),
        ("integer", "٣"),
        ("decimal", "1,5"),
        ("decimal", "Infinity"),
        ("date", "20200101"),
        ("yes_no", "Yes"),
    ],
)
def test_a_text_of_another_type_has_no_value(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        value_of(Question("q", kind), text)


def test_bounds_hold_for_numbers_and_days() -> None:
    assert stored("integer", "5", low="5", high="5") == "5"
    assert stored("decimal", "5.01", high="5") == "refused"
    assert stored("date", "31/12/2019", low="2020-01-01") == "refused"


def test_wider_types_read_the_same_value() -> None:
    for text in ("5", "-3", "0"):
        assert value_of(Question("q", "integer"), text) == value_of(Question("q", "decimal"), text) == Decimal(text)
    for narrow, wide, text in (
        ("integer", "decimal", "5"),
        ("decimal", "string", "2.50"),
        ("date", "string", "2020-01-31"),
    ):
        assert reads_alike(Question("q", narrow), Question("q", wide), text)
    assert reads_alike(Question("q", "one"), Question("q", "many"), "f", CHOICES, CHOICES)
    assert reads_alike(Question("q", "many"), Question("q", "one"), ["f"], CHOICES, CHOICES)
    assert not reads_alike(Question("q", "many"), Question("q", "one"), ["f", "m"], CHOICES, CHOICES)
    assert not reads_alike(Question("q", "one"), Question("q", "string"), "f", CHOICES, ())


def test_texts_are_composed() -> None:
    word = "Νοσοκομείο"
    assert stored("string", unicodedata.normalize("NFD", word)) == unicodedata.normalize("NFC", word)
