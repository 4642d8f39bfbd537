"""The five steps of a project, what is done of them, and where to continue."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Project, Run

__all__ = ["Next", "Step", "next_of", "steps_of"]


@dataclass(frozen=True)
class Step:
    """A step: its name, what is done of it, the page that does it, and whether it is done, next or later."""

    name: str
    about: str
    url: str
    state: str


@dataclass(frozen=True)
class Next:
    """Where to continue: a sentence about what comes next, and the one button that leads there."""

    sentence: str
    url: str
    label: str


_STEPS = (
    ("collect", gettext_noop("Collect"), "data", "member"),
    ("enrich", gettext_noop("Enrich"), "config", "member"),
    ("anonymize", gettext_noop("Anonymize"), "advise", "viewer"),
    ("evaluate", gettext_noop("Evaluate"), "audit", "viewer"),
    ("publish", gettext_noop("Publish"), "releases", "viewer"),
)


def steps_of(project: Project, role: str) -> list[Step]:
    """The steps of this project; the first that is not done is next.  Enriching is optional, so it never blocks."""
    counts = {
        "collect": project.datasets.count(),
        "enrich": sum(dataset.assets.count() for dataset in project.datasets.all()),
        "anonymize": project.runs.filter(mode__in=("evaluate", "compare"), job__state=Job.DONE).count(),
        "evaluate": project.runs.filter(mode__in=("audit", "attack"), job__state=Job.DONE).count(),
        "publish": project.releases.exclude(published=None).count(),
    }
    steps = []
    following = False
    for name, title, address, least in _STEPS:
        done = counts[name] > 0
        optional = name in ("enrich", "evaluate")
        state = "done" if done else "later" if following or optional else "next"
        following = following or (not done and not optional)
        allowed = least == "viewer" or role != "viewer"
        about = _about(name, counts[name]) if done else _("next") if state == "next" else ""
        steps.append(Step(_(title), about, _address(address, project) if allowed else "", state))
    return steps


def next_of(project: Project, role: str) -> Next:
    """Where to continue, by the state of the project."""
    published = project.releases.exclude(published=None).filter(withdrawn=None).first()
    if role == "viewer":
        if published is not None:
            return _to(_("A release is published."), "release", project, published.id, _("See the release"))
        return _to(_("Nothing is published yet."), "runs", project, None, _("See the runs"))
    if not project.datasets.exists():
        return _without_data(project)
    draft = project.releases.filter(published=None).first()
    if draft is not None:
        return _to(_("A release is ready and not published."), "release", project, draft.id, _("Look and publish"))
    run = project.runs.filter(mode__in=("evaluate", "advise", "compare")).select_related("job").first()
    if run is not None and run.job is not None and not run.job.ended:
        return _to(_("A run is under way."), "run", project, run.id, _("See how far it is"))
    if run is not None and _is_news(run, published):
        if run.mode == "advise":
            return _to(_("The advice is there."), "run", project, run.id, _("Read the advice"))
        if run.mode == "compare":
            return _to(_("The comparison is done."), "run", project, run.id, _("See the comparison"))
        return _to(_("The data are anonymized."), "run", project, run.id, _("See what would be published"))
    if published is not None:
        return _to(_("A release is published."), "release", project, published.id, _("Open the release"))
    return _to(_("The data are there. What must a release promise?"), "advise", project, None, _("Ask for advice"))


def _without_data(project: Project) -> Next:
    read = Job.objects.filter(project=project, kind="read").order_by("-created").first()
    if read is not None and read.state != Job.CANCELLED:
        return _to(_("A file was uploaded."), "data-uploaded", project, read.id, _("Check how it was read"))
    return _to(_("Start with data: upload a file, or generate some."), "data-new", project, None, _("Add data"))


def _is_news(run: Run, published: object) -> bool:
    """Whether a run that is done was not followed up by a release."""
    done = run.job is not None and run.job.state == Job.DONE
    return done and (published is None or run.created > published.created) and not run.releases.exists()  # type: ignore[attr-defined]


def _to(sentence: str, name: str, project: Project, item: object, label: str) -> Next:
    arguments = [project.id] if item is None else [project.id, item]
    return Next(sentence, reverse(name, args=arguments), label)


def _address(name: str, project: Project) -> str:
    """The address of a page of the project; empty where this server lacks the page."""
    try:
        return str(reverse(name, args=[project.id]))
    except NoReverseMatch:
        return ""


def _about(name: str, count: int) -> str:
    if name == "collect":
        return ngettext("%(count)s dataset", "%(count)s datasets", count) % {"count": count}
    if name == "enrich":
        return ngettext("%(count)s file of knowledge", "%(count)s files of knowledge", count) % {"count": count}
    if name == "anonymize":
        return ngettext("%(count)s run", "%(count)s runs", count) % {"count": count}
    if name == "evaluate":
        return ngettext("%(count)s audit or attack", "%(count)s audits and attacks", count) % {"count": count}
    return ngettext("%(count)s release", "%(count)s releases", count) % {"count": count}
