"""Charts that leave the study, as an attacker meets them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone


@pytest.fixture
def patients(study: Any, bob: Any, eve: Any) -> Any:
    """patients(user, gender, count) makes complete entries quickly."""
    from sfumato.web.studies.entry.indexing import index_entries, question_rows
    from sfumato.web.studies.filtering.compiling import form_of
    from sfumato.web.studies.models import Entry

    def make(user: Any, count: int, **values: Any) -> list[Any]:
        centre = study.memberships.get(user=user).centre
        start = study.entries.count()
        entries = [
            Entry(
                study=study,
                author=user,
                centre=centre,
                form_version=study.form_version,
                answers={"values": values, "episodes": {}},
                client_key=str(start + number),
                number=start + number + 1,
                complete=timezone.now(),
            )
            for number in range(count)
        ]
        Entry.objects.bulk_create(entries)
        index_entries(entries, form_of(study), question_rows(study))
        return entries

    return make


def share(browser: Any, study: Any, **fields: str) -> Any:
    usual = {"kind": "column", "first": "gender", "counting": "entries", "k": "5", "title": "T"}
    return browser.post(f"/s/{study.id}/chart/share/", usual | fields)


def test_a_rare_answer_is_hidden_with_another(client: Any, study: Any, patients: Any, bob: Any) -> None:
    patients(bob, 2, gender="m")
    patients(bob, 30, gender="f")
    patients(bob, 9)
    assert share(client, study).status_code == 302
    chart = study.shared_charts.get()
    assert chart.shown["labels"] == [["female", "male", "not answered"]]
    assert chart.shown["counts"] == [[30], [None], [None]]
    assert chart.shown["total"] == 41
    page = client.get(f"/s/{study.id}/chart/shared/").content.decode()
    assert "counts below 5" in page
    table = client.get(f"/s/{study.id}/chart/shared/{chart.id}/?format=csv").content.decode("utf-8-sig")
    assert table.splitlines()[1:] == ["female,30", "male,", "not answered,", "Total,41"]
    assert b"male" in client.get(f"/s/{study.id}/chart/shared/{chart.id}/?format=svg").content


def test_one_entry_later_the_chart_is_refused(client: Any, study: Any, patients: Any, bob: Any) -> None:
    patients(bob, 20, gender="m")
    patients(bob, 30, gender="f")
    assert share(client, study).status_code == 302
    assert share(client, study, kind="pie").status_code == 302  # the same figures again
    patients(bob, 1, gender="m")
    refused = share(client, study)
    assert "difference to a chart that was shared before" in refused.content.decode()
    patients(bob, 4, gender="m")
    assert share(client, study).status_code == 302
    assert study.shared_charts.count() == 3


def test_everybody_and_everybody_without_one_person(client: Any, study: Any, patients: Any, bob: Any) -> None:
    patients(bob, 20, gender="m", age="40")
    patients(bob, 30, gender="f", age="50")
    patients(bob, 1, gender="f", age="99")
    assert share(client, study).status_code == 302
    without = '{"is": "age", "test": {"between": ["", "98"]}}'
    assert "difference" in share(client, study, condition=without).content.decode()
    assert study.shared_charts.count() == 1


def test_margins_of_two_way_and_one_way_charts(client: Any, study: Any, patients: Any, bob: Any, eve: Any) -> None:
    """Three men of Laiko are hidden; charts of one hospital each must not show the numbers around them."""
    patients(bob, 20, gender="m")
    patients(bob, 30, gender="f")
    patients(eve, 3, gender="m")
    patients(eve, 40, gender="f")
    assert share(client, study, second="@centre").status_code == 302
    shown = study.shared_charts.get().shown
    assert [None, None] in [list(row) for row in zip(*shown["counts"], strict=True)]
    centre = str(eve.study_memberships.get().centre_id)
    parts = [{"is": "gender", "test": {"one_of": ["f"]}}, {"about": "centre", "test": {"one_of": [centre]}}]
    women = json.dumps({"all": parts})
    assert "below 5" in share(client, study, first="age", condition=women).content.decode()
    assert study.shared_charts.count() == 1


def test_who_withdrew_and_drafts_are_not_counted(client: Any, study: Any, patients: Any, bob: Any, enter: Any) -> None:
    entries = patients(bob, 20, gender="m")
    enter(bob, {"gender": "f"})
    entries[0].withdrawn = timezone.now()
    entries[0].save()
    assert share(client, study).status_code == 302
    assert study.shared_charts.get().shown["total"] == 19


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"counting": "episode", "first": "dose"}, "counts entries"),
        ({"first": "drug"}, "Texts that people typed"),
        ({"first": "@author"}, "Authors"),
        ({"k": "2"}, "from 3 to 100"),
        ({"k": "x"}, "from 3 to 100"),
        ({"second": "organisms"}, "several answers"),
        ({"condition": '{"is": "age", "test": {"between": ["200", ""]}}'}, "nothing to share"),
    ],
)
def test_refusals(client: Any, study: Any, patients: Any, bob: Any, fields: dict[str, str], sentence: str) -> None:
    patients(bob, 20, gender="m", organisms=["pse", "can"], drugs="yes", drug="x")
    answer = share(client, study, **fields)
    assert sentence in answer.content.decode()
    assert not study.shared_charts.exists()


def test_everybody_with_the_same_sensitive_answer_is_refused(client: Any, study: Any, patients: Any, bob: Any) -> None:
    from sfumato.web.studies.models import FormVersion

    version = FormVersion.objects.get(study=study)
    version.tree["questions"][3]["privacy"] = "sensitive"
    version.save()
    patients(bob, 20, gender="m")
    assert "sensitive question" in share(client, study).content.decode()


def test_a_group_whose_members_all_gave_a_sensitive_answer_is_refused(
    client: Any, study: Any, patients: Any, bob: Any
) -> None:
    """The chart of everybody and that of people with an answer must not count the same group."""
    from sfumato.web.studies.models import FormVersion

    version = FormVersion.objects.get(study=study)
    next(row for row in version.tree["questions"] if row["key"] == "organisms")["privacy"] = "sensitive"
    version.save()
    patients(bob, 20, gender="m", organisms=["pse"])
    patients(bob, 10, gender="f", organisms=["pse"])
    patients(bob, 15, gender="f", organisms=["can"])
    condition = '{"is": "organisms", "test": {"one_of": ["pse"]}}'
    assert "sensitive question" in share(client, study, condition=condition).content.decode()
    assert share(client, study, first="organisms").status_code == 302
    patients(bob, 5, gender="m", organisms=["can"])
    assert share(client, study, condition=condition).status_code == 302


def test_what_follows_from_typed_texts_or_from_shared_questions(study: Any) -> None:
    from sfumato.web.studies.charting.allowing import read_by
    from sfumato.web.studies.filtering.compiling import form_of

    form = form_of(study)
    assert {"drug", "drugs"} <= read_by(form, ["drug"])  # asked only of those who take drugs
    assert read_by(form, ["gender"]) == {"gender"}


def test_options_that_few_chose_or_few_did_not_are_hidden(client: Any, study: Any, patients: Any, bob: Any) -> None:
    patients(bob, 28, organisms=["pse", "can"])
    patients(bob, 12, organisms=["can"])
    patients(bob, 2, organisms=["sal"])
    assert share(client, study, first="organisms").status_code == 302
    assert study.shared_charts.get().shown["counts"] == [[28], [None], [None]]


def test_participants_share_nothing(as_bob: Any, study: Any) -> None:
    assert share(as_bob, study).status_code == 404
    assert as_bob.get(f"/s/{study.id}/chart/shared/").status_code == 404
