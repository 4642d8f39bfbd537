"""`sfumato report RELEASE --out board.html`: one document about a release, in a public or a private edition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import input_options, json_option, load, side_paths, with_options
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, progress, say
from sfumato.cli.shared.repeated_commands import claimed_roles, repeated_commands

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["command"]


@with_options(input_options())
@click.command("report")
@click.argument("release", type=click.Path(path_type=Path))
@click.option(
    "--original",
    type=click.Path(path_type=Path),
    help="The original: the release is attacked and compared with it, and the report is private.",
)
@click.option(
    "--report", type=click.Path(path_type=Path), help="The private report of the run; makes the report private."
)
@click.option(
    "--ledger", type=click.Path(path_type=Path), help="A private ledger of releases; makes the report private."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The report, a .html or .pdf file.")
@json_option
def command(
    release: Path,
    original: Path | None,
    report: Path | None,
    ledger: Path | None,
    out: Path,
    as_json: bool,
    **options: Any,
) -> int:
    """Write a report on a release for a board.

    RELEASE is a published directory.  The report states in plain words what was released, what is promised, who
    checked it and how to repeat that, what attackers can do, what was lost, what is not covered, and the digests of
    the files.

    Without --original, --report and --ledger, it is the public edition: it holds only what any recipient can compute
    from RELEASE.  With one of them, it is the private edition, which is marked on every page and must not be
    published.  A report is never written into a published directory.

    The exit code is 1 if a check fails or an attack achieves more than a promise allows; the report is written then,
    too.
    """
    from sfumato.experiments.reports.board.board_report import BoardReport, require_document
    from sfumato.experiments.reports.board.facts import collect
    from sfumato.io.published import directory as published

    private = any(path is not None for path in (original, report, ledger))
    inputs = [path for path in (release, original, report, ledger, *side_paths(options)) if path is not None]
    require_document(out, "report", private=private, inputs=inputs)
    published_release = published.read(release)
    claimed = () if original is None else claimed_roles(options)
    repeat = repeated_commands(release, original, report, options, published_release)
    data = None if original is None else _load(original, published_release, options)
    with progress(not as_json) as advance:
        facts = collect(
            published_release,
            original=data,
            report=report,
            ledger=ledger,
            claimed=claimed,
            repeat=repeat,
            progress=advance,
        )
        board = BoardReport(facts)
        board.write(out)
    if as_json:
        print_json({"report": str(out), **board.to_json()})
    else:
        _show(board, out)
    return board.code


def _load(original: Path, release: Published, options: dict[str, Any]) -> Any:
    return load(original, as_told_by(release, options), kind=release.certificate.original_kind)


def _show(board: Any, out: Path) -> None:
    from sfumato.experiments.reports.board.verification import answer, unconfirmed

    say(answer(board.facts).text)
    if board.facts.unconfirmed:
        say(unconfirmed(board.facts)[0])
    if board.facts.attacks is not None:
        say(board.facts.attacks.verdict)
    if board.private:
        say(f"{out} is the private edition: it holds figures about the original. Do not publish it.")
    else:
        say(f"{out} is the public edition: it holds only what the published files show.")
