"""The form of an advice."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Run


def test_the_form_starts_an_advice(client: Any, project: Any, version: Any) -> None:
    page = client.get(reverse("advise", args=[project.id])).content.decode()
    assert "l-diversity" in page
    assert "epsilon" not in page.split("<main")[1].split("<footer")[0]
    sent = {"dataset": version.dataset.id, "promise": ["k-anonymity"], "k-anonymity-k": "4", "care": ["ncp", "x"]}
    answer = client.post(reverse("advise-run", args=[project.id]), {**sent, "seconds": "30"})
    run = Run.objects.get()
    assert answer.url == reverse("run", args=[project.id, run.id])
    job = Job.objects.get(kind="advise")
    assert job.arguments["promises"] == [{"model": "k-anonymity", "parameters": {"k": 4}}]
    assert job.arguments["care"] == ["ncp"]
    assert job.arguments["seconds"] == 30
    assert "--promise k-anonymity --k 4 --care ncp --seconds 30" in client.get(answer.url).content.decode()


def test_mistakes_are_shown_beside_their_fields(client: Any, project: Any, version: Any) -> None:
    wrong = (
        ({"promise": []}, "Choose what a release must promise"),
        ({"promise": ["k-anonymity"], "k-anonymity-k": "1"}, "k must be"),
        ({"promise": ["k-anonymity"], "k-anonymity-k": "3", "seconds": "1e9"}, "Give a number of seconds"),
    )
    for fields, sentence in wrong:
        answer = client.post(reverse("advise-run", args=[project.id]), {"dataset": version.dataset.id, **fields})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not Run.objects.exists()
