"""The list of runs, their names, and their deletion."""

from __future__ import annotations

from typing import Any

from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Member, Release, Run


def _run(project: Any, by: Any = None, **facts: Any) -> Run:
    run = Run.objects.create(project=project, by=by, **{"mode": "evaluate", "title": "cluster k=3", **facts})
    run.folder.mkdir()
    return run


def test_runs_are_listed_by_mode_and_a_page_at_a_time(
    client: Any, project: Any, django_assert_max_num_queries: Any
) -> None:
    Run.objects.bulk_create(
        Run(project=project, mode="audit" if number % 3 else "evaluate", title=f"run {number}") for number in range(300)
    )
    with django_assert_max_num_queries(12):
        page = client.get(f"/p/{project.id}/runs/").content.decode()
    assert page.count("<tr>") == 51
    assert "page 1 of 6" in page
    page = client.get(f"/p/{project.id}/runs/?mode=evaluate&page=2").content.decode()
    assert "page 2 of 2" in page
    assert page.count("<td>evaluation</td>") == 50
    assert client.get(f"/p/{project.id}/runs/?mode=<script>").status_code == 200


def test_an_empty_list_has_one_sentence(client: Any, project: Any) -> None:
    assert "Nothing was run yet." in client.get(f"/p/{project.id}/runs/").content.decode()


def test_a_run_gets_another_name(client: Any, project: Any) -> None:
    run = _run(project)
    client.post(f"/p/{project.id}/runs/{run.id}/rename/", {"title": "<b>final</b>"})
    page = client.get(f"/p/{project.id}/runs/").content.decode()
    assert "&lt;b&gt;final&lt;/b&gt;" in page
    assert Event.objects.get().verb == "rename"


def test_a_run_is_deleted_with_its_files(client: Any, project: Any) -> None:
    run = _run(project)
    (run.folder / "evaluation.json").write_text("{}")
    assert client.post(f"/p/{project.id}/runs/{run.id}/delete/").status_code == 302
    assert not Run.objects.exists()
    assert not run.folder.exists()


def test_a_run_that_a_release_needs_stays(client: Any, project: Any) -> None:
    run = _run(project)
    Release.objects.create(project=project, run=run, name="r", file="releases/x", report=f"{run.file}/report.json")
    client.post(f"/p/{project.id}/runs/{run.id}/delete/")
    assert Run.objects.exists()
    assert run.folder.exists()


def test_others_neither_see_nor_delete_runs(client: Any, project: Any, owner: Any, django_user_model: Any) -> None:
    run = _run(project, owner)
    bob = django_user_model.objects.create_user("bob")
    client.force_login(bob)
    for address in ("", f"{run.id}/", f"{run.id}/delete/"):
        assert client.post(f"/p/{project.id}/runs/{address}").status_code == 404
    member = Member.objects.create(project=project, user=bob, role="viewer")
    assert client.get(f"/p/{project.id}/runs/").status_code == 200
    assert client.post(f"/p/{project.id}/runs/{run.id}/rename/", {"title": "x"}).status_code == 404
    member.role = "member"
    member.save()
    assert client.post(f"/p/{project.id}/runs/{run.id}/delete/").status_code == 404
    mine = _run(project, bob)
    assert client.post(f"/p/{project.id}/runs/{mine.id}/delete/").status_code == 302
    assert Run.objects.count() == 1
