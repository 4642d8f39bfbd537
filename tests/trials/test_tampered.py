"""Directories that were tampered with are noticed, in small."""

from __future__ import annotations

from functools import cache

import pytest

from trials.changes import CHANGES, EXPECTED
from trials.tampered import BASES, Tampered, bases, tamper

ENOUGH = 2  # directories a change is made to


@cache
def some_bases() -> list[str]:
    return bases(0)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(change: str) -> None:
    made: list[Tampered] = []
    for case in some_bases():
        one = tamper(case, change)
        made += [] if one is None else [one]
        if len(made) == ENOUGH:
            break
    assert made, "no release can be changed like this"
    assert {one.case: one.found for one in made if one.found} == {}


def test_every_base_is_honest() -> None:
    assert len(some_bases()) == len(BASES)


def test_every_change_says_who_must_notice() -> None:
    assert set(EXPECTED) == set(CHANGES)
    assert len(CHANGES) > 70
