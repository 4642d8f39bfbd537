"""The chart tool: the paper's two examples, what is counted, and that a participant sees own entries only."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.studies.charting.bins import day_groups, number_groups
from sfumato.web.studies.charting.definition import Chart, ChartRefused, Variable


@pytest.fixture
def patients(enter: Any, bob: Any, eve: Any) -> None:
    for age, gender in ((31, "f"), (35, "f"), (47, "m")):
        enter(bob, {"age": str(age), "gender": gender, "organisms": ["pse", "can"]})
    enter(
        eve, {"age": "62", "gender": "m"}, episode=[{"diagnosis": "flu"}, {"diagnosis": "cold"}, {"diagnosis": "flu"}]
    )
    enter(eve, {"age": "68"})


def rows(page: Any) -> dict[str, list[int]]:
    return dict(page.context["drawn"].rows)


def draw(browser: Any, study: Any, **fields: str) -> Any:
    return browser.post(f"/s/{study.id}/chart/", {"kind": "column", "counting": "entries", **fields})


def test_how_many_patients_are_male_or_female(client: Any, study: Any, patients: None) -> None:
    page = draw(client, study, first="gender", kind="pie")
    assert page.status_code == 200
    assert rows(page) == {"female": [2], "male": [2], "not answered": [1]}
    assert page.context["drawn"].sums == [5]


def test_how_many_patients_are_male_or_female_in_each_hospital(client: Any, study: Any, patients: None) -> None:
    page = draw(client, study, first="@centre", second="gender")
    assert page.context["drawn"].heads == ["female", "male", "not answered", "Total"]
    assert rows(page) == {"Attiko": [2, 1, 0, 3], "Laiko": [0, 1, 1, 2]}
    assert page.context["drawn"].sums == [2, 2, 1, 5]


def test_a_participant_counts_own_entries_and_no_centres(as_bob: Any, study: Any, patients: None) -> None:
    assert rows(draw(as_bob, study, first="gender")) == {"female": [2], "male": [1]}
    page = draw(as_bob, study, first="@centre")
    assert page.status_code == 422
    assert "can be counted" in page.content.decode()
    assert "Laiko" not in page.content.decode()


def test_a_participant_without_the_grant_finds_no_page(as_bob: Any, bob: Any, study: Any) -> None:
    study.memberships.filter(user=bob).update(grants=["enter"])
    assert as_bob.get(f"/s/{study.id}/chart/").status_code == 404
    assert as_bob.post(f"/s/{study.id}/chart/share/").status_code == 404


def test_episodes_are_counted_and_numbers_are_grouped(client: Any, study: Any, patients: None) -> None:
    page = draw(client, study, first="diagnosis", counting="episode")
    assert rows(page) == {"flu": [2], "cold": [1]}
    page = draw(client, study, first="age", first_bins="20")
    assert rows(page) == {"20–39": [2], "40–59": [1], "60–79": [2]}  # noqa: RUF001
    page = draw(client, study, first="organisms")
    assert rows(page) == {"Pseudomonas": [3], "Candida": [3], "Salmonella": [0], "not answered": [2]}
    assert "each is counted once for every answer" in page.content.decode()


def test_a_condition_restricts_what_is_counted(client: Any, study: Any, patients: None) -> None:
    page = draw(client, study, first="gender", condition='{"is": "age", "test": {"between": ["40", ""]}}')
    assert rows(page) == {"female": [0], "male": [2], "not answered": [1]}


def test_identifying_questions_are_not_offered(client: Any, study: Any, patients: None) -> None:
    assert draw(client, study, first="name").status_code == 422
    page = client.get(f"/s/{study.id}/chart/").content.decode()
    assert "Patient name" not in page.split("</select>")[0]


@pytest.mark.parametrize("kind", ["pie", "donut", "column", "bar"])
def test_pictures_and_the_table_are_taken_away(client: Any, study: Any, patients: None, kind: str) -> None:
    fields = {"kind": kind, "first": "gender", "second": "@centre", "counting": "entries"}
    answer = client.post(f"/s/{study.id}/chart/download/", {**fields, "format": "svg"})
    assert b"<svg" in answer.content
    assert b"female" in answer.content
    assert answer["Cache-Control"] == "no-store"
    table = client.post(f"/s/{study.id}/chart/download/", {**fields, "format": "csv"}).content.decode("utf-8-sig")
    assert table.splitlines()[1] == "female,2,0,2"


def test_a_chart_is_saved_opened_and_deleted_by_its_owner_only(
    client: Any, as_bob: Any, study: Any, patients: None
) -> None:
    fields = {"kind": "donut", "first": "age", "first_bins": "20", "counting": "entries", "name": "Ages"}
    answer = client.post(f"/s/{study.id}/chart/save/", fields)
    view = study.views.get(name="Ages")
    assert view.chart == {"kind": "donut", "variables": [{"key": "age", "bins": "20"}], "counting": "entries"}
    assert "Ages" in client.get(answer["Location"]).content.decode()
    assert as_bob.get(answer["Location"]).status_code == 404
    assert as_bob.post(f"/s/{study.id}/chart/view/{view.id}/delete/").status_code == 404
    assert client.post(f"/s/{study.id}/chart/save/", {**fields, "name": ""}).status_code == 422
    client.post(f"/s/{study.id}/chart/view/{view.id}/delete/")
    assert not study.views.exists()


def test_markup_in_names_stays_text(client: Any, study: Any, patients: None) -> None:
    study.centres.filter(name="Attiko").update(name="</script><b>x")
    page = draw(client, study, first="@centre").content.decode()
    assert "</script><b>x" not in page


def test_groups_of_numbers_and_days() -> None:
    assert number_groups([0.5, 37.2, 39.9], "2.5")[0][:2] == ["0 to below 2.5", "2.5 to below 5"]
    assert number_groups([-3, 4], "5") == (["-5–-1", "0–4"], [0, 1])  # noqa: RUF001
    assert number_groups([4, 5, 6], "1")[0] == ["4", "5", "6"]
    assert day_groups([738000, 738040], "month") == (["2021-07", "2021-08", "2021-09"], [0, 2])
    with pytest.raises(ChartRefused, match="more than 60"):
        number_groups([0, 1000], "1")
    with pytest.raises(ChartRefused, match="above 0"):
        number_groups([0, 1000], "NaN")
    assert Chart.from_json(Chart("pie", (Variable("a", "2"),)).to_json()) == Chart("pie", (Variable("a", "2"),))
