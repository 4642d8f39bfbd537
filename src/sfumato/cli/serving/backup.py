"""`sfumato backup FILE`: the database and all files of a server in one private file."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def command(file: Path, as_json: bool) -> None:
    """Write the database and all files of the server to the new file FILE.

    The server may run meanwhile.  The environment names it.  FILE is private: it holds the
    data of all projects.  `sfumato restore FILE` reads it.
    """
    from sfumato.web.serving.backups import back_up
    from sfumato.web.serving.team import prepared_worker

    backup = back_up(prepared_worker(), file)
    if as_json:
        print_json({"file": str(file), "files": backup.files, "bytes": backup.size})
    else:
        say(f"✓ {backup.files:,} files, {backup.size:,} bytes, in {file}.  It is private: it holds all data.")
