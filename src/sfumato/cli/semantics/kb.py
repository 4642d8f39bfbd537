"""`sfumato kb`: a directory of linked data, loaded and asked; each sub-command is a module `kb_<name>`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click

from sfumato.cli.shared.help_lines import WholeLines
from sfumato.errors import did_you_mean

__all__ = ["SUBCOMMANDS", "command"]

_NAMES = ("load", "query", "facets", "check", "export", "taxonomy", "visits")
SUBCOMMANDS = tuple(name for name in _NAMES if find_spec(f"{__package__}.kb_{name}") is not None)


class _LazySubcommands(WholeLines):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in SUBCOMMANDS:
            return None
        command: click.Command = import_module(f"{__package__}.kb_{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in SUBCOMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command is called {args[0]!r}; {did_you_mean(args[0], SUBCOMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group("kb", cls=_LazySubcommands, options_metavar="", subcommand_metavar=f"{'|'.join(SUBCOMMANDS)} ...")
def command() -> None:
    """Load linked data, events and movements into a knowledge base, and query it.

    A knowledge base is a private directory.  It needs the extra `semantics`.
    """
