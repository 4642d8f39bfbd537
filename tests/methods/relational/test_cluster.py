"""CLUSTER: what is published, by hand; refusals.  Its groups are compared with their literal twin in test_grouping."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sfumato import Cluster, Local, Table, Taxonomy
from sfumato.data import Persons
from sfumato.errors import Infeasible, MissingKnowledge
from sfumato.methods.base import Run
from sfumato.methods.relational.local_recoding import LocalRecoding
from tabled import people

EITHER = pytest.mark.parametrize("method", [Cluster, Local])


def test_the_customers_of_the_paper() -> None:
    """Fig. 1b: Age, Origin and Gender of six customers in three groups of two, whatever the seeds."""
    origin = {"Any": None, "Europe": "Any", "Africa": "Any"}
    origin |= dict.fromkeys(("France", "Greece", "Germany", "Spain"), "Europe")
    origin |= dict.fromkeys(("Algeria", "Nigeria"), "Africa")
    customers = Table(
        {
            "Age": [19, 22, 28, 39, 70, 55],
            "Origin": ["France", "Greece", "Germany", "Spain", "Algeria", "Nigeria"],
            "Gender": ["Male", "Male", "Female", "Female", "Female", "Male"],
        },
        hierarchies={"Origin": Taxonomy(origin), "Gender": Taxonomy({"All": None, "Male": "All", "Female": "All"})},
    )
    for seed in range(5):
        release = Cluster(k=2).anonymize(customers, seed=seed)
        assert release.data.frame.rows() == [
            ("[19:22]", "Europe", "Male"),
            ("[19:22]", "Europe", "Male"),
            ("[28:39]", "Europe", "Female"),
            ("[28:39]", "Europe", "Female"),
            ("[55:70]", "Africa", "All"),
            ("[55:70]", "Africa", "All"),
        ]
        assert release.counts == {"suppressed_records": 0, "generalized_cells": 14, "groups": 3}
        assert release.data.members["Origin"]["Africa"] == ("Algeria", "Nigeria")


@EITHER
def test_ranges_are_as_tight_as_their_group_and_missing_values_are_told(method: type[LocalRecoding]) -> None:
    table = Table({"age": [20, 24, None, None, 61.5, 60.0]})
    release = method(k=2).anonymize(table, seed=1)
    assert release.data["age"].to_list() == [None, None, "[20:24]", "[20:24]", "[60:61.5]", "[60:61.5]"]
    assert release.data.members == {}
    mixed = method(k=3).anonymize(Table({"age": [20, 24, None]}), seed=1)
    assert mixed.data["age"].to_list() == ["*"] * 3
    assert mixed.data.members == {"age": {"*": ("[20:24]", "(missing)")}}
    assert mixed.holds


@EITHER
def test_equal_rows_keep_their_values_and_their_types(method: type[LocalRecoding]) -> None:
    table = Table({"age": [30, 30, 41, 41], "town": ["Rome", "Rome", None, None]})
    release = method(k=2).anonymize(table)
    assert release.data.frame.equals(table.frame.sort("age"))
    assert release.counts["generalized_cells"] == 0


@EITHER
def test_groups_with_equal_labels_are_one(method: type[LocalRecoding]) -> None:
    """Steps 9 to 11: six joiners make two groups of three under one label, whatever the seeds."""
    table = people([("joiner", "Rome", "f")] * 6 + [("poet", "Oslo", "m")] * 3)
    release = method(k=3).anonymize(table)
    assert release.counts["groups"] == 2
    assert release.verdicts[0][1].measured["groups"] == 2


@EITHER
def test_a_group_has_k_persons_not_k_rows(method: type[LocalRecoding]) -> None:
    who = Persons.of(["u", "u", "u", "v", "w", "x"])
    table = Table({"age": [30, 30, 30, 31, 52, 53]}, persons=who)
    release = method(k=2).anonymize(table, seed=3)
    assert release.data["age"].to_list() == ["[30:31]"] * 4 + ["[52:53]"] * 2
    assert release.holds


@EITHER
def test_l_brings_different_secrets_together(method: type[LocalRecoding]) -> None:
    ages, ill = [20, 21, 22, 23], ["flu", "flu", "hiv", "hiv"]
    table = Table({"age": ages, "ill": ill}, sensitive=("ill",))
    assert method(k=2).anonymize(table, seed=1).data["age"].to_list() == ["[20:21]"] * 2 + ["[22:23]"] * 2
    diverse = method(k=2, l=2).anonymize(table, seed=1)
    assert [model.name for model, _ in diverse.verdicts] == ["k-anonymity", "l-diversity"]
    assert diverse.holds
    assert {tuple(rows) for _, rows in _secrets(diverse).items()} == {("flu", "hiv")}


@EITHER
def test_t_makes_groups_like_the_whole_table(method: type[LocalRecoding]) -> None:
    table = Table({"age": [20, 21, 22, 23, 60, 61, 62, 63], "ill": ["a", "a", "b", "b"] * 2}, sensitive=("ill",))
    close = method(k=2, t=0.0).anonymize(table, seed=1)
    assert close.holds
    assert all(len(set(rows)) == 2 for rows in _secrets(close).values())
    assert close.counts["groups"] >= 2
    one = Table({"age": [20, 21, 22], "ill": ["a", "a", "b"]}, sensitive=("ill",))
    assert method(k=2, t=0.0).anonymize(one).data["age"].to_list() == ["[20:22]"] * 3


def _secrets(release: Any) -> dict[Any, list[str]]:
    grouped = release.data.frame.group_by("age").agg(pl.col("ill").sort())
    return dict(grouped.iter_rows())


@EITHER
def test_refusals(method: type[LocalRecoding]) -> None:
    table = Table({"age": [1, 2], "ill": ["flu", "flu"]}, sensitive=("ill",))
    with pytest.raises(Infeasible, match="k=3 needs at least 3 rows, these data have 2"):
        method(k=3).anonymize(table)
    with pytest.raises(
        Infeasible,
        match="l=2 is too large for these data",
    ):
        method(k=2, l=2).anonymize(table)
    with pytest.raises(MissingKnowledge, match="l and t are about sensitive columns"):
        method(k=2, t=0.2).anonymize(Table({"age": [1, 2]}))
    named = Table({"age": [1, 1, 2], "name": ["a", "b", "c"]}, quasi_identifiers=("age",))
    with pytest.raises(Infeasible, match="so it would identify every row"):
        method(k=2).anonymize(named)


def test_a_seed_repeats_and_another_one_differs() -> None:
    table = Table({"age": list(range(40))})
    one, two, other = (Cluster(k=3).anonymize(table, seed=seed).data.frame for seed in (1, 1, 2))
    assert one.equals(two)
    assert not one.equals(other)


def test_the_groups_can_be_had_without_a_release() -> None:
    method = Cluster(k=2)
    table = Table({"age": [30, 61, 31, 60]})
    group = method.groups(method.coding(table), Run(1))
    assert group.tolist() == [0, 1, 0, 1]
