"""The filtering tool in the browser: conditions by posting, the sentence, the count, the entries, saved views."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse


@pytest.fixture
def filled(study: Any, bob: Any, eve: Any, enter: Any) -> Any:
    """Two entries of Bob and one of Eve."""
    enter(bob, {"name": "Nikos", "age": "63", "gender": "m"}, episode=[{"diagnosis": "Flu", "from": "2026-01-05"}])
    enter(bob, {"name": "Maria", "age": "41", "gender": "f"})
    enter(eve, {"name": "Zoe", "age": "90", "gender": "f", "drugs": "yes", "drug": "Xanax"})
    return study


def _fields(**nodes: Any) -> dict[str, Any]:
    """The fields of an editor: root=all and a part with these fields, as the page sends them."""
    return {"kind:r": "all", **{key.replace("__", ":").replace("_r", "r"): value for key, value in nodes.items()}}


def test_page_shows_columns_and_entries(client: Any, filled: Any) -> None:
    """At first every entry is selected and a few columns are chosen, none that names the person."""
    page = client.get(reverse("study-filter", args=[filled.id])).content.decode()
    assert "All entries." in page
    assert "<b>3</b>" in page
    assert "a person who sees this list may recognise people" in page
    assert 'name="column" value="age" checked' in page
    assert 'name="column" value="name" checked' not in page
    assert "Nikos" not in page


def test_condition_is_built_by_posting(client: Any, filled: Any) -> None:
    """Add a question, give bounds, look: every step is one post and works without JavaScript."""
    address = reverse("study-filter", args=[filled.id])
    page = client.post(address, {"kind:r": "all", "do": "add:r:is:age", "column": ["name"]}).content.decode()
    assert 'name="low:r-0"' in page
    fields = {"kind:r": "all", "kind:r-0": "is", "key:r-0": "age", "test:r-0": "between", "low:r-0": "60"}
    page = client.post(address, {**fields, "column": ["name"]}).content.decode()
    assert "Entries where Age is at least 60." in page
    assert "Nikos" in page
    assert "Zoe" in page
    assert "Maria" not in page


def test_values_are_offered_with_counts(client: Any, filled: Any) -> None:
    """The distinct stored values are checkboxes with the number of entries."""
    page = client.post(
        reverse("study-filter-part", args=[filled.id]), {"kind:r": "all", "do": "add:r:is:gender"}
    ).content.decode()
    assert 'name="value:r-0" value="f"' in page
    assert '<span>female</span> <span class="soft small">2</span>' in page


def test_episodes_are_joined_by_then_and_during(client: Any, filled: Any) -> None:
    """An episode card gets a second one, and goes back to one when a card is removed."""
    address = reverse("study-filter-part", args=[filled.id])
    page = client.post(address, {"kind:r": "all", "do": "add:r:has:episode"}).content.decode()
    assert 'value="then:r-0"' in page
    fields = {"kind:r": "all", "kind:r-0": "has", "key:r-0": "episode", "kind:r-0-0": "all", "do": "then:r-0"}
    page = client.post(address, fields).content.decode()
    assert "on a later day one “Episode”" in page
    joined = {"kind:r": "all", "kind:r-0": "then", "within:r-0": "7"}
    for number in (0, 1):
        joined |= {f"kind:r-0-{number}": "has", f"key:r-0-{number}": "episode", f"kind:r-0-{number}-0": "all"}
    page = client.post(reverse("study-filter-count", args=[filled.id]), joined).content.decode()
    assert "1 to 7 days later" in page
    page = client.post(address, {**joined, "do": "remove:r-0-1"}).content.decode()
    assert 'value="then:r-0"' in page
    assert "there is one “Episode”" in page


def test_mistakes_are_sentences_beside_the_field(client: Any, filled: Any) -> None:
    """A bound that is no number is kept, and a sentence stands beside it."""
    fields = {"kind:r": "all", "kind:r-0": "is", "key:r-0": "age", "test:r-0": "between", "low:r-0": "old"}
    answer = client.post(reverse("study-filter", args=[filled.id]), fields)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'value="old"' in page
    assert "wanted numbers such as 38.5 for “Age”" in page


def test_views_are_saved_opened_renamed_and_deleted(client: Any, as_bob: Any, filled: Any) -> None:
    """A saved view belongs to the person who saved it."""
    from sfumato.web.studies.models import View

    fields = {"kind:r": "all", "kind:r-0": "is", "key:r-0": "gender", "test:r-0": "one_of", "value:r-0": ["f"]}
    save = reverse("study-filter-save", args=[filled.id])
    assert "Give the view a name." in client.post(save, fields).content.decode()
    answer = client.post(save, {**fields, "name": "Women", "column": ["age", "gender"]}, follow=True)
    assert "Entries where Gender is female." in answer.content.decode()
    view = View.objects.get()
    assert view.projection == ["age", "gender"]
    client.post(save, {**fields, "name": "Women", "column": ["age"]})
    assert View.objects.get().projection == ["age"]
    for name in ("view", "rename", "delete"):
        address = reverse(f"study-filter-{name}", args=[filled.id, view.id])
        method = as_bob.get if name == "view" else as_bob.post
        assert method(address).status_code == 404
    client.post(reverse("study-filter-rename", args=[filled.id, view.id]), {"name": "Female"})
    assert View.objects.get().name == "Female"
    client.post(reverse("study-filter-delete", args=[filled.id, view.id]))
    assert not View.objects.exists()


def test_saved_view_of_a_removed_question_opens(client: Any, owner: Any, filled: Any) -> None:
    """A condition on a question that is no longer asked shows what is wrong and can be removed."""
    from sfumato.web.studies.models import View

    view = View.objects.create(
        study=filled, owner=owner, name="old", condition={"is": "gone", "test": {"answered": True}}
    )
    page = client.get(reverse("study-filter-view", args=[filled.id, view.id])).content.decode()
    assert "This question is no longer asked" in page
    assert 'value="remove:r-0"' in page


def test_long_results_have_pages(client: Any, owner: Any, study: Any, enter: Any) -> None:
    """The table shows 25 entries a page; the buttons send the page in the body."""
    for number in range(26):
        enter(owner, {"age": str(number)})
    address = reverse("study-filter", args=[study.id])
    assert "Page 1 of 2" in client.get(address).content.decode()
    page = client.post(address, {"kind:r": "all", "column": ["age"], "page": "2"}).content.decode()
    assert "Page 2 of 2" in page
    assert page.rpartition("<tbody>")[2].count("<tr>") == 1


def test_condition_comes_as_json_too(client: Any, filled: Any) -> None:
    """Other pages send the condition in one field."""
    condition = json.dumps({"not": {"is": "drug", "test": {"answered": True}}})
    page = client.post(reverse("study-filter-count", args=[filled.id]), {"condition": condition}).content.decode()
    assert "Drug name is not answered" in page
    assert "<b>2</b>" in page


def test_empty_study_has_one_sentence(client: Any, study: Any) -> None:
    """Without entries the page says so."""
    assert "There are no entries yet" in client.get(reverse("study-filter", args=[study.id])).content.decode()


def test_many_values_are_searched(client: Any, owner: Any, study: Any, enter: Any) -> None:
    """With many values the most frequent ones are offered and the others are found by their letters."""
    for number in range(45):
        enter(owner, {"name": f"person {number}"})
    enter(owner, {"name": "x" * 300 + " Ζωή"})
    fields = {"kind:r": "all", "kind:r-0": "is", "key:r-0": "name", "test:r-0": "one_of", "value:r-0": "person 44"}
    page = client.post(reverse("study-filter-part", args=[study.id]), fields).content.decode()
    assert 'type="search"' in page
    assert 'value="person 44" checked' in page
    address = reverse("study-filter-values", args=[study.id])
    values = client.post(address, {**fields, "search:r-0": "PERSON 12", "path": "r-0"}).content.decode()
    assert values.count('type="checkbox"') == 2
    assert 'value="person 12"' in values
    values = client.post(address, {**fields, "search:r-0": "ζωη", "path": "r-0"}).content.decode()
    assert values.count('type="checkbox"') == 2
    assert client.post(address, {**fields, "path": "r-7"}).status_code == 404
