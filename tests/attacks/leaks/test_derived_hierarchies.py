"""Hierarchies that a rule computed from private data: what a release shows of values that it does not publish."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sfumato
from sfumato import AprioriAnon, Cluster, DiffPart, Incognito, Table, Taxonomy, Transactions
from sfumato.attacks.leaks.search import find_leaks
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.errors import DataError, Infeasible
from sfumato.io import read_taxonomy, write_hierarchy
from sfumato.prepare.hierarchies import HierarchyRule
from sfumato.prepare.hierarchy_edits import edited

RULES = {
    "quantiles": HierarchyRule(rule="quantiles", intervals=6, fanout=2),
    "intervals": HierarchyRule(rule="intervals", intervals=6, fanout=2),
    "prefix": HierarchyRule(rule="prefix"),
    "frequency": HierarchyRule(rule="frequency", fanout=2),
}
METHODS = {
    "incognito": Incognito(k=3, suppression=0.3),
    "cluster": Cluster(k=3),
}


def people(seed: int, tmp_path: Path, rule: str) -> Table:
    """A table whose few outliers are likely to be suppressed, with hierarchies that were written and read again."""
    rng = np.random.default_rng(seed)
    ages = [*rng.integers(30, 40, 24).tolist(), *rng.integers(60, 99, 3).tolist()]
    zips = [f"{100 + int(value)}" for value in rng.integers(0, 5, 24)] + ["99999", "98", "77777"]
    table = Table({"age": ages, "zip": zips}, quasi_identifiers=("age", "zip"))
    trees = {}
    for column in table.quasi_identifiers:
        chosen = RULES[rule] if (rule in ("quantiles", "intervals")) == (column == "age") else HierarchyRule()
        write_hierarchy(chosen.of_column(table[column]), tmp_path / f"{column}.csv")
        trees[column] = read_taxonomy(tmp_path / f"{column}.csv")
        assert trees[column].rule
    return Table(table.frame, quasi_identifiers=table.quasi_identifiers, hierarchies=trees)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("method", METHODS)
def test_nothing_of_a_suppressed_value_is_published(rule: str, method: str, tmp_path: Path) -> None:
    seen = 0
    for seed in range(2):
        table = people(seed, tmp_path, rule)
        try:
            release = METHODS[method].anonymize(table)
        except Infeasible:
            continue
        out = tmp_path / f"{seed}"
        release.write(out)
        rows = np.arange(len(table)) if release.origin is None else np.unique(release.origin[release.origin >= 0])
        for column in table.quasi_identifiers:
            texts = texts_of(table[column])
            hidden = set(texts.to_list()) - set(texts.gather(rows).to_list())
            seen += len(hidden)
            assert not hidden & _tokens(out)
        assert not find_leaks(out, table, derived=True)
        assert not (out / "context" / "taxonomy.csv").exists()
        rules = json.loads((out / "certificate.json").read_text())["policy"]["hierarchies"]
        assert rules == "derived: " + ", ".join(table.hierarchies)
        assert sfumato.verify(out, original=table).holds
    assert seen or method != "incognito", "the data must make some runs suppress a value"


def _tokens(out: Path) -> set[str]:
    """Every number and text between marks in the files of a release."""
    text = (out / "data.csv").read_text() + (out / "members.csv").read_text()
    cells = {cell for row in csv.reader(text.splitlines()) for cell in row}
    return cells | {part for cell in cells for part in re.split(r"[\[\]:*]", cell)}


def test_the_bounds_of_private_intervals_are_named_after_published_numbers() -> None:
    table = Table({"age": [20, 21, 22, 23, 90]}, quasi_identifiers=("age",))
    tree = HierarchyRule(rule="quantiles", intervals=2).of_column(table["age"])
    assert tree.leaves_below("[23:90]") == ("23", "90")
    published = {}
    for name, known in (("private", tree), ("given", _given(tree))):
        coding = Coding.of(replace(table, hierarchies={"age": known}))
        nodes = coding.attributes[0].levels[1][coding.codes[:, :4]]
        published[name] = coding.published(nodes, np.arange(4))  # without the row of 90
    assert published["private"]["age"].to_list() == ["[20:22]"] * 3 + ["23"]
    assert published["private"].members == {"age": {"[20:22]": ("20", "21", "22")}}
    assert published["given"]["age"].to_list() == ["[20:22]"] * 3 + ["[23:90]"]
    assert published["given"].members["age"]["[23:90]"] == ("23", "90")


def test_an_edited_interval_is_named_after_its_smallest_and_largest_number() -> None:
    table = Table({"age": [20, 21, 22, 23, 90, None]}, quasi_identifiers=("age",))
    tree = HierarchyRule(rule="quantiles", intervals=2).of_column(table["age"])
    moved = edited(tree, [("move", "20", "[23:90]"), ("add", "unknown", "[23:90]")])
    coding = Coding.of(replace(table, hierarchies={"age": moved}))
    rows = np.array([0, 1, 2, 3, 5])
    nodes = coding.attributes[0].levels[1][coding.codes[:, rows]]
    assert coding.published(nodes, rows)["age"].to_list() == ["[20:23]", "[21:22]", "[21:22]", "[20:23]", None]


def _given(tree: Taxonomy) -> Taxonomy:
    """The same tree, as its owner would give it: public."""
    return Taxonomy({node: parent for node, parent, _ in tree.to_parents()})


def test_the_members_of_labels_come_by_name_and_not_by_frequency(tmp_path: Path) -> None:
    rows = [["b", "z"]] * 5 + [["z"]] * 4 + [["a"], ["y"], ["c", "a"], ["x", "z"]]
    baskets = Transactions.from_lists(rows)
    tree = HierarchyRule(rule="frequency", fanout=2).of_names(baskets)
    assert list(tree.leaves) != sorted(tree.leaves)
    private = Transactions.from_lists(rows, taxonomy=tree)
    release = AprioriAnon(k=3, m=2).anonymize(private)
    assert release.data.taxonomy is None
    assert release.data.members
    assert all(list(group) == sorted(group) for group in release.data.members.values())
    assert release.certificate().policy == {"taxonomy": "frequency:2"}
    release.write(tmp_path / "out")
    assert not (tmp_path / "out" / "context").exists()
    assert not find_leaks(tmp_path / "out", private, derived=True)
    assert sfumato.verify(tmp_path / "out", original=private).holds


def test_a_private_tree_is_no_vocabulary_of_a_differentially_private_release() -> None:
    rows = [["a", "b"], ["b"], ["c"]]
    tree = HierarchyRule().of_names(Transactions.from_lists(rows))
    with pytest.raises(DataError, match="computed from private data; its leaves disclose which items occur"):
        DiffPart(epsilon=1.0).anonymize(Transactions.from_lists(rows, taxonomy=tree))


def test_a_certificate_that_hides_something_in_a_rule_is_noticed(tmp_path: Path) -> None:
    table = Table({"age": [20, 20, 30, 30]}, quasi_identifiers=("age",))
    tree = HierarchyRule(rule="quantiles", intervals=2).of_column(table["age"])
    Incognito(k=2).anonymize(Table(table.frame, quasi_identifiers=("age",), hierarchies={"age": tree})).write(
        tmp_path / "a"
    )
    certificate = tmp_path / "a" / "certificate.json"
    certificate.write_text(certificate.read_text().replace("derived: age", "derived: age by ann, who is 30"))
    assert find_leaks(tmp_path / "a")
