"""Studies of the browser tests in which answers are entered.  Run in the process of the server."""

from __future__ import annotations

from typing import Any

from sfumato.web.accounts.models import User

__all__ = [
    "change_answer",
    "change_study",
    "delete_newest",
    "end_membership",
    "entries_of",
    "entry_study",
    "fill_entry",
]


def entry_study(administrator: str, participants: list[str], form: str = "small", **settings: Any) -> str:
    """The id of an open study whose participants are of one centre; `form` is small, large or episodes."""
    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.models import Centre, Membership, Study
    from web.browser.study_forms import FORMS

    owner, _ = User.objects.get_or_create(username=administrator)
    draft = FORMS[form]()
    study = Study.objects.create(
        name="Infections", languages=draft["languages"], draft=draft, state=Study.OPEN, **settings
    )
    Membership.objects.create(study=study, user=owner, role="administrator", grants=list(Membership.GRANTS))
    centre = Centre.objects.create(study=study, name="Attiko")
    for name in participants:
        user, _ = User.objects.get_or_create(username=name)
        Membership.objects.create(
            study=study, user=user, role="participant", centre=centre, grants=list(Membership.GRANTS)
        )
    publish_version(study, owner)
    return str(study.id)


def change_study(study_id: str, **settings: Any) -> None:
    """Change columns of a study, such as its state."""
    from sfumato.web.studies.models import Study

    Study.objects.filter(pk=study_id).update(**settings)


def change_answer(study_id: str, username: str, question: str, value: Any) -> None:
    """A person changes an answer of the newest entry of a study."""
    from sfumato.web.studies.entry.saving import save
    from sfumato.web.studies.models import Entry

    entry = Entry.objects.filter(study_id=study_id).order_by("-created").first()
    user = User.objects.get(username=username)
    save(entry, [{"question": question, "value": value}], user, base=entry.revision)


def delete_newest(study_id: str) -> None:
    """The newest entry of a study is deleted by its author."""
    from sfumato.web.studies.entries.removing import delete_entry
    from sfumato.web.studies.models import Entry

    entry = Entry.objects.filter(study_id=study_id).latest("created")
    delete_entry(entry, entry.author, "twice")


def end_membership(study_id: str, username: str) -> None:
    """A person no longer takes part in a study."""
    from django.utils import timezone

    from sfumato.web.studies.models import Membership

    Membership.objects.filter(study_id=study_id, user__username=username).update(ended=timezone.now())


def entries_of(study_id: str) -> list[dict[str, Any]]:
    """The entries of a study in their order: author, answers, whether finished, revision, second of a pair or not."""
    from sfumato.web.studies.models import Entry

    return [
        {
            "id": str(entry.id),
            "author": entry.author.username,
            "answers": entry.answers,
            "finished": entry.complete is not None,
            "revision": entry.revision,
            "second": entry.double_of_id is not None,
            "conflicts": entry.conflicts.filter(resolved=None).count(),
        }
        for entry in Entry.objects.filter(study_id=study_id).order_by("created")
    ]


def fill_entry(study_id: str, username: str, episodes: int) -> str:
    """The id of an entry with so many episodes of the form `episodes`."""
    from sfumato.web.studies.entry.saving import new_entry, save
    from sfumato.web.studies.models import Study

    study, user = Study.objects.get(pk=study_id), User.objects.get(username=username)
    entry = new_entry(study, user, client_key=f"filled{episodes}", centre=study.centres.first())
    changes: list[dict[str, Any]] = []
    for number in range(episodes):
        key = f"e{number}"
        changes.append({"group": "treatment", "episode": key, "do": "add"})
        changes += [{"question": f"t{inner}", "episode": key, "value": str(inner)} for inner in range(20)]
    save(entry, changes, user, base=0)
    return str(entry.id)
