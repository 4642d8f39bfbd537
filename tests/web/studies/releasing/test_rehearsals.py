"""A rehearsal is a study of its own with made-up answers, removed by a button."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from sfumato.errors import ParameterError
from sfumato.web.studies.models import Cell, Entry, Membership, Study
from sfumato.web.studies.releasing.definition import Definition
from sfumato.web.studies.releasing.rehearsals import rehearsal_of, rehearse, remove_rehearsal
from sfumato.web.studies.releasing.snapshots import take_snapshot


def test_it_is_made_used_and_removed(client: Any, study: Any, owner: Any) -> None:
    address = reverse("study-release-rehearse", args=[study.id])
    assert "separate" in client.get(address).content.decode()
    answer = client.post(address, {"count": "20"})
    copy = rehearsal_of(study, owner)
    assert copy is not None
    assert answer.url == reverse("study", args=[copy.id])
    assert copy.entries.count() == 20
    assert study.entries.count() == 0
    assert Cell.objects.filter(entry__study=copy).exists()
    take_snapshot(copy, owner, Definition())
    for page in ("study", "study-release", "study-entries", "study-design"):
        assert "This is a rehearsal" in client.get(reverse(page, args=[copy.id])).content.decode()
        assert "This is a rehearsal" not in client.get(reverse(page, args=[study.id])).content.decode()
    client.post(address, {"count": "5"})
    second = rehearsal_of(study, owner)
    assert second is not None
    assert second.pk != copy.pk
    assert second.entries.count() == 5
    client.post(reverse("study-release-rehearse-remove", args=[study.id]))
    assert list(Study.objects.all()) == [study]
    assert not Entry.objects.exists()


@pytest.mark.parametrize("count", ["0", "-5", "1001", "many", "9" * 40])
def test_a_wrong_number_is_refused_beside_its_field(client: Any, study: Any, count: str) -> None:
    answer = client.post(reverse("study-release-rehearse", args=[study.id]), {"count": count})
    assert answer.status_code == 422
    assert "wanted 1 to 1000 made-up patients" in answer.content.decode()
    assert Study.objects.count() == 1


def test_a_study_of_people_is_not_removed(study: Any, owner: Any) -> None:
    with pytest.raises(ParameterError, match="found a study with answers of people"):
        remove_rehearsal(study, owner)
    study.draft = {"languages": ["en"], "questions": []}
    with pytest.raises(ParameterError, match="at least one question"):
        rehearse(study, owner, 5)


def test_an_administrator_rehearses_with_a_list_of_another_one(
    study: Any, form: dict[str, Any], django_user_model: Any
) -> None:
    partner = django_user_model.objects.create_user("partner")
    Membership.objects.create(study=study, user=partner, role="administrator")
    study.draft = form
    assert rehearse(study, partner, 3).entries.count() == 3
