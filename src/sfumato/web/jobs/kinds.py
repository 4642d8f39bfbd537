"""The kinds of jobs.

`work` runs in a process of its own, in the project's folder, without Django: it takes the arguments as keywords and
`progress(phase, done, total)`, and returns a JSON object.  `finish(job, result)` runs in the worker, in the transaction
that marks the job as done, and records what came out.  `failed(job)`, if there is one, runs in the transaction that
marks it as failed or cancelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

__all__ = ["KINDS", "Kind", "loaded"]


@dataclass(frozen=True)
class Kind:
    """Functions as ``module:name``.

    attempts : how often a job is begun, if its worker is lost each time.  exclusive : whether a project runs one such
    job at a time, as those that write its ledger.  shares_process : whether the next job may run in the same process,
    as is fine where no data of anybody are read.
    """

    work: str
    finish: str = ""
    failed: str = ""
    attempts: int = 2
    exclusive: bool = False
    shares_process: bool = False


KINDS: dict[str, Kind] = {
    "warm": Kind("sfumato.web.jobs.warming:warm"),
    "example": Kind(
        "sfumato.web.workbench.examples.making:make_files",
        finish="sfumato.web.workbench.examples.projects:record_example",
        shares_process=True,
    ),
    "example-study": Kind(
        "sfumato.web.studies.examples.making:draw_patients",
        finish="sfumato.web.studies.examples.study:record_example",
        shares_process=True,
    ),
    "read": Kind(
        "sfumato.web.workbench.datasets.reading_job:read_upload", "sfumato.web.workbench.datasets.keeping:finish_read"
    ),
    "generate": Kind(
        "sfumato.web.workbench.datasets.generating:generate", "sfumato.web.workbench.datasets.keeping:finish_generate"
    ),
    "save-edits": Kind(
        "sfumato.web.workbench.datasets.reading_job:save_edits", "sfumato.web.workbench.datasets.keeping:finish_save"
    ),
    "compare": Kind(  # finished runs are kept, so it goes on as often as its worker is lost
        "sfumato.web.workbench.comparison.work:run_comparison",
        finish="sfumato.web.workbench.comparison.finishing:finish",
        attempts=100,
    ),
    "compare-keep": Kind(
        "sfumato.web.workbench.comparison.work:keep_run", finish="sfumato.web.workbench.comparison.finishing:kept"
    ),
    "evaluate": Kind(
        "sfumato.web.workbench.evaluation.work:evaluate", finish="sfumato.web.workbench.evaluation.starting:finish"
    ),
    "audit": Kind("sfumato.web.workbench.auditing.work:audit_work", "sfumato.web.workbench.auditing.starting:finish"),
    "attack": Kind("sfumato.web.workbench.auditing.work:attack_work", "sfumato.web.workbench.auditing.starting:finish"),
    "compose": Kind("sfumato.web.workbench.ledger.work:compose_work", "sfumato.web.workbench.auditing.starting:finish"),
    "advise": Kind("sfumato.web.workbench.advising.work:advise_work", "sfumato.web.workbench.auditing.starting:finish"),
    "publish": Kind(
        "sfumato.web.workbench.releases.work:publish_work",
        "sfumato.web.workbench.releases.making:finish_publish",
        exclusive=True,
    ),
    "verify": Kind("sfumato.web.workbench.releases.work:verify_work"),
    "report": Kind("sfumato.web.workbench.releases.work:report_work"),
    "derive": Kind(
        "sfumato.web.workbench.configuration.deriving:work", "sfumato.web.workbench.configuration.deriving:finish"
    ),
    "check-policy": Kind(
        "sfumato.web.workbench.configuration.checking:work", "sfumato.web.workbench.configuration.checking:finish"
    ),
    "count-queries": Kind(
        "sfumato.web.workbench.queries.counting:count", "sfumato.web.workbench.queries.counting:finish"
    ),
    "draw-queries": Kind(
        "sfumato.web.workbench.queries.counting:draw", "sfumato.web.workbench.queries.counting:finish_drawing"
    ),
}


def loaded(name: str) -> Callable[..., Any]:
    """The function of this name."""
    module, _, function = name.partition(":")
    chosen: Callable[..., Any] = getattr(import_module(module), function)
    return chosen
