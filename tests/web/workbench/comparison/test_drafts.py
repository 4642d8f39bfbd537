"""The list of configurations: filled, changed, ordered, one for each person."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.errors import ParameterError
from sfumato.web.workbench.comparison.drafts import add_configuration, draft_of
from sfumato.web.workbench.versions import new_dataset, save_frame
from web.conftest import SALES, TABLE
from web.workbench.comparison.conftest import definition_of


def names(project: Any, user: Any) -> list[str]:
    return [part["name"] for part in draft_of(project, user)["configurations"]]


def test_each_person_has_a_draft(project: Any, owner: Any, version: Any, django_user_model: Any) -> None:
    add_configuration(project, owner, definition_of(version) | {"measures": [{"measure": "ncp", "parameters": {}}]})
    add_configuration(project, owner, definition_of(version) | {"name": "mine"})
    assert names(project, owner) == ["cluster", "mine"]
    assert draft_of(project, owner)["measures"] == [{"measure": "ncp", "parameters": {}}]
    assert names(project, django_user_model.objects.create_user("bob")) == []


def test_a_list_is_about_one_dataset(project: Any, owner: Any, version: Any) -> None:
    add_configuration(project, owner, definition_of(version))
    later = save_frame(version.dataset, SALES.head(6), dict(TABLE))
    add_configuration(project, owner, definition_of(later))
    assert draft_of(project, owner)["version"] == str(later.id)
    other = new_dataset(project, "others", SALES, dict(TABLE))
    with pytest.raises(ParameterError, match="the list is about the dataset 'patients'"):
        add_configuration(project, owner, definition_of(other))
    assert len(names(project, owner)) == 2


def test_the_buttons_of_the_list(client: Any, project: Any, owner: Any, draft: dict[str, Any]) -> None:
    first, second = (part["id"] for part in draft["configurations"])
    page = f"/p/{project.id}/compare/"
    sent = {"repetitions": "2", "seed": "7", "vary": "k", "start": "2", "end": "10", "step": "4", "measure-ncp": "on"}
    for verb, expected in (
        (f"down:{first}", ["incognito", "cluster"]),
        (f"up:{first}", ["cluster", "incognito"]),
        (f"up:{first}", ["cluster", "incognito"]),
        (f"copy:{first}", ["cluster", "cluster 2", "incognito"]),
        (f"remove:{second}", ["cluster", "cluster 2"]),
        ("remove:nothing", ["cluster", "cluster 2"]),
    ):
        assert client.post(page, {**sent, "do": verb}).status_code == 302
        assert names(project, owner) == expected
    kept = draft_of(project, owner)
    assert (kept["repetitions"], kept["seed"]) == (2, 7)
    assert kept["vary"] == {"parameter": "k", "start": 2, "end": 10, "step": 4}
    client.post(page, {"do": "empty"})
    assert names(project, owner) == []
    assert b"The list is empty" in client.get(page).content


def test_wrong_fields_keep_their_texts(client: Any, project: Any, draft: dict[str, Any]) -> None:
    sent = {"repetitions": "0", "seed": "1", "vary": "k", "start": "2", "end": "x<b>", "step": "1", "do": "run"}
    answer = client.post(f"/p/{project.id}/compare/", sent)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Wanted a whole number from 1 to 100." in text
    assert "Wanted a number, found another text." in text
    assert 'value="x&lt;b&gt;"' in text
    sent |= {"repetitions": "100", "end": "1000", "step": "0.1"}
    assert "choose a larger step" in client.post(f"/p/{project.id}/compare/", sent).content.decode()


def test_a_configuration_is_added_and_edited(client: Any, project: Any, owner: Any, version: Any) -> None:
    page = f"/p/{project.id}/compare/new/"
    assert b"cluster" in client.get(page).content
    part = client.post(f"/p/{project.id}/compare/fields/", {"method": "top-down"}).content
    assert b'name="p-class_column"' in part
    assert b'<option value="top-down" selected>' in part
    assert client.post(page, {"method": "cluster", "p-k": "1"}).status_code == 422
    assert client.post(page, {"method": "cluster", "p-k": "3", "name": "<i>"}).status_code == 302
    configuration = draft_of(project, owner)["configurations"][0]
    assert (configuration["name"], configuration["parameters"]["k"]) == ("<i>", 3)
    assert b"&lt;i&gt;" in client.get(f"/p/{project.id}/compare/").content
    edit = f"/p/{project.id}/compare/list/{configuration['id']}/"
    assert b'value="3"' in client.get(edit).content
    client.post(edit, {"method": "cluster", "p-k": "4", "name": "four"})
    assert [part["name"] for part in draft_of(project, owner)["configurations"]] == ["four"]
    assert client.get(f"/p/{project.id}/compare/list/{version.id}/").status_code == 404


def test_the_example_fits_the_data(client: Any, project: Any, owner: Any, version: Any) -> None:
    page = f"/p/{project.id}/compare/"
    assert client.post(page, {"do": "example"}).status_code == 302
    draft = draft_of(project, owner)
    assert len(draft["configurations"]) == 3
    assert draft["vary"] == {"parameter": "k", "start": 2, "end": 10, "step": 4}
    assert draft["measures"] == [{"measure": "are", "parameters": {}}]
    assert b"k varies" in client.get(page).content
    assert client.post(page, {"do": "edit:../x"}).status_code in (302, 422)
