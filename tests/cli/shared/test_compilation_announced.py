"""A person who waits for a compilation is told so, once; nobody is told after the command has ended."""

from __future__ import annotations

import pytest

from sfumato.cli.shared.render import compilation_announced
from sfumato.kernels.compiling import BEFORE_COMPILING


def compile_something() -> None:
    for tell in list(BEFORE_COMPILING):
        tell()


def test_a_person_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with compilation_announced():
        compile_something()
        compile_something()
    assert capsys.readouterr().err == "compiling, once: the first run of a method takes some seconds longer\n"
    assert BEFORE_COMPILING == []


def test_nothing_is_left_after_a_command_that_compiled_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with pytest.raises(KeyError), compilation_announced():
        raise KeyError("a command that failed")
    compile_something()
    assert BEFORE_COMPILING == []
    assert capsys.readouterr().err == ""


def test_a_program_is_told_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with compilation_announced():
        assert BEFORE_COMPILING == []
        compile_something()
    assert capsys.readouterr().err == ""
