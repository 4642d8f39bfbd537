"""Options from lines and CSV files, with their groups."""

from __future__ import annotations

import pytest

from sfumato.web.studies.choice_lists.lines import Line, LinesRefused, read_groups, read_lines, require_tree


def test_lines_are_options_and_groups_follow_them() -> None:
    assert read_lines("\ufeffAttiko; Athens ;Greece\n\nLaiko;Athens;Greece\nAHEPA;Greece;Greece\n") == [
        Line("Attiko", ("Athens", "Greece")),
        Line("Laiko", ("Athens", "Greece")),
        Line("AHEPA", ("Greece",)),
    ]


def test_a_comma_separates_where_no_semicolon_does() -> None:
    assert read_lines('"Smith, J.",A\r\nb\r\nB,') == [Line("Smith, J.", ("A",)), Line("b", ())]


def test_nothing_is_no_options() -> None:
    assert read_lines(" \n;;\n") == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a;x\na;y", "line 2: wanted each option once"),
        ("a;x;y;x", "line 1: wanted each group once"),
        ("a;b;a", "line 1: wanted each group once"),
        ("a\n" + "x" * 201, "line 2: wanted texts of at most 200"),
        ("a;" + ";".join(map(str, range(11))), "at most 10 groups"),
        ("a\nb\x00", "line 2: wanted texts without control"),
        ("\n".join(map(str, range(20_001))), "at most 20000 options"),
    ],
)
def test_wrong_lines_have_a_sentence(content: str, sentence: str) -> None:
    with pytest.raises(LinesRefused, match=sentence):
        read_lines(content)


def test_a_group_lies_in_one_place() -> None:
    require_tree(read_lines("a;x;r\nb;x;r\nc;y;r\nd"))
    with pytest.raises(LinesRefused, match="“x” in one place, found it in “r” and in “s”"):
        require_tree(read_lines("a;x;r\nb;x;s"))
    with pytest.raises(LinesRefused, match="no other group"):
        require_tree(read_lines("a;x;r\nb;x"))
    with pytest.raises(LinesRefused, match="“x” as an option or as a group"):
        require_tree(read_lines("a;x;r\nx;r"))


def test_groups_of_one_option() -> None:
    assert read_groups(" Athens ; Greece;") == ("Athens", "Greece")
    assert read_groups("") == ()
