"""Lists are made, filled, edited while in use, shared and copied; others' lists stay closed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.web.studies.choice_lists.using import use_of
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.forms.editing import change
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import ChoiceList, Option
from sfumato.web.studies.people.deletion import delete_study, restore_study


@pytest.fixture
def hospitals(study: Any, client: Any) -> ChoiceList:
    """A list of three hospitals of the study's administrator, made through the pages."""
    client.post(reverse("list-new"), {"name": " Hospitals "})
    row = ChoiceList.objects.get(name="Hospitals")
    client.post(reverse("list-add", args=[row.id]), {"lines": "Attiko;Athens;Greece\nLaiko;Athens;Greece\nAHEPA"})
    return row


def texts(row: ChoiceList) -> list[str]:
    """The texts of the options in their order, with - before retired ones."""
    return [("-" if option.retired else "") + option.texts["en"] for option in row.options.all()]


def do(client: Any, row: ChoiceList, text: str, **fields: str) -> Any:
    """Post to the option with this text."""
    option = next(option for option in row.options.all() if option.texts.get("en") == text)
    return client.post(reverse("list-option", args=[row.id, option.key]), fields)


def test_a_list_is_made_and_filled(hospitals: ChoiceList, client: Any) -> None:
    assert texts(hospitals) == ["Attiko", "Laiko", "AHEPA"]
    assert hospitals.options.first().ancestors == ["Athens", "Greece"]
    upload = SimpleUploadedFile("more.csv", "\ufeffahepa;Thessaloniki;Greece\nPapageorgiou".encode())
    client.post(reverse("list-add", args=[hospitals.id]), {"file": upload})
    assert texts(hospitals) == ["Attiko", "Laiko", "AHEPA", "Papageorgiou"]
    assert hospitals.options.get(texts__en="AHEPA").ancestors == ["Thessaloniki", "Greece"]
    page = client.get(reverse("list", args=[hospitals.id])).content.decode()
    assert "Papageorgiou" in page
    assert "No study uses this list yet." in page
    assert "Hospitals" in client.get(reverse("lists")).content.decode()
    file = client.get(reverse("list-file", args=[hospitals.id]))
    assert file["Cache-Control"] == "no-store"
    assert file.content.decode("utf-8-sig").splitlines()[2] == "AHEPA;Thessaloniki;Greece"


def test_mistakes_keep_the_input(hospitals: ChoiceList, client: Any) -> None:
    answer = client.post(reverse("list-add", args=[hospitals.id]), {"lines": "new;Athens;Italy"})
    assert answer.status_code == 422
    assert "new;Athens;Italy" in answer.content.decode()
    assert "in one place" in answer.content.decode()
    assert texts(hospitals) == ["Attiko", "Laiko", "AHEPA"]
    upload = SimpleUploadedFile("more.csv", "Λαϊκό".encode("cp1253"))
    answer = client.post(reverse("list-add", args=[hospitals.id]), {"file": upload})
    assert "UTF-8" in answer.content.decode()
    answer = client.post(reverse("list-change", args=[hospitals.id]), {"name": "\x00"})
    assert answer.status_code == 422


def test_options_are_edited(hospitals: ChoiceList, client: Any) -> None:
    keys = list(hospitals.options.values_list("key", flat=True))
    do(client, hospitals, "AHEPA", do="up")
    do(client, hospitals, "Attiko", do="up")
    do(client, hospitals, "Laiko", do="retire")
    do(client, hospitals, "Attiko", do="save", text_en="Attikon", text_el="Αττικό", ancestors="Athens; Greece")
    assert texts(hospitals) == ["Attikon", "AHEPA", "-Laiko"]
    assert hospitals.options.first().texts == {"en": "Attikon", "el": "Αττικό"}
    assert sorted(keys) == sorted(hospitals.options.values_list("key", flat=True))
    do(client, hospitals, "Laiko", do="restore")
    assert texts(hospitals)[2] == "Laiko"
    assert do(client, hospitals, "Laiko", do="save", text_en="attikon").status_code == 422
    assert do(client, hospitals, "Laiko", do="save", text_en=" ").status_code == 422
    assert texts(hospitals)[2] == "Laiko"


def test_a_list_in_use_says_where_and_is_not_deleted(
    hospitals: ChoiceList, study: Any, owner: Any, bob: Any, enter: Any, client: Any, as_bob: Any
) -> None:
    key = hospitals.options.get(texts__en="Attiko").key
    study.draft = change(Form.from_json(study.draft), "drug", type="list", choice_list=str(hospitals.id)).to_json()
    study.save()
    publish_version(study, owner)
    enter(bob, {"drugs": "yes", "drug": key})
    page = client.get(reverse("list", args=[hospitals.id])).content.decode()
    assert "Used by" in page
    assert "1 answer." in page
    answer = client.post(reverse("list-delete", args=[hospitals.id]))
    assert "1 study uses this list, so it cannot be deleted." in answer.content.decode()
    delete_study(study, owner)
    client.post(reverse("list-delete", args=[hospitals.id]))
    assert ChoiceList.objects.filter(id=hospitals.id).exists(), "the study can be restored"
    restore_study(study, owner)
    bob.leads_studies = True
    bob.save()
    hospitals.shared = True
    hospitals.save()
    use = use_of(hospitals, bob)
    assert (use.studies, use.others, use.total) == ([], 0, 0), "nothing of a study of others"
    assert use_of(hospitals, owner).others == 0
    assert "Infections" not in as_bob.get(reverse("list", args=[hospitals.id])).content.decode()


def test_a_list_without_use_is_deleted(hospitals: ChoiceList, client: Any) -> None:
    client.post(reverse("list-delete", args=[hospitals.id]))
    assert not ChoiceList.objects.exists()


def test_lists_of_others(hospitals: ChoiceList, bob: Any, as_bob: Any) -> None:
    urls = [reverse(name, args=[hospitals.id]) for name in ("list", "list-file")]
    posts = [reverse(name, args=[hospitals.id]) for name in ("list-change", "list-add", "list-delete")]
    option = reverse("list-option", args=[hospitals.id, hospitals.options.first().key])
    assert as_bob.get(reverse("lists")).status_code == 404, "a participant has no lists"
    bob.leads_studies = True
    bob.save()
    assert all(as_bob.get(url).status_code == 404 for url in urls)
    assert as_bob.post(reverse("list-copy", args=[hospitals.id])).status_code == 404
    hospitals.shared = True
    hospitals.save()
    assert all(as_bob.get(url).status_code == 200 for url in urls)
    assert all(as_bob.post(url, {"name": "Mine", "do": "retire"}).status_code == 404 for url in (*posts, option))
    as_bob.post(reverse("list-copy", args=[hospitals.id]))
    copied = ChoiceList.objects.get(owner=bob)
    assert not copied.shared
    assert texts(copied) == texts(hospitals)
    assert list(copied.options.values_list("key", flat=True)) == list(hospitals.options.values_list("key", flat=True))


def test_markup_in_names_is_text(study: Any, client: Any) -> None:
    client.post(reverse("list-new"), {"name": "<script>x</script>"})
    row = ChoiceList.objects.get()
    client.post(reverse("list-add", args=[row.id]), {"lines": "<b>bold</b>"})
    page = client.get(reverse("list", args=[row.id])).content.decode()
    assert "<script>x" not in page
    assert "<b>bold" not in page


def test_a_long_list_has_pages(hospitals: ChoiceList, client: Any, django_assert_max_num_queries: Any) -> None:
    rows = [Option(choice_list=hospitals, key=f"k{i}", texts={"en": f"n{i}"}, position=i + 9) for i in range(1000)]
    Option.objects.bulk_create(rows)
    with django_assert_max_num_queries(25):
        page = client.get(reverse("list", args=[hospitals.id]) + "?page=2").content.decode()
    assert page.count('class="option"') == 100
