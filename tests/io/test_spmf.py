"""The SPMF sequence format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Trajectories
from sfumato.errors import DataError
from sfumato.io.spmf import read_spmf, write_spmf

NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), min_size=1, max_size=4).filter(
    lambda name: name.strip() == name
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(NAME, max_size=4), min_size=1, max_size=6), st.sampled_from(["v.spmf", "v.spmf.gz"]))
def test_sequences_survive(records: list[list[str]], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_spmf(Trajectories.from_lists(records), Path(folder) / name)
        assert read_spmf(Path(folder) / name).to_lists() == records


def test_the_written_form(tmp_path: Path) -> None:
    write_spmf(Trajectories.from_lists([["home", "work", "home"], []]), tmp_path / "v.spmf")
    assert (tmp_path / "v.spmf").read_text() == (
        "@CONVERTED_FROM_TEXT\n@ITEM=1=home\n@ITEM=2=work\n1 -1 2 -1 1 -1 -2\n-2\n"
    )


def test_comments_blank_lines_and_names(tmp_path: Path) -> None:
    path = tmp_path / "v.spmf"
    path.write_text(
        "# made by hand\n@ITEM=1=a=b\n@ITEM=3=home\r\n\n%\n1 -1  3 -1 -2 \r\n007 -1 -2\n@ITEM=7=late\n7 -1 -2"
    )
    data = read_spmf(path)
    assert data.to_lists() == [["a=b", "home"], ["007"], ["late"]]
    assert data.ids is not None
    assert data.ids.to_list() == ["1", "2", "3"]


def test_two_items_of_one_name_are_one(tmp_path: Path) -> None:
    (tmp_path / "v.spmf").write_text("@ITEM=1=home\n@ITEM=2=home\n1 -1 2 -1 -2\n")
    data = read_spmf(tmp_path / "v.spmf")
    assert (data.names, data.to_lists()) == (("home",), [["home", "home"]])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "v.spmf: the file is empty"),
        ("@ITEM=1=zelda\n# 1 -1 -2\n", "v.spmf: wanted at least one sequence, found none"),
        (
            "1 -1 -2\n\n# x\n2 -1 zelda -1\n",
            "v.spmf, line 4: wanted a sequence as 1 -1 3 -1 -2, found the line cut off before its -2",
        ),
        ("1 -1 -2\n2 -1 3", "v.spmf, line 2: wanted a sequence as 1 -1 3 -1 -2, found the line cut off before its -2"),
        ("1 -1 x-2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found the line cut off before its -2"),
        ("1 2 -1 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        ("1 -1 2 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        ("1 -1 -1 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        ("-1 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        ("1 -1 -2 -1 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        ("1 -1 -2 2 -1 -2\n", "v.spmf, line 1: wanted a sequence as 1 -1 3 -1 -2, found not one item before each -1"),
        (b"1 -1 -2\n\xff -1 -2\n", "v.spmf, line 2: wanted text in UTF-8, found something else"),
    ],
)
def test_a_file_that_cannot_be_used(refused, content: str | bytes, sentence: str) -> None:
    assert refused("v.spmf", content, read_spmf) == sentence


@pytest.mark.parametrize("name", ["", " home", "home\n", "ho\nme", "ho\rme"])
def test_a_name_that_does_not_fit_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    path = tmp_path / "v.spmf"
    with pytest.raises(DataError) as refusal:
        write_spmf(Trajectories.from_lists([["a", name]]), path)
    assert str(refusal.value) == f"{path}: wanted names that fit on one line each, found another; write a .csv instead"
    assert list(tmp_path.iterdir()) == []
