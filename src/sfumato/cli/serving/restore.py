"""`sfumato restore FILE`: a server from its backup, into nothing."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def command(file: Path, as_json: bool) -> None:
    """Restore the server that `sfumato backup` wrote to FILE.

    The private folder and the database that the environment names must be empty.  Every file is checked against its
    digest before anything is restored.
    """
    from sfumato.web.serving.backups import restore
    from sfumato.web.serving.team import prepared_restore

    backup = restore(prepared_restore(), file)
    if as_json:
        print_json({"file": str(file), "files": backup.files, "bytes": backup.size})
    else:
        say(f"✓ {backup.files:,} files restored from {file}; all match their digests.")
