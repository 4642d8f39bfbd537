"""A comparison from its start to what is taken away; killed, continued, kept."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from typing import Any

import pytest

from sfumato.experiments.comparison import so_far
from sfumato.experiments.runner import Runner
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import cancel
from sfumato.web.workbench.comparison import work
from sfumato.web.workbench.comparison.experiments import start_comparison
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Dataset, Member, Run


def quiet(*_: Any) -> None:
    """Ignore progress."""


def stopping(phase: str, done: int, total: int) -> None:
    """End the work in its midst."""
    if done >= 2:
        raise KeyboardInterrupt


@pytest.fixture
def done(project: Any, owner: Any, draft: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A comparison all of whose runs are done; it was stopped after two of them, and went on."""
    run = start_comparison(project, owner, draft)
    monkeypatch.chdir(project.folder)
    monkeypatch.setattr(work, "Runner", partial(Runner, jobs=1))
    with pytest.raises(KeyboardInterrupt):
        work.run_comparison(run=run.file, progress=stopping)
    before = {path: path.stat().st_mtime_ns for path in (run.folder / work.RESULTS / "cells").glob("*.json")}
    assert 2 <= sum(state != "missing" for state, _ in so_far(run.folder / work.RESULTS).states) < 6
    summary = work.run_comparison(run=run.file, progress=quiet)
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in before.items())
    Job.objects.filter(pk=run.job.pk).update(state=Job.DONE)
    run.summary = summary
    run.save()
    return run


def test_everything_about_a_comparison(client: Any, project: Any, done: Run, django_user_model: Any) -> None:
    assert done.summary["runs"] == 6
    assert done.summary["infeasible"] == 2
    assert not (done.folder / work.RUNNING).exists()
    page = client.get(f"/p/{project.id}/runs/{done.id}/").content.decode()
    assert page.count("infeasible</span>") == 2
    assert "cluster at 40, seed 1: " in page
    assert "holds" in page
    assert "data-chart" in page
    start_address = f"/p/{project.id}/compare/{done.id}"
    chosen = client.get(f"/p/{project.id}/runs/{done.id}/?figure=seconds.verifying&log_y=1").content.decode()
    assert "Seconds of verifying" in chosen
    marks = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<svg", "jpg": b"\xff\xd8\xff", "bmp": b"BM"}
    for ending in ("svg", "bmp"):
        answer = client.get(f"{start_address}/chart/?figure=ncp&format={ending}&log_y=1")
        assert answer.content.startswith(marks[ending])
        assert answer["Content-Disposition"] == f'attachment; filename="ncp.{ending}"'
        assert answer["Cache-Control"] == "no-store"
    assert client.get(f"{start_address}/chart/?figure=ncp&format=gif").status_code == 404
    assert client.get(f"{start_address}/chart/?figure=../x&format=png").status_code == 404
    assert client.get(f"{start_address}/table/?figure=ncp").content.startswith(b"configuration,method")
    assert b"<title>" in b"".join(client.get(f"{start_address}/report/").streaming_content)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(client.get(f"{start_address}/archive/").streaming_content)))
    assert archive.testzip() is None
    assert {"experiment.toml", "inputs/data.parquet", "results/plan.json"} <= set(archive.namelist())
    charts = zipfile.ZipFile(io.BytesIO(b"".join(client.get(f"{start_address}/charts/").streaming_content)))
    assert {f"{name}.{ending}" for name in ("ncp", "seconds") for ending in marks} == set(charts.namelist())
    assert all(charts.read(f"ncp.{ending}").startswith(mark) for ending, mark in marks.items())
    assert Event.objects.filter(verb="download").count() == 6
    _check_roles(client, project, done, django_user_model)
    _check_keeping(client, project, done)


def _check_roles(client: Any, project: Any, run: Run, users: Any) -> None:
    """A viewer sees figures, no sentences about data, and takes no data away; others see nothing."""
    viewer = users.objects.create_user("vic")
    Member.objects.create(project=project, user=viewer, role="viewer")
    owner = project.owner
    client.force_login(viewer)
    page = client.get(f"/p/{project.id}/runs/{run.id}/")
    assert page.status_code == 200
    assert "seed 1: " not in page.content.decode()
    assert "Keep an anonymized dataset" not in page.content.decode()
    start = f"/p/{project.id}/compare/{run.id}"
    assert client.get(f"{start}/chart/?figure=ncp&format=svg").status_code == 200
    for refused in ("report", "archive"):
        assert client.get(f"{start}/{refused}/").status_code == 404
    for refused in ("keep", "continue"):
        assert client.post(f"{start}/{refused}/", {"number": 0}).status_code == 404
    client.force_login(users.objects.create_user("eve"))
    for address in ("chart/?figure=ncp", "table/", "part/", "archive/"):
        assert client.get(f"{start}/{address}").status_code == 404
    client.force_login(owner)


def _check_keeping(client: Any, project: Any, run: Run) -> None:
    from sfumato.web.workbench.comparison.finishing import kept

    start = f"/p/{project.id}/compare/{run.id}"
    infeasible = [state for state, _ in so_far(run.folder / work.RESULTS).states].index("infeasible")
    for wrong in ("x", "-1", "99", str(infeasible)):
        assert client.post(f"{start}/keep/", {"number": wrong, "how": "dataset"}).status_code == 404
    assert client.post(f"{start}/keep/", {"number": "0", "how": "dataset"}).status_code == 302
    job = Job.objects.get(kind="compare-keep")
    kept(job, work.keep_run(**job.arguments, progress=quiet))
    dataset = Dataset.objects.get(name="cluster, k 2, seed 1")
    assert dataset.latest is not None
    stored = load(dataset.latest.source(), project.folder)
    assert len(stored) == 12
    assert stored.quasi_identifiers == ("age", "sex", "zip")


def test_a_cancelled_comparison_is_continued(client: Any, project: Any, owner: Any, draft: dict[str, Any]) -> None:
    run = start_comparison(project, owner, draft)
    cancel(run.job)
    page = client.get(f"/p/{project.id}/runs/{run.id}/").content.decode()
    assert "Continue" in page
    assert "No run is finished." in page
    assert client.post(f"/p/{project.id}/compare/{run.id}/continue/").status_code == 302
    again = Run.objects.get(pk=run.pk)
    assert again.job.state == Job.WAITING
    assert again.job.pk != run.job.pk
    assert b"The data are being read" in client.get(f"/p/{project.id}/runs/{run.id}/").content
    assert client.get(f"/p/{project.id}/compare/{run.id}/part/?seen=none").status_code == 204
