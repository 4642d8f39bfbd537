"""What is verified is what was written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato import Local, Table, Trajectories, verify
from sfumato.errors import PromiseBroken
from sfumato.io.published import row_files
from sfumato.methods import read_back as written
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.read_back import same_data
from sfumato.privacy import PrivacyModel
from sfumato.privacy.t_closeness import TCloseness


@dataclass(frozen=True, kw_only=True)
class AsItIs(Method):
    """Publishes the table as it is and promises t-closeness."""

    name: ClassVar[str] = "as-it-is"
    title: ClassVar[str] = "as it is"
    kind: ClassVar[str] = "table"
    paper: ClassVar[str] = "none"
    promises: ClassVar[tuple[str, ...]] = ("t-closeness",)

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        return (TCloseness(t=0.2),)

    def transform(self, data: Any, run: Run) -> Outcome:  # noqa: ARG002
        return Outcome(data, np.arange(len(data)))


@pytest.mark.parametrize(
    "values",
    [
        [-0.0, 0.0, -0.0, 0.0],
        [math.nan, None, math.nan, None],
        ["", None, "", None],
        [-0.0, math.nan, 0.0, None],
    ],
)
def test_values_that_a_file_does_not_tell_apart_are_one(values: list[Any], tmp_path: Path) -> None:
    table = Table({"age": [1, 1, 2, 2], "ill": values}, quasi_identifiers=("age",), sensitive=("ill",))
    release = AsItIs().anonymize(table)
    assert release.holds
    out = release.write(tmp_path / "out")
    text = (out / "data.csv").read_text()
    assert "-0.0" not in text
    assert "NaN" not in text
    assert verify(out).verdicts[0][1].holds is True
    assert verify(out).verdicts[0][1].measured == release.verdicts[0][1].measured


def test_local_recoding_with_signed_zeros_keeps_t_in_its_own_file(tmp_path: Path) -> None:
    table = Table(
        {"age": [20, 21, 30, 31, 40, 41, 50, 51], "score": [-0.0, 1.0, 0.0, 1.0, -0.0, 1.0, math.nan, None]},
        quasi_identifiers=("age",),
        sensitive=("score",),
    )
    out = Local(k=2, t=0.5).anonymize(table).write(tmp_path / "out")
    assert verify(out, original=table).code == 0


def spelled_otherwise(monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str]) -> None:
    """Make the writer of rows write other texts."""

    def written(frame: pl.DataFrame, file: BinaryIO) -> None:
        file.write(change(frame.write_csv(include_header=False)).encode())

    monkeypatch.setattr(row_files, "csv_rows", written)


def test_files_that_do_not_keep_the_promise_do_not_appear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that spells one value in two ways is found out before anybody sees its files."""
    table = Table({"age": [1, 1, 2, 2], "ill": ["x", "y", "x", "y"]}, quasi_identifiers=("age",), sensitive=("ill",))
    release = AsItIs().anonymize(table)
    spelled_otherwise(monkeypatch, lambda text: text.replace("2,x", "2,X"))
    with pytest.raises(PromiseBroken, match="does not hold of the files as they were written"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_read_do_not_appear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = AsItIs().anonymize(Table({"age": [1, 1], "ill": ["x", "x"]}, sensitive=("ill",)))
    spelled_otherwise(monkeypatch, lambda text: text[:-2] + '"')
    with pytest.raises(PromiseBroken, match="nothing was published"):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_same_data_are_not_checked_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(written, "same_data", lambda *both: seen.append(same_data(*both)) or seen[-1])
    table = Table({"age": [1, 1, 2, 2], "ill": ["x", None, "x", None]}, quasi_identifiers=("age",), sensitive=("ill",))
    AsItIs().anonymize(table).write(tmp_path / "out")
    assert seen == [True]


def test_same_data_sees_every_difference() -> None:
    one = Trajectories.from_lists(["ab", "b"])
    assert same_data(one, Trajectories.from_lists(["ab", "b"]))
    assert not same_data(one, Trajectories.from_lists(["ab", "a"]))
    assert not same_data(one, Table({"a": [1]}))
    assert same_data(Table({"a": [1.5, None]}), Table({"a": ["1.5", None]}))
    assert not same_data(Table({"a": [1.5, None]}), Table({"a": ["1.5", "x"]}))
    assert not same_data(Table({"a": ["01"]}), Table({"a": ["1"]}))
