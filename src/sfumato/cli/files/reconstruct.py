"""`sfumato reconstruct`: possible originals of a disassociated release, drawn at random."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import DataError, OutputError

__all__ = ["command"]

_MOST = 1_000


@click.command("reconstruct")
@click.argument("release", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .csv or .parquet file to write; with --worlds above 1, the directory.",
)
@click.option(
    "--worlds",
    type=click.IntRange(1, _MOST),
    default=1,
    show_default=True,
    help="How many possible originals to draw, each in its own file.",
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed draws the same worlds.")
@json_option
def command(release: Path, out: Path, worlds: int, seed: int | None, as_json: bool) -> None:
    """Draw possible originals (worlds) of a disassociated RELEASE.

    Each world is a set of transactions (record,item) from which the release could have been made, so that every tool
    for transactions can be used; average its answers over several worlds.  The worlds are computed from the published
    files alone: they are as public as the release, and no record of a world is a record of a person.
    """
    from sfumato.data import Chunks
    from sfumato.io import write
    from sfumato.io.atomic_writes import fresh_directory
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_fresh, require_output
    from sfumato.io.published import directory as published

    if worlds > 1:
        require_fresh(out)
    elif suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")
    else:
        require_output(out, "world", inputs=[release])
    data = published.read(release).require_data()
    if not isinstance(data, Chunks):
        raise DataError(
            f"{release}: wanted a disassociated release, whose chunks allow several originals, found {data.kind}"
        )
    drawn = data.reconstruct(worlds, seed=seed)
    if worlds == 1:
        write(drawn[0], out)
    else:
        with fresh_directory(out) as folder:
            for number, world in enumerate(drawn, start=1):
                write(world, folder / f"world-{number}.csv")
    records = len(drawn[0])
    if as_json:
        print_json({"out": str(out), "worlds": worlds, "records": records, "seed": seed})
        return
    say(
        f"{worlds} {'world' if worlds == 1 else 'worlds'} of {records:,} records in {out}, drawn from the release alone"
    )
