"""`sfumato worker`: run the jobs of a server."""

from __future__ import annotations

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]


@click.command("worker")
@json_option
def command(as_json: bool) -> None:
    """Run the jobs of a team's server until it is stopped.

    Start as many as there are jobs that should run at the same time, on any machine that shares SFUMATO_HOME and
    SFUMATO_DATABASE_URL.  A job whose worker is lost is taken over by another one.
    """
    import sys

    from sfumato.web.serving.supervising import run_worker
    from sfumato.web.serving.team import prepared_worker

    home = prepared_worker()
    if as_json:
        print_json({"home": str(home)})
    else:
        say(f"Waiting for jobs.  Private files: {home}.  Ctrl-C stops the worker; its job then waits for another one.")
    sys.stdout.flush()
    run_worker()
