"""Shell completion: every name and every value that is one of a few is offered."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from sfumato.catalogue import ATTACKS, GENERATORS, MEASURES, METHODS, MODELS
from sfumato.cli import COMMANDS, cli


def offered(*words: str) -> list[str]:
    *before, incomplete = words
    shell = ShellComplete(cli, {}, "sfumato", "_SFUMATO_COMPLETE")
    return [item.value for item in shell.get_completions(before, incomplete)]


@pytest.mark.parametrize(("words", "expected"), [
    ([""], list(COMMANDS)),
    (["an"], ["anonymize"]),
    (["anonymize", ""], list(METHODS)),
    (["anonymize", "seq"], ["seqanon", "seqanon-f"]),
    (["generate", ""], list(GENERATORS)),
    (["methods", ""], list(METHODS)),
    (["methods", "--kind", "t"], ["trajectories", "transactions", "table"]),
    (["methods", "--promise", "k"], ["km", "klm", "k-anonymity", "kkm", "klm-diversity", "k-policy"]),
    (["measures", "pattern-"], ["pattern-count", "pattern-coverage", "pattern-distance"]),
    (["promises", ""], list(MODELS)),
    (["attacks", ""], list(ATTACKS)),
    (["glossary", "suppor"], ["Support"]),
    (["verify", "x.csv", "--model", "l"], ["l-diversity", "lm"]),
    (["advise", "x.csv", "--promise", "eps"], ["epsilon"]),
    (["advise", "x.csv", "--care", "ar"], ["are", "arel"]),
    (["audit", "x.csv", "--attack", "li"], ["linkage"]),
    (["evaluate", "x", "y", "--measure", ""], list(MEASURES)),
    (["anonymize", "seqanon", "x.csv", "--measure", "are:q"], ["are:queries="]),
    (["anonymize", "seqanon", "x.csv", "--measure", "are:queries=5,lar"], ["are:queries=5,largest="]),
    (["anonymize", "cast", "x.csv", "--distance", ""], ["hops", "leaves"]),
    (["anonymize", "cluster", "x.csv", "--allow-keys", ""], ["true", "false"]),
    (["anonymize", "zga", "x.csv", "--clusters", ""], ["auto"]),
    (["anonymize", "r-first", "x.csv", "--transaction", "c"], ["coat"]),
    (["anonymize", "seqanon", "x.csv", "--rep"], ["--report"]),
    (["prepare", "lim"], ["limit"]),
])  # fmt: skip
def test_names_and_values(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_every_option_with_few_values_offers_them() -> None:
    for name in METHODS.built_in:
        for parameter in METHODS.load(name).parameters():
            if parameter.choices or parameter.type is bool:
                flag = f"--{parameter.name.replace('_', '-')}"
                assert offered("anonymize", name, "x", flag, ""), f"{name} {flag}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documented_lines_print_a_script(shell: str) -> None:
    code = f"import os; os.environ['_SFUMATO_COMPLETE'] = '{shell}_source'; from sfumato.cli import main; main([])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "_SFUMATO_COMPLETE=" + f"{shell}_complete" in ran.stdout, ran.stderr


def test_no_line_of_a_command_list_is_cut() -> None:
    def groups(context: click.Context) -> list[click.Context]:
        below = [
            click.Context(context.command.get_command(context, name), info_name=name, parent=context)
            for name in context.command.list_commands(context)
        ]
        return [context, *(found for one in below if isinstance(one.command, click.Group) for found in groups(one))]

    for context in groups(click.Context(cli, info_name="sfumato", terminal_width=80)):
        text = context.get_help()
        assert "..." not in text.partition("Commands:")[2], context.command_path
