"""Policies in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import Policy, read_policy
from sfumato.errors import DataError, FileError
from sfumato.io import write_policy


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.txt"])
def test_a_policy_survives_its_file(name: str, tmp_path: Path) -> None:
    policy = Policy([["flu", "cough"], ["hiv"]])
    write_policy(policy, tmp_path / name)
    assert read_policy(tmp_path / name) == policy


def test_a_rule_has_a_file_of_its_own_form(tmp_path: Path) -> None:
    write_policy(Policy(size=2), tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text() == "size\n2\n"
    assert read_policy(tmp_path / "p.csv") == Policy(size=2)
    with pytest.raises(DataError, match="wanted a list of constraints, found the size 2"):
        write_policy(Policy(size=2), tmp_path / "p.txt")


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("size\nmany\n")
    with pytest.raises(FileError, match=r"p.csv: wanted one size, a whole number of at least 1"):
        read_policy(tmp_path / "p.csv")
    (tmp_path / "q.csv").write_text("constraint,item\n1,a\n1,\n")
    with pytest.raises(FileError, match=r"q.csv, line 3: wanted an item"):
        read_policy(tmp_path / "q.csv")
    with pytest.raises(DataError, match="wanted names without blanks"):
        write_policy(Policy([["a b"]]), tmp_path / "p.txt")


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_private_constraints_keep_their_rule(name: str, tmp_path: Path) -> None:
    policy = Policy([["flu", "cough"], ["hiv"]], rule="rare:1:3")
    write_policy(policy, tmp_path / name)
    again = read_policy(tmp_path / name)
    assert (again, again.private, again.from_file) == (policy, True, True)
    with pytest.raises(DataError, match="which can say that the constraints are private"):
        write_policy(policy, tmp_path / "p.txt")
