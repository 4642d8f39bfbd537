"""Classes of a table and the sensitive values in them."""

from __future__ import annotations

import pytest

from sfumato import Table
from sfumato.data import Persons
from sfumato.errors import MissingKnowledge
from sfumato.privacy.checks.equivalence_classes import Classes, sensitive_columns


def test_a_person_counts_once_for_each_value_of_a_class() -> None:
    who = Persons.of(["u", "u", "v", "u"])
    table = Table({"age": [1, 1, 1, 2], "ill": ["a", "a", "a", "a"]}, sensitive=("ill",), persons=who)
    classes = Classes.of(table, "ill")
    assert classes.counts().tolist() == [[2], [1]]
    assert [part.tolist() for part in classes.pairs()] == [[0, 1], [0, 0], [2, 1]]


def test_classes_are_numbered_by_their_labels_missing_ones_first() -> None:
    table = Table({"town": ["b", None, "a", None], "pay": [1.5, None, 2.5, 0.5]}, sensitive=("pay",))
    classes = Classes.of(table, "pay")
    assert [classes.label(one) for one in range(len(classes))] == [{"town": None}, {"town": "a"}, {"town": "b"}]
    assert classes.counts().tolist() == [[1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]


def test_sensitive_columns_are_those_of_the_release_and_of_its_original() -> None:
    bare = Table({"age": [1], "ill": ["a"]}, quasi_identifiers=("age",))
    flagged = Table({"age": [1], "ill": ["a"], "gone": [2]}, sensitive=("ill", "gone"))
    assert sensitive_columns("me", bare, flagged) == ("ill",)
    with pytest.raises(MissingKnowledge, match=r"me: needs a sensitive column, these data name none; name what"):
        sensitive_columns("me", bare, None)
