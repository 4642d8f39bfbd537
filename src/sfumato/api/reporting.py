"""`sfumato.report`: one document about a release for readers who are not statisticians."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.api.inputs import Source, is_published, original_of
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.errors import CallerError
from sfumato.experiments.reports.board.board_report import BoardReport
from sfumato.experiments.reports.board.facts import Repeat, collect
from sfumato.io.published import Published
from sfumato.io.published import read as read_published
from sfumato.methods.release import Release

__all__ = ["report"]

_CLAIMED = ("quasi-identifiers", "sensitive", "network")  # what a file does not say without options


def report(
    release: Release[Dataset] | Published | str | PathLike[str],
    original: Source | None = None,
    report: str | Path | None = None,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
) -> BoardReport:
    """Make a report on a release: the promise, its checks, attacks, losses, limits and digests.

    Without `original`, `report` and `ledger` it is the public edition, which holds only what any recipient can compute
    from the published files.  Otherwise it is the private edition.

    Parameters
    ----------
    release
        A published directory, or a release, which is reported as it would be written.
    original
        The private data.  The release is then attacked and compared with them.
    report
        The private report of the run.
    ledger
        A private ledger of releases; other releases in it are listed.

    Examples
    --------
    >>> from sfumato import Trajectories, anonymize, report
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> report(anonymize(walks, "seqanon", k=2, m=1))
    <BoardReport: public edition, 9 sections, <Check: 1 promise, everything that is claimed holds>>
    """
    with TemporaryDirectory() as folder:
        published = _published(release, Path(folder))
        private = None if original is None else original_of(original, published)
        claimed = () if original is None or isinstance(original, Dataset) else _CLAIMED
        given = (("original", original), ("report", report))
        arguments = "".join(f", {name}=..." for name, value in given if value is not None)
        repeat = Repeat(f'sfumato.verify("DIRECTORY"{arguments})') if arguments else None
        facts = collect(
            published,
            original=private,
            report=report,
            ledger=ledger,
            claimed=claimed,
            repeat=repeat,
            progress=progress,
        )
        document = BoardReport(facts)
        _ = document.document  # while the files are there
    return document


def _published(release: Release[Dataset] | Published | str | PathLike[str], folder: Path) -> Published:
    if isinstance(release, Published):
        return release
    if isinstance(release, Release):
        return read_published(release.write(folder / "release", override=True).path)
    if is_published(release):
        return read_published(Path(release))
    raise CallerError(f"report: wanted a published directory or a release, found {release!r}")
