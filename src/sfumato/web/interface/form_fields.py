"""A field of a form, as the template `interface/fields.html` shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Choice", "Field", "Nested", "shown"]


@dataclass(frozen=True)
class Choice:
    """An option of a select."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class Nested:
    """The parameters of a method that is the value of a parameter; shown while it is chosen."""

    value: str
    title: str
    chosen: bool
    fields: list[Field]


@dataclass(frozen=True)
class Field:
    """A field of a form.

    kind : slider, number, text, checkbox, select, word (a number or a word) or method.  name : what the browser sends.
    value : the text in the field.  low, high, step, ticks : of a number.  word, word_chosen : of a field with a word.
    """

    kind: str
    parameter: str
    name: str
    label: str
    hint: str
    value: str = ""
    required: bool = False
    error: str = ""
    low: str = ""
    high: str = ""
    step: str = "any"
    slider_low: str = ""
    slider_high: str = ""
    slider_step: str = "any"
    ticks: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    word: str = ""
    word_chosen: bool = False
    checked: bool = False
    parts: list[Nested] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The id of its element."""
        return f"field-{self.name}"


def shown(value: Any) -> str:
    """A JSON value as the text of a field.

    >>> shown(0.5), shown(3.0), shown(None), shown(True), shown([0, 600])
    ('0.5', '3', '', 'true', '0,600')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, list | tuple):
        return ",".join(map(shown, value))
    return str(value)
