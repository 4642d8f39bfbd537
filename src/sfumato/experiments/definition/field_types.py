"""Types of fields that are more than a number or a text: free tables and lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from sfumato.params import Value

__all__ = ["Fields", "Items", "Tables", "TextFields", "Texts", "Values", "WholeNumbers"]


class Fields(dict[str, Any], Value):
    """A table whose fields somebody else declares, such as the parameters of a method; it is never changed."""

    words: ClassVar[str] = "a table"

    @classmethod
    def wanted(cls) -> str:
        return cls.words

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ({},)

    @classmethod
    def read(cls, value: Any) -> Self | None:
        return cls(value) if isinstance(value, Mapping) and cls._allowed(value) else None

    @classmethod
    def _allowed(cls, value: Mapping[Any, Any]) -> bool:
        return all(isinstance(name, str) for name in value)

    def to_json(self) -> dict[str, Any]:
        return dict(self)

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(json.dumps(self, sort_keys=True, default=str))


class TextFields(Fields):
    """A table of texts."""

    words = "a table of texts"

    @classmethod
    def _allowed(cls, value: Mapping[Any, Any]) -> bool:
        return all(isinstance(text, str) for pair in value.items() for text in pair)


class Items(tuple[Any, ...], Value):
    """A list."""

    words: ClassVar[str] = "a list"

    @classmethod
    def wanted(cls) -> str:
        return cls.words

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()

    @classmethod
    def read(cls, value: Any) -> Self | None:
        return cls(value) if isinstance(value, list | tuple) and cls._allowed(value) else None

    @classmethod
    def _allowed(cls, values: list[Any] | tuple[Any, ...]) -> bool:  # noqa: ARG003
        return True

    def to_json(self) -> list[Any]:
        return list(self)


class Texts(Items):
    """A list of texts."""

    words = "a list of texts"

    @classmethod
    def _allowed(cls, values: list[Any] | tuple[Any, ...]) -> bool:
        return all(isinstance(value, str) for value in values)


class WholeNumbers(Items):
    """A list of whole numbers, such as seeds."""

    words = "a list of whole numbers of at least 0, and not empty"

    @classmethod
    def _allowed(cls, values: list[Any] | tuple[Any, ...]) -> bool:
        return bool(values) and all(type(value) is int and value >= 0 for value in values)


class Values(Items):
    """A list of values of one type, such as those of a varying parameter."""

    words = "a list of numbers, of texts or of true and false, and not empty"

    @classmethod
    def _allowed(cls, values: list[Any] | tuple[Any, ...]) -> bool:
        types = {type(value) for value in values}
        return types == {int, float} or (len(types) == 1 and types <= {int, float, str, bool})


class Tables(Items):
    """A list of tables; one table alone will do."""

    words = "a list of tables"

    @classmethod
    def read(cls, value: Any) -> Self | None:
        return cls((value,)) if isinstance(value, Mapping) else super().read(value)
