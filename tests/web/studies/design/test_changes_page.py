"""Draft against live: changes with their answers, why a change is not allowed, and the button that publishes."""

from __future__ import annotations

from typing import Any


def test_changes_are_listed_and_applied(client: Any, study: Any) -> None:
    page = f"/s/{study.id}/design/changes/"
    assert "the same as the published form" in client.get(page).content.decode()
    client.post(f"/s/{study.id}/design/edit/", {"do": "remove:age", "base": 0})
    content = client.get(page).content.decode()
    assert "No longer asked." in content
    assert "1 change since version 1." in content
    answer = client.post(page, {"base": 1}, follow=True)
    assert "Version 2 is published." in answer.content.decode()
    assert study.form_version.number == 2
    assert study.questions.get(key="age").retired is not None


def test_a_change_with_answers_in_the_way_is_not_published(client: Any, study: Any, bob: Any, enter: Any) -> None:
    enter(bob, {"name": "Maria"})
    fields = {"base": 0, "type": "integer", "text-en": "Patient name"}
    client.post(f"/s/{study.id}/design/question/name/", fields)
    page = f"/s/{study.id}/design/changes/"
    content = client.get(page).content.decode()
    assert "answers are in the way" in content
    assert '<button class="primary" disabled>' in content
    assert client.post(page, {"base": 1}).status_code == 422
    assert study.form_version.number == 1


def test_a_draft_with_problems_or_of_another_moment_is_not_published(client: Any, study: Any) -> None:
    page = f"/s/{study.id}/design/changes/"
    client.post(f"/s/{study.id}/design/edit/", {"do": "add:list", "base": 0})
    content = client.get(page).content.decode()
    assert "must be corrected" in content
    assert "Apply" not in content
    assert client.post(page, {"base": 1}).status_code == 422
    client.post(f"/s/{study.id}/design/edit/", {"do": "undo", "base": 1})
    assert "changed elsewhere" in client.post(page, {"base": 1}).content.decode()
    assert study.form_version.number == 1
