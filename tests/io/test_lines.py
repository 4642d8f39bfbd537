"""One record a line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Trajectories, Transactions
from sfumato.errors import DataError
from sfumato.io.lines import read_baskets, read_trajectories, write_lines

WORD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4).filter(lambda w: w.split() == [w])
RECORDS = st.lists(st.lists(WORD, max_size=4), min_size=1, max_size=6).filter(any)


@settings(max_examples=60, deadline=None)
@given(RECORDS, st.sampled_from(["v.txt", "v.dat", "v.txt.gz", "v.dat.gz"]))
def test_records_survive(records: list[list[str]], name: str) -> None:
    walks, sets = Trajectories.from_lists(records), Transactions.from_lists(records)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_lines(walks, path)
        assert read_trajectories(path).to_lists() == records
        assert read_trajectories(path).names == walks.names
        write_lines(sets, path)
        assert read_baskets(path).to_lists() == sets.to_lists()


def test_blanks_line_ends_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_bytes("\ufeff a  b\ta \r\n\r\nb\n\n".encode())
    walks = read_trajectories(path)
    assert walks.to_lists() == [["a", "b", "a"], [], ["b"], []]
    assert walks.ids is not None
    assert walks.ids.to_list() == [1, 2, 3, 4]
    assert read_baskets(path).to_lists() == [["a", "b"], [], ["b"], []]
    path.write_text("a b")
    assert read_trajectories(path).to_lists() == [["a", "b"]]


def test_numbers_stay_texts(tmp_path: Path) -> None:
    (tmp_path / "v.dat").write_text("007 7 10 9\n")
    assert read_baskets(tmp_path / "v.dat").names == ("007", "10", "7", "9")


@pytest.mark.parametrize("reader", [read_trajectories, read_baskets])
def test_a_file_that_cannot_be_used(refused, reader) -> None:
    assert refused("v.txt", "", reader) == "v.txt: the file is empty"
    assert refused("v.txt", "\n \n", reader) == "v.txt: the file is empty"
    assert refused("v.txt", b"zelda a\n\xff b\n", reader) == (
        "v.txt, line 2: wanted text in UTF-8, found something else"
    )


@pytest.mark.parametrize("name", ["Rome Termini", "", "\ttab", "new\nline", "next\u0085line", "nbsp\u00a0"])
def test_a_name_with_a_blank_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    path = tmp_path / "v.txt"
    with pytest.raises(DataError) as refusal:
        write_lines(Trajectories.from_lists([["a", name]]), path)
    assert str(refusal.value) == (
        f"{path}: wanted names without blanks, found a name with a blank; write a .csv instead"
    )
    assert list(tmp_path.iterdir()) == []
