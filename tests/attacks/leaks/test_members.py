"""Members that no honest release lists."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from sfumato import AprioriAnon, Cluster, SeqAnon, Table, Taxonomy, Trajectories, Transactions
from sfumato.attacks import find_leaks

TREE = Taxonomy({"*": None, "x": "*", "y": "*", "a": "x", "b": "x", "c": "y", "d": "y"})
TABLE = Table({"town": [*"aabbccdd"], "age": [1, 2, 1, 2, 1, 2, 1, 2]})
RELEASES = {
    "table": Cluster(k=4).anonymize(TABLE),
    "hierarchy": Cluster(k=4).anonymize(Table(TABLE.frame, hierarchies={"town": TREE})),
    "items": AprioriAnon(k=3, m=2).anonymize(
        Transactions.from_lists(["ab", "ac", "bc", "d", "ad", "cd"], taxonomy=TREE)
    ),
    "walks": SeqAnon(k=3, m=2).anonymize(
        Trajectories.from_lists(
            ["ab", "ac", "bc", "da", "ad", "cd"], places={name: (at, 0) for at, name in enumerate("abcd")}
        )
    ),
}


def rewritten(folder: Path, row: str) -> None:
    path = folder / "members.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *sorted([*lines[1:], row])]) + "\n")
    certificate = json.loads((folder / "certificate.json").read_text())
    certificate["files"]["members.csv"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", RELEASES)
def test_honest_members_are_none(name: str, tmp_path: Path) -> None:
    out = RELEASES[name].write(tmp_path / "out")
    assert (out / "members.csv").is_file()
    assert find_leaks(out, RELEASES[name].original) == []


@pytest.mark.parametrize("name", RELEASES)
def test_one_member_more_is_noticed_with_the_original(name: str, tmp_path: Path) -> None:
    out = RELEASES[name].write(tmp_path / "out")
    attribute, label, _ = (out / "members.csv").read_text().splitlines()[1].split(",")
    rewritten(out, f"{attribute},{label},zzz")
    assert "labels" in {leak.check for leak in find_leaks(out, RELEASES[name].original)}


@pytest.mark.parametrize("name", ["table", "hierarchy"])
@pytest.mark.parametrize("row", ["person,g1,bob", "town,unused,a"])
def test_members_that_label_nothing_are_noticed_from_the_files(name: str, row: str, tmp_path: Path) -> None:
    out = RELEASES[name].write(tmp_path / "out")
    rewritten(out, row)
    assert "labels" in {leak.check for leak in find_leaks(out)}
