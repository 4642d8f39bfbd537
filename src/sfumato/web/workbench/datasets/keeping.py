"""What was read, generated or edited becomes a dataset or a version."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import Any

import polars as pl

from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.datasets.drafts import OVERTAKEN, draft_of, why_not_overwritten
from sfumato.web.workbench.datasets.operations import deleted_rows, step_words
from sfumato.web.workbench.datasets.reading_forms import ReadingForm
from sfumato.web.workbench.models import Asset, Dataset, Version
from sfumato.web.workbench.versions import add_version, digest_of_file

__all__ = ["finish_generate", "finish_read", "finish_save", "keep_rows"]


def finish_read(job: Job, result: dict[str, Any]) -> None:
    """Keep what was read at once where the person has already said that it looks right."""
    if job.arguments["accepted"] and result:
        keep_rows(job, ReadingForm.of_job(job))


def keep_rows(job: Job, form: ReadingForm) -> Dataset:
    """The rows of a job of reading as a new dataset, without its identifiers; the uploaded file is removed."""
    project, result = job.project, job.result or {}
    reading = dict(result["reading"])
    dropped = [column for column, role in form.roles.items() if role == "identifier"]
    if reading["kind"] in ("table", "mixed"):
        own = {"person", "items"}
        for name, role in (("quasi_identifiers", "quasi-identifier"), ("sensitive", "sensitive")):
            chosen = [column for column, guess in form.roles.items() if guess == role and role not in own]
            reading[name] = [column for column in result["names"] if column in chosen]
    rows = project.folder / result["output"]
    file = f"versions/{uuid.uuid4()}.parquet"
    target = project.folder / file
    if dropped:
        partial = target.with_suffix(".part")
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT, 0o600))
        pl.scan_parquet(rows, glob=False).drop(dropped).sink_parquet(partial, row_group_size=50_000)
        os.replace(partial, target)
        rows.unlink()
    else:
        os.replace(rows, target)
    profile = dict(result["profile"])
    profile["columns"] = [entry for entry in profile["columns"] if entry["column"] not in dropped]
    dataset = Dataset.objects.create(project=project, name=form.name, kind=reading["kind"])
    operation = {"verb": "uploaded", "steps": [f"column {name} left out" for name in dropped]}
    add_version(dataset, file, reading, rows=result["rows"], by=job.user, operation=operation, profile=profile)
    (project.folder / job.arguments["file"]).unlink(missing_ok=True)
    job.result = {**result, "dataset": str(dataset.id)}
    job.save(update_fields=["result"])
    Event.record(job.user, "add", f"dataset {dataset.id}", project=project)
    return dataset


def finish_generate(job: Job, result: dict[str, Any]) -> None:
    """A generated dataset with its side knowledge."""
    project = job.project
    reading = result["reading"]
    dataset = Dataset.objects.create(project=project, name=job.arguments["title"], kind=reading["kind"])
    operation = {"verb": "generated", "steps": [result["sentence"]]}
    add_version(
        dataset, result["file"], reading, rows=result["rows"], by=job.user, operation=operation,
        profile=result["profile"],
    )  # fmt: skip
    for kind, file in result["assets"].items():
        path = project.folder / file
        digest = digest_of_file(path) if path.is_file() else ""
        Asset.objects.create(dataset=dataset, kind=kind, name=kind, file=file, sha256=digest, by=job.user)
    job.result = {**result, "dataset": str(dataset.id)}
    job.save(update_fields=["result"])
    Event.record(job.user, "generate", f"dataset {dataset.id}", project=project)


def finish_save(job: Job, result: dict[str, Any]) -> None:
    """A new version, the same version overwritten, or a new dataset, from edits; refused if somebody was faster."""
    arguments, project = job.arguments, job.project
    dataset = Dataset.objects.select_for_update().filter(pk=arguments["dataset"], project=project).first()
    base = None if dataset is None else dataset.versions.filter(pk=arguments["version"]).first()
    mode, output = arguments["mode"], arguments["output"]
    if dataset is None or base is None:
        _refuse(job, "the dataset was deleted while it was being saved; the edits are kept")
        return
    if mode != "copy" and dataset.latest != base:
        _refuse(job, OVERTAKEN)
        return
    draft, _ = draft_of(dataset, job.user)
    facts: dict[str, Any] = {"by": job.user, "profile": result["profile"]}
    facts["operation"] = {"verb": "edited", "steps": step_words(draft.done)}
    facts["operation"]["deleted"] = sorted({row for row in deleted_rows(draft.done) if row < base.rows})
    refusal = why_not_overwritten(base, draft) if mode == "overwrite" else ""
    if refusal:
        _refuse(job, refusal)
        return
    if mode == "overwrite":
        _overwrite(base, output, result, facts)
        version = base
    else:
        if mode == "copy":
            dataset = Dataset.objects.create(
                project=project, name=f"{dataset.name[:190]} (copy)", kind=result["reading"]["kind"]
            )
            facts["parent"] = base
        version = add_version(dataset, output, result["reading"], rows=result["rows"], **facts)
    draft.file.unlink(missing_ok=True)
    job.result = {"dataset": str(dataset.id), "version": str(version.id)}
    job.save(update_fields=["result"])
    Event.record(job.user, mode, f"version {version.id}", project=project)


def _overwrite(version: Version, file: str, result: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    old = version.path
    steps = [*version.operation.get("steps", []), *facts["operation"]["steps"]]
    version.file, version.rows, version.reading = file, result["rows"], result["reading"]
    version.sha256, version.size = digest_of_file(version.path), version.path.stat().st_size
    version.profile, version.operation = facts["profile"], {**version.operation, "steps": steps}
    if facts["operation"]["deleted"]:
        version.operation.pop("deleted", None)  # its rows no longer follow from those of its parent
    version.save()
    version.dataset.kind = result["reading"]["kind"]
    version.dataset.save(update_fields=["kind"])
    old.unlink(missing_ok=True)


def _refuse(job: Job, sentence: str) -> None:
    (job.project.folder / job.arguments["output"]).unlink(missing_ok=True)
    job.state, job.sentence, job.result = Job.FAILED, sentence, None
    job.save(update_fields=["state", "sentence", "result"])
