"""The option --threads, and its number for libraries that read it while they are imported."""

from __future__ import annotations

import click

from sfumato.threads import use_threads

__all__ = ["choose_threads_of", "threads_option"]

_FLAG = "--threads"


def threads_option() -> click.Option:
    """How many threads a command uses."""
    return click.Option(
        [_FLAG],
        type=click.IntRange(min=1),
        expose_value=False,
        help="How many threads work at a time; the output is the same with any number [default: one for each core].",
    )


def choose_threads_of(context: click.Context, args: list[str]) -> None:
    """Use the threads that the arguments of a command name, before it imports anything that looks at their number.

    A wrong number, or an option that a command lacks, is refused where the arguments are parsed.
    """
    for at, word in enumerate(args):
        flag, _, value = word.partition("=")
        if flag == _FLAG:
            number = value or (args[at + 1] if at + 1 < len(args) else "")
            if number.isascii() and number.isdigit() and int(number) >= 1:
                context.with_resource(use_threads(int(number)))
