"""`sfumato serve`: the workbench in a browser, for one person or for a team."""

from __future__ import annotations

import os
import sys

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]


@click.command("serve")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port; without it the first free one from 8787 on, 0 for any."
)
@click.option("--no-browser", is_flag=True, help="Print the link and do not open it.")
@click.option("--team", is_flag=True, help="Serve a team, with accounts; the environment has its settings.")
@click.option("--migrate", is_flag=True, help="With --team: bring the database to this version, and do not serve.")
@click.option("--bind", help="With --team: the address and port to listen on.  [default: 127.0.0.1:8000]")
@click.option("--processes", type=click.IntRange(1, 256), help="With --team: number of web processes.  [default: 2]")
@json_option
def command(
    port: int | None,
    no_browser: bool,
    team: bool,
    migrate: bool,
    bind: str | None,
    processes: int | None,
    as_json: bool,
) -> None:
    """Open the workbench in a browser.

    The server is for one person and for this machine only: it needs no account, no set-up and no network.  Its files
    are in the private folder SFUMATO_HOME.  The link that it prints signs in once.

    With --team it serves several people.  SFUMATO_HOME, SFUMATO_DATABASE_URL, SFUMATO_SECRET and SFUMATO_HOSTS are then
    required in the environment, and `sfumato worker` runs the jobs.
    """
    if not team:
        given = {"--migrate": migrate, "--bind": bind, "--processes": processes}
        if wrong := [name for name, value in given.items() if value]:
            raise click.UsageError(f"{wrong[0]} is for a team's server; add --team, or leave it out")
        _serve_person(port, no_browser, as_json)
    elif port is not None or no_browser:
        raise click.UsageError("--port and --no-browser are for one person's server; with --team use --bind")
    elif migrate:
        from sfumato.web.serving.team import migrate_team

        count = migrate_team()
        if as_json:
            print_json({"migrations": count})
        else:
            say(f"✓ the database has this version's tables; {count} migrations were made")
    else:
        _serve_team(bind or "127.0.0.1:8000", processes or 2, as_json)


def _serve_person(port: int | None, no_browser: bool, as_json: bool) -> None:
    from sfumato.web.serving.person import prepared

    server = prepared(port)
    if as_json:
        print_json({"link": server.link, "address": server.address, "home": str(server.home)})
    else:
        say(f"The workbench is at {server.link}")
        say(f"The link works once.  Private files: {server.home}.  Ctrl-C stops the server.")

    def open_link() -> None:
        import webbrowser

        webbrowser.open(server.link)

    server.run((lambda: None) if no_browser else open_link)
    if not as_json:
        say("stopped")
    sys.stdout.flush()
    os._exit(0)  # everything is closed; to unload the libraries would take longer than all the rest


def _serve_team(bind: str, processes: int, as_json: bool) -> None:
    from sfumato.web.serving.team import first_invitation, ready_team, serve_team

    home = ready_team()
    invitation = first_invitation()
    if as_json:
        print_json({"bind": bind, "home": str(home), "invitation": invitation})
    else:
        say(f"The workbench listens on {bind}.  Private files: {home}")
        if invitation is not None:
            say(f"There is no IT administrator yet.  This page makes one, once, within seven days: {invitation}")
    sys.stdout.flush()
    serve_team(bind, processes)
