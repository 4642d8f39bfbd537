"""An evaluation from the form to its page, in a process of its own; and what a viewer sees of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from sfumato.io.published.directory import as_published
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.evaluation.starting import start_evaluation
from sfumato.web.workbench.evaluation.work import evaluate
from sfumato.web.workbench.models import Member, Run
from sfumato.web.workbench.versions import new_dataset


def _definition(version: Any, **changes: Any) -> dict[str, Any]:
    return {
        "version": str(version.id),
        "method": "cluster",
        "parameters": {"k": 3},
        "measures": [{"measure": "are", "parameters": {"queries": 20}}],
        "promises": [],
        "seed": None,
        "vary": None,
        **changes,
    }


def _done(version: Any, owner: Any, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Run:
    """A run that is done, without a process of its own."""
    run = start_evaluation(version.dataset.project, owner, _definition(version, **changes))
    monkeypatch.chdir(version.dataset.project.folder)
    run.summary = evaluate(**run.job.arguments, progress=lambda *_: None)
    run.save()
    Job.objects.filter(pk=run.job.pk).update(state=Job.DONE)
    return Run.objects.get(pk=run.pk)


def test_a_run_goes_through_a_job_to_its_page(
    transactional_db: Any, client: Any, version: Any, run_jobs: Callable[[], int]
) -> None:
    project = version.dataset.project
    fields = {"sent": "1", "version": str(version.id), "method": "cluster", "p-k": "3", "measure": "are"}
    address = client.post(f"/p/{project.id}/evaluate/", fields)["Location"]
    assert "waiting" in client.get(address).content.decode()
    assert run_jobs() == 1
    run = Run.objects.get()
    assert run.summary["holds"] is True
    page = client.get(address)
    content = page.content.decode()
    assert page["Cache-Control"] == "no-store"
    for words in (
        "Every promise holds",
        "at least 3 records that match",
        "not covered",
        "data-once",
        "sfumato anonymize cluster",
    ):
        assert words in content
    assert json.loads((run.folder / "release" / "certificate.json").read_text())["guarantees"][0]["verdict"]["holds"]
    assert not as_published(run.folder / "release").problems


def test_published_records_stand_beside_their_originals(
    client: Any, version: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _done(version, owner, monkeypatch)
    address = f"/p/{run.project.id}/evaluate/runs/{run.id}"
    page = client.get(f"{address}/rows/").content.decode()
    assert "each beside its own original" in page
    assert page.count("<tr>") == 2 + 24
    assert "flu" in page
    charts = client.get(f"{address}/attribute/?attribute=0").content.decode()
    assert "Frequencies of the generalized values of age" in charts
    assert "Relative differences" in charts
    for wrong in ("rows/?start=x", "rows/?start=-1", "attribute/?attribute=99"):
        assert client.get(f"{address}/{wrong}").status_code == 404


def test_originals_that_are_not_published_follow_the_others(
    client: Any, project: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages = pl.DataFrame({"age": [30] * 6 + [90] + [40] * 5})
    version = new_dataset(project, "ages", ages, {"kind": "table", "quasi_identifiers": ["age"]})
    changes = {"method": "incognito", "parameters": {"k": 3, "suppression": 0.1}, "measures": []}
    run = _done(version, owner, monkeypatch, **changes)
    assert run.definition["source"] == version.source()
    assert run.summary["counts"]["suppressed_records"] == 1
    address = f"/p/{run.project.id}/evaluate/runs/{run.id}"
    page = client.get(f"{address}/rows/").content.decode()
    assert page.count(">not published</td>") == page.count("<td>90</td>") == 1
    assert page.count("<tr>") == 2 + 24
    assert client.get(f"{address}/rows/?start=11").content.decode().count("<tr>") == 2 + 2


def test_charts_of_a_run_are_taken_away(
    client: Any, version: Any, owner: Any, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _done(version, owner, monkeypatch, measures=[])
    address = f"/p/{run.project.id}/evaluate/runs/{run.id}/chart/"
    for key, ending, mark in (
        ("phases", "pdf", b"%PDF"),
        ("labels-0", "svg", b"<svg"),
        ("differences-0", "bmp", b"BM"),
    ):
        answer = client.get(f"{address}?chart={key}&format={ending}")
        assert answer.content.startswith(mark)
        assert answer["Content-Disposition"] == f'attachment; filename="{key}.{ending}"'
    table = client.get(f"{address}?chart=differences-0&format=csv").content.decode()
    assert table.startswith("value,original,expected in the release,relative difference")
    assert table.count("\n") == 1 + 12
    for wrong in ("chart=phases&format=gif", "chart=labels-99&format=svg", "chart=labels-x&format=svg", "format=svg"):
        assert client.get(f"{address}?{wrong}").status_code == 404
    viewer = django_user_model.objects.create_user("vera")
    Member.objects.create(project=run.project, user=viewer, role="viewer")
    client.force_login(viewer)
    assert client.get(f"{address}?chart=phases&format=csv").status_code == 200
    assert client.get(f"{address}?chart=labels-0&format=csv").status_code == 404


def test_a_viewer_sees_figures_and_no_records(
    client: Any, version: Any, owner: Any, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _done(version, owner, monkeypatch)
    viewer = django_user_model.objects.create_user("vera")
    Member.objects.create(project=run.project, user=viewer, role="viewer")
    client.force_login(viewer)
    page = client.get(f"/p/{run.project.id}/runs/{run.id}/").content.decode()
    assert "Every promise holds" in page
    for private in ("flu", "4310", "Published beside original", "Original against published", "releases/make"):
        assert private not in page
    address = f"/p/{run.project.id}/evaluate/runs/{run.id}"
    assert client.get(f"{address}/rows/").status_code == 404
    assert client.get(f"{address}/attribute/").status_code == 404
    assert client.post(f"{address}/keep/0/").status_code == 404


def test_values_of_a_varying_parameter_open_and_one_is_kept_as_it_is(
    client: Any, version: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _done(version, owner, monkeypatch, vary={"parameter": "k", "values": [2, 6, 50]})
    address = f"/p/{run.project.id}/runs/{run.id}/"
    page = client.get(address).content.decode()
    for words in (
        "Over k: 3 of 3 values",
        "ARE, the average relative error",
        "k=50 needs at least 50",
        "Seconds by phase",
    ):
        assert words in page
    part = f"/p/{run.project.id}/evaluate/runs/{run.id}/varying/"
    assert "Over k: 3 of 3" in client.get(f"{part}?done=2").content.decode()
    assert client.get(f"{part}?done=3").status_code == 204
    assert "Keep this one" in client.get(f"{address}?setting=1").content.decode()
    assert client.get(f"{address}?setting=7").status_code == 404
    kept = client.post(f"/p/{run.project.id}/evaluate/runs/{run.id}/keep/1/")["Location"]
    chosen = Run.objects.get(pk=kept.rstrip("/").rpartition("/")[2])
    assert (chosen.definition["parameters"]["k"], chosen.definition["vary"]) == (6, None)
    before = (run.folder / "settings/1/release/data.csv").read_bytes()
    assert (chosen.folder / "release" / "data.csv").read_bytes() == before
    assert client.get(kept).status_code == 200
    assert client.post(f"/p/{run.project.id}/evaluate/runs/{run.id}/keep/2/").status_code == 404


def test_a_refused_release_says_so(client: Any, version: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run = _done(version, owner, monkeypatch, promises=["l-diversity:l=4"])
    page = client.get(f"/p/{run.project.id}/runs/{run.id}/").content.decode()
    assert "A promise does not hold" in page
    assert not (run.folder / "release").exists()
