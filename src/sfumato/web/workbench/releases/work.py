"""Jobs about releases: publish one by entering it into the ledger, verify it, report on it.  Without Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import MissingExtra, PromiseBroken
from sfumato.web.workbench.loading import load

__all__ = [
    "LEDGER",
    "check_file",
    "find_moved",
    "local",
    "publish_work",
    "report_file",
    "report_work",
    "source_file",
    "verify_work",
]

LEDGER = "ledger.db"
"""The private ledger of a project, in its folder."""

Progress = Callable[[str, int, int], None]


def check_file(folder: str) -> str:
    """The file of the last check of a release."""
    return f"reports/{Path(folder).name}.check.json"


def report_file(folder: str, edition: str, ending: str) -> str:
    """The file of a board report on a release."""
    return f"reports/{Path(folder).name}.{edition}.{ending}"


def source_file(folder: str) -> str:
    """The file that says how the original of a release was read."""
    return f"reports/{Path(folder).name}.source.json"


def publish_work(
    *, source: Mapping[str, Any], folder: str, report: str, override: bool, progress: Progress
) -> dict[str, Any]:
    """Check a release again, attack it with the earlier ones, and enter it into the ledger of the project.

    A release that breaks a promise is not entered; `refused` then says why.
    """
    from sfumato.methods.release_entry import enter_release

    progress("loading", 0, 0)
    original = load(source)
    find_moved()
    progress("attacking it together with earlier releases", 0, 0)
    try:
        entered = enter_release(folder, original=original, report=report or None, ledger=LEDGER, override=override)
    except PromiseBroken as refusal:
        return {"refused": local(str(refusal))}
    return {
        "refused": "",
        "number": entered.number,
        "certificate": entered.certificate.to_json(),
        "earlier": [local(composition.sentence) for composition in entered.earlier],
    }


def verify_work(*, source: Mapping[str, Any], folder: str, report: str, progress: Progress) -> dict[str, Any]:
    """Check a release again, with its original and the private report of its run."""
    from sfumato.experiments.reports.board.promise_sentences import promise_sentence
    from sfumato.io.atomic_writes import write_json
    from sfumato.verification import verify

    progress("loading", 0, 0)
    original = load(source)
    progress("verifying", 0, 0)
    check = verify(folder, original=original, report=report or None)
    assert check.certificate is not None
    words = {"unit": check.certificate.unit, "kind": check.certificate.kind}
    result = {
        "code": check.code,
        "problems": [local(problem) for problem in check.problems],
        "unchecked": list(check.unchecked),
        "counted": [fact.sentence for fact in check.counted],
        "promises": [
            {
                "label": model.label,
                "sentence": promise_sentence(model, **words),
                "holds": verdict.holds,
                "checked_from": verdict.checked_from,
                "reason": local(str(verdict.reason or "")),
                "measured": dict(verdict.measured),
            }
            for model, verdict in check.verdicts
        ],
    }
    write_json(result, check_file(folder))
    return {"code": check.code}


def report_work(
    *, source: Mapping[str, Any] | None, folder: str, report: str, edition: str, progress: Progress
) -> dict[str, Any]:
    """Write the report on a release for a board, as a page and, where the extra is installed, as a PDF.

    The private edition attacks the release with the original; the public one holds what the files show.
    """
    from sfumato.api.reporting import report as report_on

    private: dict[str, Any] = {}
    if edition == "private":
        assert source is not None
        progress("loading", 0, 0)
        private = {"original": load(source), "report": report or None}
        private["ledger"] = LEDGER if Path(LEDGER).exists() else None
    progress("reporting", 0, 0)
    document = report_on(folder, **private, progress=progress)
    document.write(report_file(folder, edition, "html"))
    files = ["html"]
    try:
        progress("setting the PDF", 0, 0)
        document.write(report_file(folder, edition, "pdf"))
    except MissingExtra:
        return {"files": files, "code": document.code}
    return {"files": [*files, "pdf"], "code": document.code}


def find_moved() -> None:
    """Enter the new places of releases into the ledger where the whole folder of the project was moved."""
    from sfumato.io.published.ledger import ReleaseLedger, digest_of

    if not Path(LEDGER).exists():
        return
    with ReleaseLedger.writing(LEDGER) as book:
        for entry in book.entries():
            here = Path("releases", entry.directory.name)
            if not entry.directory.is_dir() and digest_of(here) == entry.digest:
                book.move(entry.number, here)


def local(sentence: str) -> str:
    """A sentence without the path of the project's folder."""
    return sentence.replace(f"{Path.cwd().resolve()}/", "")
