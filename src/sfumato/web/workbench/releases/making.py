"""Make a release of an evaluation: exactly the directory that was examined; publish it; withdraw it."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import CallerError
from sfumato.io.published import directory
from sfumato.io.published.folder import files_in
from sfumato.io.published.ledger import ReleaseLedger, digest_of
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.models import Release, Run, Version
from sfumato.web.workbench.releases.work import LEDGER, source_file
from sfumato.web.workbench.withdrawals import keep_snapshots, require_nobody_withdrew

__all__ = [
    "arguments_of",
    "discard_release",
    "finish_publish",
    "job_of",
    "make_release",
    "publish_release",
    "release_of",
    "source_of",
    "source_of_release",
    "withdraw_release",
]

_GONE = "its original is no longer in this project, so it cannot be checked or published"


def release_of(run: Run) -> Release | None:
    """The release that was made of a run and is not withdrawn."""
    return run.releases.filter(withdrawn=None).first()


def make_release(run: Run, user: Any, *, name: str, override: bool = False, reason: str = "") -> Release:
    """Copy the directory of an evaluation to the releases of its project, unpublished.

    A directory whose promise does not hold is taken only with an override, by the owner and with a reason.  A run has
    one release at a time: where another request made it meanwhile, that one is returned.
    """
    folder, broken = run.folder / "release", False
    if not folder.is_dir():
        folder, broken = run.folder / "refused", True
    if run.mode != "evaluate" or not folder.is_dir():
        raise CallerError("release: wanted an evaluation that has ended with a release, found another run")
    require_nobody_withdrew(run.version)
    if broken:
        _require_override(run.project, user, override, reason)
    release = Release(id=uuid.uuid4(), project=run.project, run=run, version=run.version, by=user)
    release.name = name.strip()[:200] or _name_of(run)
    release.file, release.report = f"releases/{release.id}", f"reports/{release.id}.json"
    _copy(folder, release.folder)
    shutil.copyfile(run.folder / "report.json", run.project.folder / release.report)
    (run.project.folder / release.report).chmod(0o600)
    _write_private(run.project.folder / source_file(release.file), source_of(run, run.version))
    published = directory.read(release.folder)
    if published.problems:
        _remove_files(release)
        raise CallerError(f"release: the files of this run do not match its certificate: {published.problems[0]}")
    release.certificate = published.certificate.to_json()
    release.sha256 = digest_of(release.folder) or ""
    with transaction.atomic():
        earlier = release_of(Run.objects.select_for_update().get(pk=run.pk))
        if earlier is None:
            release.save()
            keep_snapshots(release, run.version)
            verb = "override" if broken else "make"
            Event.record(user, verb, f"release {release.id}", project=run.project, reason=reason if broken else "")
    if earlier is not None:
        _remove_files(release)
    return earlier or release


def publish_release(release: Release, user: Any, *, override: bool = False, reason: str = "") -> Job:
    """Start the job that enters a release into the ledger and marks it as published."""
    with _locked(release) as current:
        if current.published is not None:
            raise CallerError("release: it is published already")
        require_nobody_withdrew(current)
        if current.certificate.get("override") or override:
            _require_override(current.project, user, override, reason)
        running = job_of(current, "publish")
        if running is not None and not running.ended:
            return running
        if override:
            Event.record(user, "override", f"release {current.id}", project=current.project, reason=reason)
        arguments = {**arguments_of(current), "override": override}
        return enqueue("publish", arguments, user=user, project=current.project, title=_("Publish a release"))


def finish_publish(job: Job, result: dict[str, Any]) -> None:
    """Mark a release as published, now that it is in the ledger; not if a person in it withdrew meanwhile."""
    release = Release.objects.filter(project=job.project, file=job.arguments["folder"]).first()
    if release is None or result["refused"] or release.published is not None:
        return
    try:
        require_nobody_withdrew(release)
    except CallerError as refusal:
        job.state, job.sentence = Job.FAILED, str(refusal)
        job.save(update_fields=["state", "sentence"])
        return
    release.number, release.certificate = result["number"], result["certificate"]
    release.sha256 = digest_of(release.folder) or ""
    release.published = timezone.now()
    release.save()
    Event.record(job.user, "publish", f"release {release.id}", project=release.project)


def withdraw_release(release: Release, user: Any, reason: str) -> None:
    """Withdraw a published release; it stays listed, and stays in the ledger, since copies may be anywhere."""
    with _locked(release) as current:
        if current.published is None or current.withdrawn is not None:
            raise CallerError("release: only a published release can be withdrawn")
        if not reason.strip():
            raise CallerError("release: a withdrawal needs a reason")
        current.withdrawn, current.reason = timezone.now(), reason.strip()[:500]
        current.save(update_fields=["withdrawn", "reason"])
        Event.record(user, "withdraw", f"release {current.id}", project=current.project, reason=current.reason)
    release.withdrawn, release.reason = current.withdrawn, current.reason


def discard_release(release: Release, user: Any) -> None:
    """Remove a release that was never published."""
    with _locked(release) as current:
        job = job_of(current, "publish")
        if current.published is not None or (job is not None and not job.ended) or _is_entered(current):
            raise CallerError("release: a release that is in the ledger stays listed; publish it, then withdraw it")
        Event.record(user, "discard", f"release {current.id}", project=current.project)
        Release.objects.filter(pk=current.pk).delete()
    _remove_files(release)


def arguments_of(release: Release) -> dict[str, Any]:
    """What jobs about a release need: the original as it was read, the directory and the private report."""
    source = source_of_release(release)
    if not (release.project.folder / source["file"]).is_file():
        raise CallerError(f"release: {_GONE}")
    return {"source": source, "folder": release.file, "report": release.report}


def source_of_release(release: Release) -> dict[str, Any]:
    """The original of a release as its run read it, also after the run was deleted."""
    path = release.project.folder / source_file(release.file)
    if path.is_file():
        return dict(json.loads(path.read_text("utf-8")))
    return source_of(release.run, release.version)


def source_of(run: Run | None, version: Version | None) -> dict[str, Any]:
    """The original of a run as the run read it, with the side knowledge of that time."""
    if run is not None:
        job = run.job
        source = run.definition.get("source") or (None if job is None else job.arguments.get("source"))
        if source is not None:
            return dict(source)
    if version is None:
        raise CallerError(f"release: {_GONE}")
    return version.source()


def job_of(release: Release, kind: str, **arguments: Any) -> Job | None:
    """The latest job of a kind about a release."""
    chosen = {f"arguments__{name}": value for name, value in {"folder": release.file, **arguments}.items()}
    return Job.objects.filter(project=release.project, kind=kind, **chosen).order_by("-created").first()


def _require_override(project: Any, user: Any, override: bool, reason: str) -> None:
    if not override:
        raise CallerError("release: a promise does not hold, so nothing is published without an override")
    if project.role_of(user) != "owner":
        raise CallerError("release: only the owner of the project may override a promise that does not hold")
    if not reason.strip():
        raise CallerError("release: an override needs a reason")


def _name_of(run: Run) -> str:
    return run.title or (_("Release") if run.version is None else run.version.dataset.name)


@contextmanager
def _locked(release: Release) -> Iterator[Release]:
    """The release as it is now; no other request changes it meanwhile."""
    with transaction.atomic():
        current = Release.objects.select_for_update().filter(pk=release.pk).first()
        if current is None:
            raise CallerError("release: it was removed meanwhile")
        yield current


def _is_entered(release: Release) -> bool:
    """Whether the ledger lists the directory, as when a job was stopped between its entry and its end."""
    path = release.project.folder / LEDGER
    if not path.exists():
        return False
    with ReleaseLedger.reading(path) as book:
        return any(entry.directory.name == release.folder.name for entry in book.entries())


def _remove_files(release: Release) -> None:
    shutil.rmtree(release.folder, ignore_errors=True)
    for path in (release.project.folder / "reports").glob(f"{release.id}.*"):
        path.unlink(missing_ok=True)


def _write_private(path: Path, content: dict[str, Any]) -> None:
    path.touch(0o600)
    path.write_text(json.dumps(content), "utf-8")


def _copy(source: Path, target: Path) -> None:
    """Copy the files of a published directory, completely or not at all; links and other things are left."""
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name in files_in(source):
        (partial / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, partial / name)
    os.replace(partial, target)
