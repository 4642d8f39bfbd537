"""A study in which every address of studies finds its objects, people of every role in it, and whom a mark lets in."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.utils import timezone

STUDY_ROLES = ("participant", "inspector", "administrator")
# bare : a participant without grants.  colleague : a participant of another centre, with all grants.  inspector : an IT
# administrator who gave a reason.  outsider : the administrator of another study.
STUDY_PEOPLE = (None, "outsider", "colleague", "bare", "participant", "inspector", "administrator")
ROLE_OF = {"bare": "participant", "colleague": "participant"} | {role: role for role in STUDY_ROLES}
# what belongs to the participant, so that a participant of another centre does not find it
OWN = {"entry_id", "note_id", "view_id"}
DRAWN = {"kind": "pie", "counting": "entries", "variables": [{"key": "gender"}]}  # a chart


def allowed_in_study(address: Any, person: str | None) -> bool:
    """Whether a person may open an address of a study; what belongs to the participant opens to administrators too."""
    role = ROLE_OF.get(str(person))
    if role is None or STUDY_ROLES.index(role) < STUDY_ROLES.index(address.role):
        return False
    if person == "bare" and address.grant:
        return False
    return person not in ("bare", "colleague") or not OWN & set(address.arguments)


def study_persons(address: Any) -> list[str | None]:
    """Everybody whom an address of a study keeps out, then those who may enter; who lacks grants, where one counts."""
    people = [person for person in STUDY_PEOPLE if person != "bare" or address.grant]
    entering = [person for person in people if allowed_in_study(address, person)]
    return [person for person in people if person not in entering] + [
        person for person in entering if person not in ("bare", "colleague")
    ]


def build_study(users: dict[str, Any], version: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Objects for the arguments of addresses: those of every address, and those of some by the beginning of its name.

    version : of a dataset, which the study's snapshot became.
    """
    from sfumato.web.accounts.models import Invitation
    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.entry.saving import new_entry, save
    from sfumato.web.studies.models import (
        Centre,
        ChoiceList,
        Inspection,
        Membership,
        Note,
        SharedChart,
        Snapshot,
        Study,
        Template,
        View,
    )
    from web.studies.conftest import FORM

    administrator, participant = users["administrator"], users["participant"]
    options = ChoiceList.objects.create(owner=administrator, name="hospitals")
    options.options.create(key="a", texts={"en": "Attiko"})
    template = Template.objects.create(owner=administrator, name="part", tree={"questions": FORM["questions"][:2]})
    hospital = {"key": "hospital", "type": "list", "texts": {"en": "Hospital"}, "choice_list": str(options.id)}
    draft = {**FORM, "questions": [*FORM["questions"], hospital]}
    study = Study.objects.create(name="Infections", languages=["en", "el"], draft=draft, state=Study.OPEN)
    deleted = Study.objects.create(name="Old", languages=["en"], draft=FORM, deleted=timezone.now())
    other = Study.objects.create(name="Other", languages=["en"], draft=FORM)
    example = Study.objects.create(name="Example", languages=["en"], draft=FORM, example="hospitals")
    leading = ((study, "administrator"), (deleted, "owner"), (other, "outsider"))
    for place, name in (*leading, *((example, name) for name in ("administrator", "outsider", "inspector"))):
        everything = list(Membership.GRANTS)
        Membership.objects.create(study=place, user=users[name], role="administrator", grants=everything)
    centres = {}
    for name, centre, grants in (
        ("participant", "Attiko", list(Membership.GRANTS)),
        ("colleague", "Laiko", list(Membership.GRANTS)),
        ("bare", "Evangelismos", []),
    ):
        centres[name] = Centre.objects.create(study=study, name=centre)
        Membership.objects.create(
            study=study, user=users[name], role="participant", centre=centres[name], grants=grants
        )
    reason, until = "The server was slow for this study.", timezone.now() + timedelta(hours=1)
    Inspection.objects.create(study=study, user=users["inspector"], reason=reason, until=until)
    publish_version(study, administrator)
    entry = new_entry(study, participant, client_key="1", centre=centres["participant"])
    added = [{"group": "episode", "episode": "e1", "do": "add"}]
    typed = [{"question": "diagnosis", "episode": "e1", "value": "flu"}, {"question": "age", "value": "63"}]
    save(entry, added + typed, participant, base=0)
    snapshot = Snapshot.objects.create(study=study, version=version, by=administrator)
    snapshot.entries.add(entry)
    invitation = Invitation.objects.create(
        token_sha256=sha256(b"study").hexdigest(),
        inviter=administrator,
        study=study,
        role="participant",
        expires=timezone.now() + timedelta(days=7),
    )
    chart = View.objects.create(study=study, owner=participant, name="drawn", chart=DRAWN)
    usual = {
        "study_id": study.id,
        "entry_id": entry.id,
        "note_id": Note.objects.create(entry=entry, text="see file", by=participant).id,
        "view_id": View.objects.create(study=study, owner=participant, name="old").id,
        "centre_id": centres["participant"].id,
        "list_id": options.id,
        "template_id": template.id,
        "snapshot_id": snapshot.id,
        "chart_id": SharedChart.objects.create(
            study=study,
            by=administrator,
            definition={"chart": DRAWN, "condition": {"all": []}, "k": 5},
            shown={"titles": ["Gender"], "labels": [["female"]], "counts": [[7]], "total": 7},
        ).id,
        "option_key": "a",
        "question_key": "age",
        "episode_key": "e1",
        "step": "name",
        "name": "demographics",
    }
    special = {
        "study": {"user_id": participant.id, "invitation_id": invitation.id, "number": 1},
        "study-chart-view": {"view_id": chart.id},
        "study-chart-delete": {"view_id": chart.id},
        "template": {"question_key": "name"},
        "me-study-restore": {"study_id": deleted.id},
    }
    return usual, special
