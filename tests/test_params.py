"""One declaration: its check, the typed text, JSON and the documentation."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.params import Declared, Parameter, Value, param


@dataclass(frozen=True, kw_only=True)
class Base(Declared):
    """A base."""

    k: int = param(at_least=2, help="smallest crowd")


@dataclass(frozen=True, kw_only=True)
class Everything(Base):
    """One parameter of each sort.

    A description.

    Notes
    -----
    After the parameters.
    """

    share: float = param(0.5, above=0, at_most=1, help="a share")
    cap: float = param(0.0, at_least=0, below=1, help="a cap")
    limit: int | None = param(None, at_most=9, help="a limit")
    edge: float = param(1.0, below=2, help="an edge")
    loud: bool = param(False, help="whether to be loud")
    name: str = param("x", help="a name")
    linkage: str = param("average", choices=("average", "single"), help="how to join")
    groups: int | str = param("auto", at_least=1, or_word="auto", help="how many groups")
    plain = 7  # not a parameter


NAMES = ["k", "share", "cap", "limit", "edge", "loud", "name", "linkage", "groups"]


def parameter(name: str) -> Parameter:
    return next(one for one in Everything.parameters() if one.name == name)


def test_parameters_are_listed_in_order_base_classes_first() -> None:
    assert [one.name for one in Everything.parameters()] == NAMES
    assert [one.name for one in Everything.parameters() if one.required] == ["k"]
    assert parameter("limit").optional
    assert parameter("limit").type is int


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("k", "a whole number of at least 2"),
        ("share", "a number above 0 and at most 1"),
        ("cap", "a number of at least 0 and below 1"),
        ("limit", "a whole number of at most 9, or None"),
        ("edge", "a number below 2"),
        ("loud", "true or false"),
        ("name", "a text"),
        ("linkage", "one of 'average', 'single'"),
        ("groups", "a whole number of at least 1, or 'auto'"),
    ],
)
def test_what_is_wanted_in_words(name: str, words: str) -> None:
    assert parameter(name).wanted == words


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 1),
        ("k", 2.5),
        ("k", "5"),
        ("k", True),
        ("k", None),
        ("k", math.nan),
        ("k", math.inf),
        ("share", 0),
        ("share", 1.0001),
        ("share", math.nan),
        ("cap", 1),
        ("cap", -0.1),
        ("limit", 10),
        ("limit", "none"),
        ("edge", 2),
        ("edge", math.inf),
        ("edge", -math.inf),
        ("loud", 1),
        ("loud", "true"),
        ("name", 3),
        ("name", None),
        ("linkage", "complete"),
        ("groups", 0),
        ("groups", "five"),
        ("groups", None),
    ],
)
def test_a_value_outside_is_refused_with_one_sentence(name: str, value: Any) -> None:
    with pytest.raises(ParameterError) as refusal:
        Everything(**{"k": 2, name: value})
    assert str(refusal.value) == f"Everything: {name} must be {parameter(name).wanted}, got {value!r}"


def test_a_huge_value_is_refused_and_not_spelled_out() -> None:
    with pytest.raises(ParameterError) as refusal:
        Everything(k=2, share=10**400)
    assert str(refusal.value) == f"Everything: share must be {parameter('share').wanted}, got a larger one"
    with pytest.raises(ParameterError) as refusal:
        Everything(k=10**400)
    wanted = parameter("k").wanted
    assert str(refusal.value) == f"Everything: k must be {wanted} that fits into 64 bits, got a larger one"
    with pytest.raises(ParameterError) as refusal:
        Everything(k="9" * 5000)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("k", 2, 2),
        ("k", 3.0, 3),
        ("k", np.int64(7), 7),
        ("k", np.float32(7), 7),
        ("k", 2**60 + 1, 2**60 + 1),
        ("share", 1, 1.0),
        ("share", Fraction(1, 4), 0.25),
        ("share", np.float64(0.25), 0.25),
        ("cap", 0, 0.0),
        ("limit", None, None),
        ("limit", 9, 9),
        ("loud", True, True),
        ("linkage", "single", "single"),
        ("groups", "auto", "auto"),
        ("groups", 3.0, 3),
    ],
)
def test_a_value_inside_is_kept_in_its_declared_type(name: str, value: Any, kept: Any) -> None:
    found = getattr(Everything(**{"k": 2, name: value}), name)
    assert found == kept
    assert type(found) is type(kept)


def test_parameters_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Everything(k=2).k = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("k", "12", 12),
        ("share", "0.25", 0.25),
        ("share", "1e-3", 0.001),
        ("loud", "True", True),
        ("loud", "false", False),
        ("name", "12", "12"),
        ("linkage", "single", "single"),
    ],
)
def test_a_typed_text_is_understood(name: str, text: str, value: Any) -> None:
    found = parameter(name).parse("seqanon", text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text"), [("k", "five"), ("k", "2.0"), ("k", "1"), ("share", "nan"), ("loud", "yes"), ("linkage", "")]
)
def test_a_typed_text_that_is_none_is_refused(name: str, text: str) -> None:
    with pytest.raises(ParameterError, match=rf"^seqanon: {name} must be {parameter(name).wanted}, got "):
        parameter(name).parse("seqanon", text)


@given(
    k=st.integers(2, 2**63 - 1),
    share=st.floats(0, 1, exclude_min=True),
    limit=st.none() | st.integers(-(2**63) + 1, 9),
    loud=st.booleans(),
    name=st.text(),
)
def test_parameters_survive_json(**values: Any) -> None:
    one = Everything(**values)
    text = json.dumps(one.to_json())
    assert list(json.loads(text)) == NAMES
    assert Everything.from_json(json.loads(text)) == one


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"k": 2, "shares": 1}, "Everything: no parameter is called 'shares'; did you mean 'share'?"),
        ({"k": 2, "plain": 1}, "Everything: no parameter is called 'plain'; known are " + ", ".join(sorted(NAMES))),
        ({}, "Everything: k is required: a whole number of at least 2"),
        ({"k": 1}, "Everything: k must be a whole number of at least 2, got 1"),
    ],
)
def test_json_that_does_not_fit_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Everything.from_json(values)
    assert str(refusal.value) == sentence


def test_a_class_without_parameters() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Nothing(Declared):
        """No knobs."""

    assert Nothing.parameters() == ()
    assert Nothing().to_json() == {}
    assert Nothing.__doc__ == "No knobs."
    with pytest.raises(ParameterError, match=r"^Nothing: no parameter is called 'k'; it has none$"):
        Nothing.from_json({"k": 2})


def test_the_documentation_is_made_from_the_declaration() -> None:
    text = Everything.__doc__ or ""
    assert text.index("A description.") < text.index("Parameters\n----------") < text.index("Notes\n-----\nAfter")
    assert "k : a whole number of at least 2\n    Smallest crowd.\n" in text
    assert "share : a number above 0 and at most 1, default 0.5\n    A share.\n" in text
    assert "limit : a whole number of at most 9, or None, default None\n" in text
    assert "plain" not in text
    assert (Base.__doc__ or "").count("Parameters\n") == 1


def test_a_parameter_can_be_a_value_of_its_own() -> None:
    @dataclass(frozen=True)
    class Mark(Value):
        text: str

        @classmethod
        def wanted(cls) -> str:
            return "a mark"

        @classmethod
        def read(cls, value: Any) -> Mark | None:
            if value == "refused":
                raise ParameterError("Mark: not this one")
            return value if isinstance(value, cls) else cls(value) if isinstance(value, str) else None

        @classmethod
        def examples(cls) -> tuple[str, ...]:
            return ("x",)

        def to_json(self) -> str:
            return self.text

    mark = Parameter("mark", Mark, False, "x", "a mark", None, None, None, None, None, None)
    assert mark.wanted == "a mark"
    assert mark.check("Who", "y") == mark.parse("Who", "y") == Mark("y")
    with pytest.raises(ParameterError, match=r"^Who: mark must be a mark, got 3$"):
        mark.check("Who", 3)
    with pytest.raises(ParameterError, match=r"^Who: mark: Mark: not this one$"):
        mark.check("Who", "refused")
