"""Missing-value markers: the usual ones in tables, named ones everywhere, none in what is published."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import sfumato
from sfumato import Table, Taxonomy, anonymize, verify
from sfumato.api.inputs import ReadingNote
from sfumato.errors import DataError
from sfumato.io import read
from sfumato.io.inputs.missing_markers import MARKERS
from sfumato.privacy import KAnonymity

PEOPLE = "age,town,job\n31,Graz,?\nNA,Linz,cook\n44,N/A,cook\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.csv"


def test_the_usual_markers_are_missing_and_noted(path: Path) -> None:
    path.write_text(PEOPLE)
    notes: list[str] = []
    assert read(path, notes=notes).to_polars().rows() == [
        (31, "Graz", None),
        (None, "Linz", "cook"),
        (44, None, "cook"),
    ]
    assert [note.removeprefix(f"{path}: ").partition(";")[0] for note in notes] == [
        "NA stands for a missing value in 1 cell, in age (1)",
        "N/A stands for a missing value in 1 cell, in town (1)",
        "? stands for a missing value in 1 cell, in job (1)",
    ]


@pytest.mark.parametrize("marker", [*MARKERS, ""])
def test_every_usual_marker(path: Path, marker: str) -> None:
    path.write_text(f"age,town\n31,Graz\n{marker},{marker}\n")
    assert read(path).to_polars().rows() == [(31, "Graz"), (None, None)]


def test_named_markers_replace_the_usual_ones(path: Path) -> None:
    path.write_text("age,town\n-99,NA\n31,none\n")
    assert read(path, missing=["-99", "none"]).to_polars().rows() == [(None, "NA"), (31, None)]
    assert read(path, missing=[]).to_polars().rows() == [(-99, "NA"), (31, "none")]


def test_namibia_is_a_value(path: Path) -> None:
    path.write_text("country,age\nNA,31\nAT,NA\nDE,4\n")
    notes: list[str] = []
    assert read(path, notes=notes).to_polars().rows() == [("NA", 31), ("AT", None), ("DE", 4)]
    assert "NA in the column 'country' is read as a value" in notes[0]
    assert read(path, missing=["NA"])["country"].to_list() == [None, "AT", "DE"]  # type: ignore[index]


def test_a_leaf_of_a_hierarchy_is_a_value(path: Path) -> None:
    path.write_text("job\n?\ncook\n")
    tree = Taxonomy({"*": None, "?": "*", "cook": "*"})
    assert read(path, hierarchies={"job": tree})["job"].to_list() == ["?", "cook"]  # type: ignore[index]


def test_named_markers_in_visits(path: Path) -> None:
    path.write_text("trajectory,location\n1,a\n1,NA\n")
    assert read(path).to_lists() == [["a", "NA"]]  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="line 3: wanted a location, found nothing"):
        read(path, missing=["NA"])


def test_frames_are_typed_by_their_owner() -> None:
    frame = pl.DataFrame({"age": [31.0, -99.0], "job": ["?", "cook"]})
    assert read(frame).to_polars().rows() == [(31.0, "?"), (-99.0, "cook")]
    assert read(frame, missing=["?", "-99"]).to_polars().rows() == [(31.0, None), (None, "cook")]
    with pytest.raises(DataError, match="wanted a list of texts"):
        read(frame, missing="NA")


def test_what_is_published_is_taken_as_it_is(path: Path, tmp_path: Path) -> None:
    """Two rows with a published label ? and two with nothing are two equivalence classes."""
    table = Table({"job": ["?", "?", "NA", "NA", None, None]})
    folder = anonymize(table, "incognito", k=2).write(tmp_path / "release")
    check = verify(folder)
    assert check.holds
    assert check.verdicts[0][1].measured["groups"] == 3
    path.write_text("job,n\n?,1\nNA,1\n,1\nNULL,1\n")
    found = verify(path, KAnonymity(k=2))
    assert found.verdicts[0][1].measured["groups"] == 4


def test_the_original_of_a_release_is_read_alike(path: Path, tmp_path: Path) -> None:
    path.write_text("age,job\n" + "31,cook\nNA,?\n" * 4)
    notes: list[str] = []
    folder = anonymize(sfumato.read(path, notes=notes), "incognito", k=2).write(tmp_path / "release")
    assert verify(folder, original=sfumato.read(path, notes=notes)).holds
    with pytest.warns(ReadingNote, match="stands for a missing value"):
        sfumato.read(path)
