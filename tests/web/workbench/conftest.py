"""Evaluations that have ended, as the job of an evaluation leaves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sfumato import anonymize
from sfumato.errors import SfumatoError
from sfumato.web.jobs.kinds import KINDS, loaded
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import claim, close
from sfumato.web.workbench.loading import load


@pytest.fixture
def evaluated(project: Any, version: Any, owner: Any) -> Callable[..., Any]:
    """Make a run of mode evaluate whose directory is written; with `promises` that do not hold, it is refused."""
    from sfumato.web.workbench.models import Run

    def make(*, k: int = 3, promises: tuple[str, ...] = (), seed: int | None = None) -> Any:
        run = Run.objects.create(project=project, mode="evaluate", version=version, title=f"cluster k={k}", by=owner)
        arguments = {"source": version.source()}
        run.job = Job.objects.create(kind="warm", project=project, state=Job.DONE, arguments=arguments)
        run.save()
        run.folder.mkdir(parents=True)
        release = anonymize(load(version.source(), project.folder), "cluster", k=k, promises=promises, seed=seed)
        name = "release" if release.holds else "refused"
        release.write(run.folder / name, report=run.folder / "report.json", override=not release.holds)
        return run

    return make


@pytest.fixture
def work_here(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Do the work of all jobs that wait in this process, which is quicker than a process for each."""

    def work() -> None:
        while (job := claim("here")) is not None:
            monkeypatch.chdir(job.project.folder)
            try:
                result = loaded(KINDS[job.kind].work)(**job.arguments, progress=lambda *_: None)
            except SfumatoError as error:
                close(job, Job.FAILED, sentence=str(error))
            else:
                close(job, Job.DONE, result=result)

    return work
