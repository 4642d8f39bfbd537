"""What a browser test finds on the server when it begins.  Run in the process of the server; JSON in, JSON out."""

from __future__ import annotations

import time
import uuid
from importlib import import_module
from typing import Any

import polars as pl
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from sfumato import anonymize
from sfumato.web.accounts.models import User
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Member, Project
from sfumato.web.workbench.versions import new_dataset
from web.browser.entry_scenes import (  # noqa: F401
    change_answer,
    change_study,
    delete_newest,
    end_membership,
    entries_of,
    entry_study,
    fill_entry,
)

PATIENTS = {
    "age": [31, 32, 33, 41, 42, 43, 51, 52, 53, 61, 62, 63] * 5,
    "sex": ["f", "m"] * 30,
    "zip": ["4310", "4310", "4311", "4311", "4312", "4312"] * 10,
    "illness": ["flu", "hiv", "flu", "cold", "flu", "cold"] * 10,
}
TABLE = {"kind": "table", "quasi_identifiers": ["age", "sex", "zip"], "sensitive": ["illness"]}


def person(username: str, is_ita: bool = False) -> dict[str, str]:
    """A user, and the cookie of a session in which the user is signed in."""
    user, _ = User.objects.get_or_create(username=username, defaults={"is_ita": is_ita})
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return {"name": settings.SESSION_COOKIE_NAME, "value": session.session_key}


def project(owner: str, name: str = "Clinic", people: dict[str, str] | None = None) -> str:
    """The id of a new project with a table of sixty patients; `people` are its members, with their roles."""
    user = User.objects.get(username=owner)
    created = Project.objects.create(name=name, owner=user)
    for username, role in (people or {}).items():
        Member.objects.create(project=created, user=User.objects.get(username=username), role=role)
    new_dataset(created, "patients", pl.DataFrame(PATIENTS), dict(TABLE), by=user)
    return str(created.id)


def release(project_id: str) -> str:
    """The id of a release in the ledger, of the newest dataset of a project."""
    from sfumato.web.workbench.evaluation.starting import start_evaluation
    from sfumato.web.workbench.releases.making import make_release, publish_release

    chosen = Project.objects.get(pk=project_id)
    definition = {
        "version": str(chosen.datasets.first().latest.id),
        "method": "cluster",
        "parameters": {"k": 5},
        "measures": [],
        "promises": [],
        "seed": None,
        "vary": None,
    }
    run = start_evaluation(chosen, chosen.owner, definition)
    _wait_for(run.job)
    created = make_release(run, chosen.owner, name="Patients, 2026")
    _wait_for(publish_release(created, chosen.owner))
    return str(created.id)


def _wait_for(job: Job) -> None:
    """Until the worker has done it."""
    end = time.monotonic() + 120
    while job.state not in Job.ENDED and time.monotonic() < end:
        time.sleep(0.05)
        job.refresh_from_db()
    assert job.state == Job.DONE, (job.kind, job.state)


def team(several: bool) -> None:
    """Whether the server is one of several people."""
    settings.SFUMATO_TEAM = several


def dataset_of(project_id: str) -> str:
    """The id of the newest dataset of a project."""
    return str(Project.objects.get(pk=project_id).datasets.first().id)


def counts(project_id: str) -> dict[str, Any]:
    """How many datasets, runs and releases a project has."""
    chosen = Project.objects.get(pk=project_id)
    return {
        "datasets": chosen.datasets.count(),
        "assets": sum(dataset.assets.count() for dataset in chosen.datasets.all()),
        "versions": sum(dataset.versions.count() for dataset in chosen.datasets.all()),
        "runs": chosen.runs.count(),
        "releases": chosen.releases.count(),
        "published": chosen.releases.exclude(published=None).count(),
    }


def first_value(project_id: str, column: str) -> Any:
    """A value of the first row of the newest version of the newest dataset."""
    version = Project.objects.get(pk=project_id).datasets.first().latest
    return pl.read_parquet(version.path)[column][0]


def large_dataset(project_id: str, rows: int) -> str:
    """The id of a new dataset of a project with so many made-up rows."""
    numbers = pl.int_range(rows, eager=True)
    frame = pl.DataFrame(
        {
            "age": numbers * 7919 % 90,
            "zip": (numbers * 104729 % 9000 + 1000).cast(pl.String),
            "cost": numbers * 31 % 5000,
        }
    )
    version = new_dataset(Project.objects.get(pk=project_id), "large", frame, {"kind": "table"})
    return str(version.dataset_id)


def evaluated(project_id: str, k: int) -> str:
    """The id of a run that has anonymized twelve patients, each another one, as the job of an evaluation leaves it."""
    chosen = Project.objects.get(pk=project_id)
    dataset = chosen.datasets.filter(name="few").first()
    version = dataset.latest if dataset else new_dataset(chosen, "few", pl.DataFrame(PATIENTS)[:12], dict(TABLE))
    job = Job.objects.create(kind="warm", project=chosen, state=Job.DONE, arguments={"source": version.source()})
    run = chosen.runs.create(mode="evaluate", version=version, title=f"k is {k}", by=chosen.owner, job=job)
    run.folder.mkdir(parents=True)
    release = anonymize(load(version.source(), chosen.folder), "cluster", k=k, seed=1)
    release.write(run.folder / "release", report=run.folder / "report.json")
    return str(run.id)


def advised(project_id: str) -> str:
    """The id of an advice on generated check-ins, as its job leaves it."""

    from sfumato.experiments.advice.advising import advise
    from sfumato.generate import Checkins
    from sfumato.privacy import KmAnonymity
    from sfumato.web.workbench.advising.work import advice_figures

    chosen = Project.objects.get(pk=project_id)
    data = Checkins(trajectories=200, persons=50, locations=60).make(seed=1)
    frame = data.to_polars().join(data.places.frame, on="location")
    version = new_dataset(chosen, "check-ins", frame, {"kind": "trajectories"}, by=chosen.owner)
    advice = advise(load(version.source(), chosen.folder), KmAnonymity(k=3, m=1), ["displacement"], seconds=60, jobs=1)
    run = chosen.runs.create(mode="advise", version=version, title="Advice on check-ins", by=chosen.owner)
    run.summary = {"kind": "trajectories", **advice_figures(advice)}
    run.save()
    return str(run.id)


def study(owner: str, entries: int = 40, title: str | None = None) -> str:
    """The id of a new demonstration study with so many entries; `owner` is its administrator."""
    from sfumato.web.studies.examples.making import draw_patients
    from sfumato.web.studies.examples.study import new_example

    created = new_example(_leader(owner), draw_patients(count=entries))
    if title is not None:
        created.name = title
        created.save(update_fields=["name"])
    return str(created.id)


def participant(study_id: str, username: str, centre: str) -> None:
    """A participant of a centre of a study, with all grants."""
    from sfumato.web.studies.models import Membership, Study

    chosen = Study.objects.get(pk=study_id)
    user, _ = User.objects.get_or_create(username=username)
    place = chosen.centres.get(name=centre)
    Membership.objects.create(study=chosen, user=user, role="participant", centre=place, grants=list(Membership.GRANTS))


def leader(username: str) -> None:
    """Make a user a study administrator, who may make studies."""
    _leader(username)


def study_counts(study_id: str) -> dict[str, Any]:
    """What a study holds: its state, questions of the form in use and of the draft, entries, views, snapshots."""
    from sfumato.web.studies.models import Study

    chosen = Study.objects.get(pk=study_id)
    version = chosen.form_version
    return {
        "state": chosen.state,
        "version": version.number if version else 0,
        "questions": [question["texts"]["en"] for question in version.tree["questions"]] if version else [],
        "draft": [question["texts"].get("en", "") for question in chosen.draft["questions"]],
        "entries": chosen.entries.count(),
        "views": chosen.views.count(),
        "snapshots": chosen.snapshots.count(),
    }


def view_count(study_id: str, view: str) -> int:
    """How many entries a saved view of a study selects."""
    from sfumato.web.studies.filtering.compiling import entries_where
    from sfumato.web.studies.filtering.conditions import from_json
    from sfumato.web.studies.models import Study

    chosen = Study.objects.get(pk=study_id)
    condition = from_json(chosen.views.get(name=view).condition)
    return int(entries_where(chosen, condition, chosen.entries.all()).count())


def entry(study_id: str, username: str, values: dict[str, Any]) -> str:
    """The id of a new entry of a participant with these answers."""
    from sfumato.web.studies.entry.saving import new_entry, save
    from sfumato.web.studies.models import Study

    chosen, user = Study.objects.get(pk=study_id), User.objects.get(username=username)
    created = new_entry(chosen, user, client_key=uuid.uuid4().hex, centre=chosen.memberships.get(user=user).centre)
    save(created, [{"question": key, "value": value} for key, value in values.items()], user, base=0)
    return str(created.id)


def answers(study_id: str, username: str) -> list[dict[str, Any]]:
    """The answers of the entries that a user made, the newest first."""
    from sfumato.web.studies.models import Entry

    chosen = Entry.objects.filter(study_id=study_id, author__username=username)
    return [entry.answers | {"complete": entry.complete is not None} for entry in chosen]


def _leader(username: str) -> Any:
    user, _ = User.objects.get_or_create(username=username)
    user.leads_studies = True
    user.save(update_fields=["leads_studies"])
    return user
