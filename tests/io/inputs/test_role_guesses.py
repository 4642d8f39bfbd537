"""Guesses of roles: by names first, then by how many values differ; each with its reason."""

from __future__ import annotations

import polars as pl
import pytest

from sfumato.io.inputs.role_guesses import ROLES, guess_roles

MANY = 40


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Age", "quasi-identifier"),
        ("dateOfBirth", "quasi-identifier"),
        ("zip_code", "quasi-identifier"),
        ("main diagnosis", "sensitive"),
        ("Salary", "sensitive"),
        ("userId", "person"),
        ("pid", "person"),
        ("e-mail", "identifier"),
        ("Surname", "identifier"),
        ("colour", "quasi-identifier"),
        ("items", "items"),
    ],
)
def test_a_name_says_the_role(name: str, role: str) -> None:
    guess = guess_roles(pl.DataFrame({name: ["a", "a"]}))[name]
    assert guess.role == role
    assert guess.reason


def test_a_column_that_numbers_the_rows_is_an_identifier() -> None:
    rows = pl.DataFrame(
        {"code": [f"c{n}" for n in range(MANY)], "weight_g": [n / 7 for n in range(MANY)], "serial_nr": range(MANY)}
    )
    guesses = guess_roles(rows)
    assert [guesses[name].role for name in rows.columns] == ["identifier", "quasi-identifier", "identifier"]
    assert guess_roles(rows.head(5))["code"].role == "quasi-identifier"


def test_there_is_one_person() -> None:
    guesses = guess_roles(pl.DataFrame({"user": ["a"], "patient": ["b"]}))
    assert [guess.role for guess in guesses.values()] == ["person", "identifier"]
    assert {guess.role for guess in guesses.values()} <= set(ROLES)


def test_a_set_has_texts_of_several_words() -> None:
    rows = pl.DataFrame({"ICD9_set": ["272 309", "401"], "test_set": ["train", "check"]})
    guesses = guess_roles(rows)
    assert [guesses[name].role for name in rows.columns] == ["items", "quasi-identifier"]
