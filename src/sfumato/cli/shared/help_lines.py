"""Groups of commands whose list shows every short help as a whole."""

from __future__ import annotations

import click

__all__ = ["WholeLines"]

_NO_LIMIT = 10_000


class WholeLines(click.Group):
    """A group that wraps the first sentence of each command instead of cutting it."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(_NO_LIMIT))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
