"""The demonstration study in the database: its lists, its form, its people and what they saved."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.accounts.models import Event, User
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.examples.entries import add_entries
from sfumato.web.studies.examples.making import draw_patients
from sfumato.web.studies.examples.patients import CENTRES, Patient
from sfumato.web.studies.examples.questionnaire import LANGUAGES, LISTS, NAMES_OF_LISTS, questionnaire
from sfumato.web.studies.examples.saved import add_views
from sfumato.web.studies.models import Centre, ChoiceList, Membership, Option, Study

__all__ = ["EXAMPLE", "NAME", "example_of", "first_example", "new_example", "record_example"]

EXAMPLE = "hospitals"
NAME = gettext_noop("Example: infections in two hospitals, a study")
_PEOPLE = {"attikon": ("Attikon", "Eleni"), "laiko": ("Laiko", "Nikos")}


def first_example(user: Any) -> None:
    """The demonstration study of a server that has no study yet; a job makes it, so that no page waits."""
    with transaction.atomic():
        waiting = Job.objects.filter(kind="example-study").exclude(state__in=Job.ENDED)
        if not Study.objects.exists() and not waiting.exists():
            enqueue("example-study", {}, user=user, title=_("Make the example study"))


def record_example(job: Job, result: dict[str, Any]) -> None:
    """Enter the patients that the job drew."""
    if job.user is not None:
        new_example(job.user, result)
    Job.objects.filter(pk=job.pk).update(result={})  # what it drew is in the study now


def example_of(user: Any) -> Study:
    """The user's own demonstration study; it is made now if the user has none."""
    own = Study.visible_to(user).filter(example=EXAMPLE, memberships__user=user, memberships__role="administrator")
    return own.first() or new_example(user, draw_patients())


def new_example(user: Any, drawn: dict[str, Any]) -> Study:
    """A new demonstration study with the patients that `draw_patients` drew; the user is its administrator."""
    with transaction.atomic():
        study = Study.objects.create(name=NAME, example=EXAMPLE, languages=LANGUAGES, target=500)
        Membership.objects.create(study=study, user=user, role="administrator", grants=list(Membership.GRANTS))
        Event.record(user, "create", f"study {study.id}", project=study)
        lists = {name: _choice_list(user, name) for name in LISTS}
        for with_retired in (True, False):
            study.draft = questionnaire(lists, with_retired=with_retired)
            study.save(update_fields=["draft"])
            publish_version(study, user)
        people = [_participant(study, centre) for centre in CENTRES]
        add_entries(study, [Patient.from_json(content) for content in drawn["patients"]], people)
        add_views(study, user)
        study.state = Study.OPEN
        study.save(update_fields=["state"])
    return study


def _choice_list(user: Any, name: str) -> str:
    """The id of a list of the user; options that the user changed stay as they are."""
    choice_list, _created = ChoiceList.objects.get_or_create(owner=user, name=NAMES_OF_LISTS[name])
    known = set(choice_list.options.values_list("key", flat=True))
    Option.objects.bulk_create(
        Option(
            choice_list=choice_list,
            key=key,
            texts={"en": english, "el": greek},
            ancestors=list(ancestors),
            position=position,
        )
        for position, (key, english, greek, ancestors) in enumerate(LISTS[name])
        if key not in known
    )
    return str(choice_list.id)


def _participant(study: Study, centre: str) -> Membership:
    """A centre with its participant, who cannot sign in."""
    place, first_name = _PEOPLE[centre]
    user, created = User.objects.get_or_create(
        username=f"example-{centre}",
        defaults={"first_name": first_name, "last_name": f"({place}, made up)", "is_active": False},
    )
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return Membership.objects.create(
        study=study,
        user=user,
        role="participant",
        centre=Centre.objects.create(study=study, name=place),
        grants=list(Membership.GRANTS),
    )
