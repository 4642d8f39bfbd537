"""Policies as CSV or Parquet (``constraint,item``, or ``size``), or as lines of items separated by blanks.

A column ``rule`` marks constraints that a rule computed from private data: they are never published.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Policy
from sfumato.data.frames import Source
from sfumato.errors import DataError
from sfumato.io.atomic_writes import write_text
from sfumato.io.files import read_lined_text, suffix_of
from sfumato.io.frames import read_frame, write_frame

__all__ = ["read_policy", "write_policy"]


def read_policy(path: str | Path) -> Policy:
    """Read a policy: `.csv` and `.parquet` files have columns, other files one constraint a line.

    Columns are `constraint` and `item`; or `size` alone, with one number, for all itemsets of up to that many items.
    """
    if suffix_of(path) in (".csv", ".tsv", ".parquet"):
        frame, source = read_frame(path)
        if frame.columns == ["size"]:
            return Policy(size=_size(frame["size"].to_list(), source), source=source)
        policy = Policy.from_frame(frame, source)
        return Policy(policy.sets, rule=_rule(frame, source), source=source) if "rule" in frame.columns else policy
    rows = [line.split() for line in read_lined_text(path).split("\n")]
    return Policy([row for row in rows if row], source=Source(str(path), file=True, first_line=1))


def _size(values: list[Any], source: Source) -> int:
    if len(values) != 1 or not str(values[0]).isdecimal() or int(values[0]) < 1:
        raise source.error("wanted one size, a whole number of at least 1, found something else")
    return int(values[0])


def _rule(frame: pl.DataFrame, source: Source) -> str:
    rules = frame["rule"].cast(pl.String).unique().to_list()
    if len(rules) != 1 or not rules[0]:
        raise source.error("wanted the same rule in every row, found several or none")
    return str(rules[0])


def write_policy(policy: Policy, path: str | Path) -> None:
    """The counterpart of `read_policy`; private constraints get the column ``rule``."""
    if suffix_of(path) in (".csv", ".parquet"):
        frame = policy.to_polars()
        write_frame(frame.with_columns(rule=pl.lit(policy.rule)) if policy.private else frame, path)
        return
    if policy.private:
        raise DataError(f"{path}: wanted a .csv or .parquet file, which can say that the constraints are private")
    if policy.size:
        raise DataError(f"{path}: wanted a list of constraints, found the size {policy.size}; write a .csv instead")
    blank = next((item for item in sorted(policy.items) if item.split() != [item]), None)
    if blank is not None:
        raise DataError(f"{path}: wanted names without blanks, found a name with a blank; write a .csv instead")
    write_text("\n".join(" ".join(constraint) for constraint in policy.sets) + "\n", path)
