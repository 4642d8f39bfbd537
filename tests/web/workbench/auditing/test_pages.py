"""Audits and attacks in the browser."""

from __future__ import annotations

import uuid
from typing import Any

from django.urls import reverse

from sfumato.web.workbench.models import Member, Run


def test_an_audit_from_the_form_to_its_page(client: Any, project: Any, version: Any, work_here: Any) -> None:
    page = client.get(reverse("audit", args=[project.id])).content.decode()
    assert "largest set" in page
    sent = {"dataset": version.dataset.id, "threshold": "0.5", "inference": "0.9", "largest_set": "2"}
    answer = client.post(reverse("audit-run", args=[project.id]), sent)
    work_here()
    run = Run.objects.get()
    assert answer.url == reverse("run", args=[project.id, run.id])
    page = client.get(answer.url).content.decode()
    assert "Of 12 records, 12 (100%) are unique in 3 quasi-identifiers" in page
    assert "minimal sample uniques" in page
    assert "sfumato audit FILE --threshold 0.5" in page
    answer = client.post(reverse("audit-persons", args=[project.id, run.id]))
    assert b"".join(answer.streaming_content).count(b"\n") == 13
    answer.close()


def test_a_wrong_value_is_shown_beside_its_field(client: Any, project: Any, version: Any) -> None:
    sent = {"dataset": version.dataset.id, "threshold": "7"}
    answer = client.post(reverse("audit-run", args=[project.id]), sent)
    assert answer.status_code == 422
    assert "threshold must be" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_viewer_sees_figures_and_no_persons(
    client: Any, project: Any, version: Any, work_here: Any, django_user_model: Any
) -> None:
    client.post(reverse("audit-run", args=[project.id]), {"dataset": version.dataset.id})
    work_here()
    run = Run.objects.get()
    viewer = django_user_model.objects.create_user("eve")
    Member.objects.create(project=project, user=viewer, role="viewer")
    client.force_login(viewer)
    assert "are unique" in client.get(reverse("run", args=[project.id, run.id])).content.decode()
    assert "<form" not in client.get(reverse("audit", args=[project.id])).content.decode().split("<main")[1]
    for name, args in (("audit-run", []), ("audit-attack", []), ("audit-persons", [run.id])):
        assert client.post(reverse(name, args=[project.id, *args])).status_code == 404


def test_an_attack_from_the_form_to_its_page(client: Any, project: Any, evaluated: Any, work_here: Any) -> None:
    target = evaluated()
    sent = {"target": f"run {target.id}", "attack-known": "2", "attack": ["linkage", "no-such"]}
    answer = client.post(reverse("audit-attack", args=[project.id]), sent)
    work_here()
    page = client.get(answer.url).content.decode()
    assert "record linkage" in page
    assert "--known 2" in page


def test_unknown_ids_are_not_found(client: Any, project: Any) -> None:
    for wanted in (str(uuid.uuid4()), "../../etc/passwd", ""):
        assert client.post(reverse("audit-run", args=[project.id]), {"dataset": wanted}).status_code == 404
        assert client.post(reverse("advise-run", args=[project.id]), {"dataset": wanted}).status_code == 404
        assert client.get(reverse("audit", args=[project.id]), {"dataset": wanted}).status_code == 200
