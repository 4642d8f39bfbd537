"""`sfumato prepare`: preparations of data before they are anonymized."""

from __future__ import annotations

import click

from sfumato.cli.shared.help_lines import WholeLines
from sfumato.errors import did_you_mean

__all__ = ["command"]

_STEPS = ("limit", "grid", "regions", "split", "stops", "slots")


class _Preparations(WholeLines):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_STEPS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name == "limit":
            from sfumato.cli.preparing.limit import limit

            return limit
        if name not in _STEPS:
            ctx.fail(f"no preparation is called {name!r}; {did_you_mean(name, _STEPS)}")
        from sfumato.cli.preparing.steps import step_command

        return step_command(name)


@click.group("prepare", cls=_Preparations, options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Prepare data before they are anonymized."""
