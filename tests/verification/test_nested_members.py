"""Planted labels among the members of labels, and members that the original never had: no release with one verifies."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import (
    AprioriAnon,
    Coat,
    Incognito,
    Mixed,
    Pcta,
    Policy,
    RFirst,
    SeqAnon,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    verify,
)

POLICY = Policy([["flu", "hiv"]])
SHOP = Taxonomy({"*": None, "hot": "*", "ale": "hot", "tea": "hot", "food": "*", "bread": "food", "figs": "food"})
SICK = [["flu", "hiv"], ["hiv"], ["hiv"], ["flu"], ["flu"], ["flu", "hiv"]]
BASKETS = [["ale", "bread"], ["tea", "bread"], ["tea", "figs"], ["ale", "bread"]]

POLICED = Transactions.from_lists(SICK).with_policies(privacy=POLICY)
PEOPLE = Mixed.from_frame(
    pl.DataFrame({"age": [30, 30, 30, 30, 31, 31], "items": [" ".join(items) for items in SICK]}),
    quasi_identifiers=["age"],
)
POLICED_PEOPLE = PEOPLE.with_policies(POLICY)
SHOPPERS = Mixed.from_frame(
    pl.DataFrame({"age": [30, 30, 31, 31], "items": [" ".join(items) for items in BASKETS]}),
    quasi_identifiers=["age"],
    taxonomy=SHOP,
)
WALKS = Trajectories.from_lists(
    [["a", "c"], ["b", "c"], ["c"], ["c"]], places={name: (number, 0) for number, name in enumerate("abcd")}
)
TOWNS = Table(
    {"town": ["a", "b", "c", "d"]},
    hierarchies={"town": Taxonomy({"*": None, "x": "*", "y": "*", "a": "x", "b": "x", "c": "y", "d": "y"})},
)

# a release, its data.csv and its members.csv; each of the labels looks harmless if members are read one step deep
PLANTED: dict[str, tuple[Any, str, str]] = {
    "km": (
        AprioriAnon(k=2, m=2).anonymize(Transactions.from_lists(BASKETS, taxonomy=SHOP)),
        "record,item\n1,food\n1,zz\n2,food\n2,zz\n",
        "item,food,bread\nitem,food,figs\nitem,zz,ale\nitem,zz,food\n",
    ),
    "km of trajectories": (
        SeqAnon(k=2, m=2).anonymize(WALKS),
        "trajectory,step,location\n1,1,g1\n1,2,g2\n2,1,g1\n2,2,g2\n",
        "location,g1,a\nlocation,g1,g2\nlocation,g2,b\nlocation,g2,c\n",
    ),
    "policy": (
        Coat(k=2).anonymize(POLICED),
        "record,item\n1,flu\n2,flu\n3,flu\n3,g1\n4,g2\n5,g2\n",
        "item,g1,a2\nitem,g1,g2\nitem,g2,hiv\nitem,g2,z\n",
    ),
    "k-policy": (
        RFirst(k=2, m=0, transaction="coat", allow_keys=True).anonymize(POLICED_PEOPLE),
        "age,items\n30,flu\n30,flu\n30,flu g1\n30,g2\n30,g2\n",
        "items,g1,a2\nitems,g1,g2\nitems,g2,hiv\nitems,g2,z\n",
    ),
    "kkm": (
        RFirst(k=2, m=2, transaction="apriori", allow_keys=True).anonymize(SHOPPERS),
        "age,items\n30,food zz\n30,food zz\n",
        "items,food,bread\nitems,food,figs\nitems,zz,ale\nitems,zz,food\n",
    ),
    "k-anonymity": (
        Incognito(k=2, allow_keys=True).anonymize(TOWNS),
        "town\nx\nx\ny\ny\n",
        "town,x,a\ntown,x,y\ntown,y,c\ntown,y,d\n",
    ),
}


def planted(folder: Path, data: str | None, members: str) -> Path:
    """The directory with other data and members, and the digests and counts of these."""
    if data is not None:
        (folder / "data.csv").write_text(data)
    (folder / "members.csv").write_text("attribute,label,member\n" + members)
    certificate = json.loads((folder / "certificate.json").read_text())
    for name in ("data.csv", "members.csv"):
        certificate["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    if data is not None:
        rows = data.splitlines()[1:]
        tidy = data.startswith(("record,", "trajectory,"))
        certificate["records"]["published"] = len({row.partition(",")[0] for row in rows}) if tidy else len(rows)
    (folder / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    return folder


@pytest.mark.parametrize("with_original", [False, True])
@pytest.mark.parametrize("name", PLANTED)
def test_a_label_among_members_is_a_failure(name: str, with_original: bool, tmp_path: Path) -> None:
    release, data, members = PLANTED[name]
    original = release.original if with_original else None
    folder = release.write(tmp_path / "out").path
    assert verify(folder, original=original).code == 0
    check = verify(planted(folder, data, members), original=original)
    assert check.code == 1
    assert any("a label with members of its own, as a member of another label" in line for line in check.problems)


def test_the_planted_policy_is_broken_when_its_members_are_written_out(tmp_path: Path) -> None:
    release, data, _ = PLANTED["policy"]
    folder = release.write(tmp_path / "out").path
    check = verify(planted(folder, data, "item,g1,a2\nitem,g1,hiv\nitem,g1,z\nitem,g2,hiv\nitem,g2,z\n"))
    assert [verdict.holds for _, verdict in check.verdicts] == [False]


# ---- members that the original never had

RARE = [["flu", "hiv"], ["cough", "hiv"], ["flu"], ["cough"]]
TREE = Taxonomy({"*": None, **dict.fromkeys(["flu", "cough", "hiv", "gout"], "*")})
COUGHING = Policy([["cough", "hiv"], ["flu", "hiv"]])
ITEMS = Transactions.from_lists(RARE).with_policies(privacy=COUGHING)
ROWS = pl.DataFrame({"age": [30] * 4, "items": [" ".join(items) for items in RARE]})
COLUMN = Mixed.from_frame(ROWS, quasi_identifiers=["age"]).with_policies(COUGHING)
GROUPED: dict[str, Any] = {
    "coat": Coat(k=2).anonymize(ITEMS),
    "pcta": Pcta(k=2).anonymize(ITEMS),
    "coat with a hierarchy": Coat(k=2).anonymize(
        Transactions.from_lists(RARE, taxonomy=TREE).with_policies(privacy=COUGHING)
    ),
    "r-first": RFirst(k=2, m=0, transaction="coat").anonymize(COLUMN),
    "r-first with parameters of coat": RFirst(k=2, m=0, transaction={"method": "coat", "suppression": 0.5}).anonymize(
        COLUMN
    ),
}


@pytest.mark.parametrize("name", GROUPED)
def test_an_item_that_the_original_never_had_is_a_failure(name: str, tmp_path: Path) -> None:
    release = GROUPED[name]
    folder = release.write(tmp_path / "out").path
    assert verify(folder, original=release.original).code == 0
    rows = (folder / "members.csv").read_text().splitlines()[1:]
    rows = sorted([*rows, rows[0].rpartition(",")[0] + ",gout"])
    check = verify(planted(folder, None, "\n".join(rows) + "\n"), original=release.original)
    assert check.code == 1
    assert any("values that neither the original nor its hierarchy has" in line for line in check.problems)


def test_absent_leaves_under_a_node_of_a_given_hierarchy_are_none(tmp_path: Path) -> None:
    shop = Taxonomy({**{node: parent for node, parent, _ in SHOP.to_parents()}, "nuts": "food"})
    data = Transactions.from_lists(BASKETS, taxonomy=shop)
    release = AprioriAnon(k=2, m=2).anonymize(data)
    assert any("nuts" in group for group in release.data.members.values())
    folder = release.write(tmp_path / "out").path
    assert verify(folder, original=data).code == 0
    assert verify(folder, original=Transactions.from_lists(BASKETS)).code == 0
