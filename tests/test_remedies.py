"""Remedies: every key has words and options, and a key survives on its way to the command line."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import click
import pytest

import sfumato
from sfumato.cli import cli
from sfumato.cli.shared.flags import FLAGS, with_flags
from sfumato.errors import CallerError, DataError, FileError, MissingKnowledge
from sfumato.remedies import REMEDIES, Sentence, keep_remedy, with_remedy

SOURCE = Path(sfumato.__file__).parent


def test_every_remedy_has_options_and_is_used() -> None:
    assert list(REMEDIES) == sorted(REMEDIES)
    assert list(FLAGS) == list(REMEDIES)
    texts = [path.read_text() for path in SOURCE.rglob("*.py") if path.name not in ("remedies.py", "flags.py")]
    for key in REMEDIES:
        assert any(f'"{key}"' in text for text in texts), key


def test_every_remedy_that_is_named_is_known() -> None:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named = [word.value for word in getattr(node, "keywords", ()) if word.arg == "remedy"]
            for value in named:
                if isinstance(value, ast.Constant) and value.value:
                    assert value.value in REMEDIES, f"{path.name}: {value.value}"


def test_the_options_exist() -> None:
    known = {flag for context in _commands(click.Context(cli, info_name="sfumato")) for flag in _flags(context)}
    for key, options in FLAGS.items():
        for flag in re.findall(r"--[a-z-]+", options):
            assert flag in known, f"{key}: {flag}"


def _commands(context: click.Context):
    for name in context.command.list_commands(context):
        below = click.Context(context.command.get_command(context, name), info_name=name, parent=context)
        yield below
        if isinstance(below.command, click.Group):
            yield from _commands(below)


def _flags(context: click.Context):
    return [flag for parameter in context.command.get_params(context) for flag in parameter.opts]


def test_an_error_carries_its_remedy() -> None:
    error = MissingKnowledge("me: needs a taxonomy, these data carry none", remedy="give-taxonomy")
    assert str(error) == "me: needs a taxonomy, these data carry none; give a taxonomy"
    assert error.remedy == "give-taxonomy"
    assert with_flags(error) == f"{error} (--taxonomy FILE)"
    plain = CallerError("something else")
    assert (plain.remedy, with_flags(plain)) == ("", "something else")
    file = FileError("a.csv", with_remedy("wanted x, found y", "name-columns", columns="x=y"), line=3)
    assert str(file) == "a.csv, line 3: wanted x, found y; say which column is which, such as x=y"
    assert with_flags(file) == f"{file} (--columns x=y)"
    with pytest.raises(KeyError):
        DataError("me", remedy="pray")


def test_a_remedy_survives_processes_and_other_sentences() -> None:
    sentence = with_remedy("me: says nothing of it", "measure-the-run", measure="are", end=".")
    again = pickle.loads(pickle.dumps(sentence))
    assert (again, again.remedy, again.details) == (sentence, "measure-the-run", {"measure": "are"})
    longer = keep_remedy(f"not measured: {again}", again)
    assert isinstance(longer, Sentence)
    assert with_flags(longer).endswith("; measure it while anonymizing (anonymize --measure are --report FILE).")
    assert type(keep_remedy("plain", "plain")) is str
