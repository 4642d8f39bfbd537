"""How often a person may send something to a study."""

from __future__ import annotations

from typing import Any

from sfumato.web.studies.models import Membership, Study


def test_what_is_beyond_a_minutes_share_is_refused_and_kept_nowhere(client: Any, owner: Any, settings: Any) -> None:
    settings.SFUMATO_STUDY_RATE = 2
    study = Study.objects.create(name="Infections")
    Membership.objects.create(study=study, user=owner, role="administrator")
    answers = [client.post(f"/s/{study.id}/people/centres/", {"name": str(number)}) for number in range(4)]
    assert answers[-1].status_code == 429
    assert answers[-1]["Retry-After"] == "60"
    assert b"Nothing of this was kept" in answers[-1].content
    assert study.centres.count() == [answer.status_code for answer in answers].count(302) < 4
    assert client.get(f"/s/{study.id}/").status_code == 200
