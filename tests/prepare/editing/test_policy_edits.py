"""Edits of a policy, and their refusals."""

from __future__ import annotations

import pytest

from sfumato.data import Policy
from sfumato.errors import DataError
from sfumato.prepare.editing.policy_edits import edited_policy

GIVEN = Policy([["flu", "cough"], ["hiv"]])


def test_operations() -> None:
    changed = edited_policy(GIVEN, [("change", "1", "flu"), ("add", "b", "a"), ("remove", "2")])
    assert (changed.sets, GIVEN.sets) == ((("flu",), ("a", "b")), (("cough", "flu"), ("hiv",)))


def test_derived_constraints_are_edited_only_as_ones_own() -> None:
    derived = Policy([["a"]], rule="rare:1:2")
    with pytest.raises(DataError, match="edit 1: wanted constraints that were given, found those of the rule rare:1:2"):
        edited_policy(derived, [("add", "b")])
    own = edited_policy(derived, [("own",), ("add", "b")])
    assert (own.sets, own.private) == ((("a",), ("b",)), False)
    assert edited_policy(derived, []) is derived


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (("ad", "x"), "did you mean 'add'"),
        (("add",), "wanted add,ITEM"),
        (("change", "3", "x"), "from 1 to 2"),
        (("remove", "1", "x"), "wanted remove,NUMBER"),
    ],
)
def test_refusals(edit: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        edited_policy(GIVEN, [edit])
    with pytest.raises(DataError, match=r"found the rule that all sets|wanted an operation"):
        edited_policy(Policy(size=2), [edit])
