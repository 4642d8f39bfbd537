"""Weights as people write them."""

from __future__ import annotations

import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.utility.weights import label_weights, read_weights, shares


def test_names_and_numbers() -> None:
    assert read_weights("x", "") == {}
    assert read_weights("x", " a=0.5 ,b c=1, d=e=0,") == {"a": 0.5, "b c": 1.0, "d=e": 0.0}


@pytest.mark.parametrize("text", ["a", "=1", "a=", "a=x", "a=-1", "a=1.5", "a=nan"])
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match=r"^x: wanted weights as name=number, from 0 to 1"):
        read_weights("x", text)


def test_shares_of_columns() -> None:
    assert shares("x", {}, ["a", "b"]).tolist() == [0.5, 0.5]
    assert shares("x", {"a": 0}, ["a", "b"]).tolist() == [0, 1]
    assert shares("x", {}, []).tolist() == []
    with pytest.raises(DataError, match=r"^x: wanted weights of quasi-identifiers, found 'c'"):
        shares("x", {"c": 1}, ["a"])
    with pytest.raises(DataError, match=r"^x: wanted a weight above 0 for some column"):
        shares("x", {"a": 0}, ["a"])


def test_a_label_weighs_as_its_items_do_on_average() -> None:
    assert label_weights({"a": 0.5}, [("a", "b"), ("b",), ("a",)]).tolist() == [0.75, 1.0, 0.5]
