"""The group of commands about knowledge bases."""

from __future__ import annotations

from typing import Any

Run = Any


def test_the_group_lists_its_commands_and_names_an_unknown_one(run: Run) -> None:
    ran = run("kb", "--help")
    assert ran.code == 0
    assert "load   " in ran.out
    assert "query  " in ran.out
    assert run("kb", "qery").err == "sfumato: kb: no command is called 'qery'; did you mean 'query'?\n"
