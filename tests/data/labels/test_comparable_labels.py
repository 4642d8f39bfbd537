"""Releases of different hierarchies, read with one: the figures are those of their members, counted one by one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from sfumato import AprioriAnon, Cluster, Incognito, Taxonomy, Transactions
from sfumato.data import Mixed, Table, Trajectories
from sfumato.data.labels.comparable_labels import read_with
from sfumato.utility.base import PublishedOnly
from sfumato.utility.items import ItemCertaintyPenalty
from sfumato.utility.places.dissimilarity import SemanticPenalty
from sfumato.utility.places.taxonomy_distance import GeneralizationCost
from sfumato.utility.tables import Granularity, Ncp

AGES = [str(age) for age in range(20, 32)]


def grouped(leaves: list[str], size: int, extra: tuple[str, ...] = ()) -> Taxonomy:
    """Leaves in order, so many under a node; nodes of different trees have the same names."""
    parents: dict[str, str | None] = {"*": None}
    for place, leaf in enumerate((*leaves, *extra)):
        node = f"n{place // size}"
        parents |= {node: "*", leaf: node}
    return Taxonomy(parents)


def people(seed: int, *, texts: bool = False) -> Table:
    chance = Random(seed)
    ages = [chance.choice(AGES) for _ in range(30)]
    towns = [chance.choice(["Rome", "Oslo", "Bonn", "Bern", None]) for _ in ages]
    return Table({"age": ages if texts else [int(age) for age in ages], "town": towns})


def loss_by_hand(original: Table, published: Table, column: str, leaves: int) -> float:
    """NCP of a column, from the values that each label stands for."""
    values = {str(value) for value in original[column].drop_nulls().to_list()}
    cost = 0.0
    for label in published[column].to_list():
        stands_for = published.members.get(column, {}).get(label, (label,))
        known = [value for value in stands_for if value in values or value.startswith(("2", "3"))]
        cost += len(known) / leaves if len(stands_for) > 1 else 0.0
    return (cost + len(original) - len(published)) / len(original)


@pytest.mark.parametrize("method", [Incognito(k=3, suppression=0.2), Cluster(k=3)])
@pytest.mark.parametrize("seed", range(4))
def test_ncp_of_another_hierarchy_is_that_of_the_members(method: object, seed: int) -> None:
    table = replace(people(seed), quasi_identifiers=("age",))
    own = replace(table, hierarchies={"age": grouped(AGES, 3)})
    reference = replace(table, hierarchies={"age": grouped(AGES, 4)})
    release = method.anonymize(own, seed=seed)
    read = read_with(release.data, own, reference)
    assert Ncp()(reference, replace(release, data=read)).value == pytest.approx(
        loss_by_hand(table, release.data, "age", len(AGES))
    )
    assert set(read["age"].to_list()).isdisjoint({"n0", "n1", "n2", "*"} & set(release.data["age"].to_list()))
    same = read_with(release.data, own, own)
    assert same.frame.equals(release.data.frame)
    assert Ncp()(own, replace(release, data=same)).value == Ncp()(own, release).value


def test_a_hierarchy_and_none() -> None:
    """Labels of a hierarchy in a column of numbers, and ranges of numbers under a hierarchy; missing values too."""
    table = people(7)
    wider = grouped(AGES, 3, extra=tuple(str(age) for age in range(32, 50)))
    told = replace(table, hierarchies={"age": wider, "town": Taxonomy.balanced(["Bern", "Bonn", "Oslo", "Rome"], 2)})
    for own, reference in ((told, table), (table, told)):
        release = Incognito(k=3).anonymize(own)
        read = replace(release, data=read_with(release.data, own, reference))
        for measure in (Ncp(), Granularity()):
            assert 0 <= measure(reference, read).value <= 1
    one_label = Table({"age": ["*"] * 30, "town": table["town"]}, members={"age": {"*": wider.leaves}})
    read = read_with(one_label, told, table)
    assert Ncp(weights="town=0")(table, PublishedOnly(read)).value == pytest.approx(1.0)


def test_items_count_the_members_that_the_other_hierarchy_has() -> None:
    chance = Random(3)
    rows = [chance.sample("abcdef", 2) for _ in range(40)]
    own = Transactions.from_lists(rows, taxonomy=grouped(list("abcdefxyz"), 3))
    reference = replace(own, taxonomy=None)
    release = AprioriAnon(k=12, m=2).anonymize(own)
    read = read_with(release.data, own, reference)
    label_of = {item: label for label, group in release.data.members.items() for item in group}
    sizes = {item: len(set(release.data.members.get(label_of.get(item, ""), ())) & set("abcdef")) for item in "abcdef"}
    by_hand = sum(sizes[item] / 6 if sizes[item] > 1 else 0 for row in rows for item in row) / sum(map(len, rows))
    assert ItemCertaintyPenalty()(reference, replace(release, data=read)).value == pytest.approx(by_hand)
    mixed = Mixed(Table({"age": [30] * 40}), own)
    both = read_with(Mixed(Table({"age": ["30"] * 40}), release.data), mixed, replace(mixed, items=reference))
    assert both.items.members == read.members


def test_places_become_nodes_of_the_other_taxonomy() -> None:
    names = list("abcdefgh")
    own, other = grouped(names, 2), grouped(names, 4)
    walks = Trajectories.from_lists(["ab", "cd", "efg", "ha", "a"], taxonomy=own)
    published = replace(
        Trajectories.from_lists([["n0", "n0"], ["n1", "d"], ["*", "n2", "g"], ["h", "n0"], ["a"]]),
        members={node: own.leaves_below(node) for node in ("n0", "n1", "n2", "*")},
    )
    reference = replace(walks, taxonomy=other)
    read = read_with(published, walks, reference)
    assert read.to_lists() == [["n0", "n0"], ["n0", "d"], ["*", "n1", "g"], ["h", "n0"], ["a"]]
    assert SemanticPenalty()(reference, read).value == SemanticPenalty()(reference, published).value

    class Release:
        data, origin, method = read, walks.elements_of(range(5)), None

    climbed = [[1, 1], [1, 0], [2, 1, 0], [0, 1], [0]]  # of two steps
    by_hand = sum(sum(steps) / len(steps) for steps in climbed) / 2 / len(climbed)
    assert GeneralizationCost()(reference, Release()).value == pytest.approx(by_hand)
