"""Projection safety on published directories: owners travel in context/places.csv."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato import Places, Trajectories, verify
from sfumato.errors import PromiseBroken
from sfumato.methods.base import Method, Outcome, Run
from sfumato.privacy import PrivacyModel, ProjectionSafety

PLACES = Places.from_frame(
    {"location": list("abcdz"), "owner": ["A", "A", "B", None, "Zoe"], "x": [0] * 5, "y": [0] * 5}
)


@dataclass(frozen=True, kw_only=True)
class AsItIs(Method):
    """Publish the data unchanged, and promise that this is safe."""

    name: ClassVar[str] = "as-it-is"
    title: ClassVar[str] = "nothing"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "none"
    promises: ClassVar[tuple[str, ...]] = ("projection",)
    needs: ClassVar[tuple[str, ...]] = ("owners",)

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        return (ProjectionSafety(threshold=0.5),)

    def transform(self, data: Any, run: Run) -> Outcome:  # noqa: ARG002
        return Outcome(data, np.arange(len(data.codes)))


def walks(*rows: str, who: list[str] | None = None) -> Trajectories:
    return Trajectories.from_lists([list(row) for row in rows], persons=who, places=PLACES)


def test_owners_are_published_whole_and_nothing_else_of_the_places(tmp_path: Path) -> None:
    AsItIs().anonymize(walks("ac", "a", "c")).write(tmp_path / "out")
    context = pl.read_csv(tmp_path / "out" / "context" / "places.csv")
    assert context.columns == ["location", "owner"]
    assert context["location"].to_list() == list("abcdz"), "places that nobody visited, too"
    check = verify(tmp_path / "out")
    assert check.code == 3, "the method is not installed"
    assert check.problems == ()
    assert [verdict.holds for _, verdict in check.verdicts] == [True]
    assert check.verdicts[0][1].measured["worst_probability"] == 0.5


def test_what_the_certificate_does_not_cover() -> None:
    certificate = AsItIs().anonymize(walks("ac", "a", "c")).certificate()
    assert certificate.guarantees[0].parameters == {"threshold": 0.5, "collude": None}
    keys = {limit["key"] for limit in certificate.not_covered}
    assert keys >= {"elimination", "pooling-owners", "linked-pieces", "foreign-places", "persons-unknown"}


def test_an_unsafe_release_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(PromiseBroken, match="does not hold on this release, so it was not written"):
        AsItIs().anonymize(walks("ac", "a", "a")).write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_persons_are_checked_inside_the_run_and_with_the_original(tmp_path: Path) -> None:
    unsafe = walks("ac", "a", "c", who=["ann", "ann", "bob"])
    assert not AsItIs().anonymize(unsafe).holds
    safe = walks("ac", "a", "c", "c", who=["ann", "bob", "cy", "cy"])
    release = AsItIs().anonymize(safe)
    release.write(tmp_path / "out")
    assert verify(tmp_path / "out").verdicts[0][1].holds == "not checkable"
    assert verify(tmp_path / "out", original=safe).verdicts[0][1].holds is True
    assert verify(tmp_path / "out", original=unsafe).verdicts[0][1].holds == "not checkable"


def test_a_release_without_its_owners_is_not_believed(tmp_path: Path) -> None:
    AsItIs().anonymize(walks("ac", "a", "c")).write(tmp_path / "out")
    (tmp_path / "out" / "context" / "places.csv").unlink()
    check = verify(tmp_path / "out")
    assert not check.holds
    assert check.problems[0] == "context/places.csv is missing"
    assert check.verdicts == (), "what is not whole is not read"


def test_owners_that_were_altered_are_noticed(tmp_path: Path) -> None:
    AsItIs().anonymize(walks("ac", "a", "c")).write(tmp_path / "out")
    file = tmp_path / "out" / "context" / "places.csv"
    file.write_text(file.read_text().replace("b,A", "b,B").replace("a,A", "a,"))
    assert verify(tmp_path / "out").problems == (
        "context/places.csv was altered: its digest is not the one in the certificate",
    )
