"""The page of a new entry: sent whole without a script, or change by change in JSON."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from sfumato.web.studies.models import Entry, Membership, Study

KEY = "0123456789abcdef01234567"


def sent(client: Client, study: Study, user: Any, changes: Any, **content: Any) -> Any:
    body = {"user": str(user.pk), "client_key": KEY, "changes": changes, **content}
    return client.post(f"/s/{study.id}/enter/save/", json.dumps(body), content_type="application/json")


def test_a_form_that_is_sent_whole_makes_an_entry(study: Study, bob: Any, as_bob: Client) -> None:
    page = as_bob.get(f"/s/{study.id}/enter/")
    assert page.status_code == 200
    assert not Entry.objects.exists()
    fields = {
        "client_key": KEY, "base": "0", "shown": "{}", "section": "0", "language": "en", "do": "save",
        "a|name|": "Ann", "a|age|": "63", "a|gender|": "f", "a|temperature|": "38,5", "a|drugs|": "yes",
        "a|admitted||day": "31", "a|admitted||month": "12", "a|admitted||year": "2025",
        "a|organisms|": ["can", "pse"],
    }  # fmt: skip
    answer = as_bob.post(f"/s/{study.id}/enter/", fields)
    entry = Entry.objects.get()
    assert answer["Location"].startswith(f"/s/{study.id}/entries/{entry.id}/")
    assert entry.answers["values"] == {
        "name": "Ann", "age": "63", "gender": "f", "temperature": "38.5", "drugs": "yes", "admitted": "2025-12-31",
        "organisms": ["pse", "can"],
    }  # fmt: skip
    url = f"/s/{study.id}/entries/{entry.id}/"
    shown = as_bob.get(url).context["entry_form"]["shown_json"]
    fields |= {"shown": shown, "base": "1", "a|name|": "Anna", "do": "add|episode"}
    del fields["a|organisms|"]  # no box is checked
    as_bob.post(url, fields)
    entry.refresh_from_db()
    assert entry.answers["values"]["name"] == "Anna"
    assert "organisms" not in entry.answers["values"]
    assert len(entry.revisions.first().patch) == 3
    assert len(entry.answers["episodes"]["episode"]) == 1
    key = entry.answers["episodes"]["episode"][0]["key"]
    assert f'name="a|diagnosis|{key}"' in as_bob.get(url).content.decode()


def test_a_refused_answer_keeps_what_was_typed(study: Study, as_bob: Client) -> None:
    fields = {"client_key": KEY, "base": "0", "shown": "{}", "a|age|": "six", "a|name|": "Ann"}
    answer = as_bob.post(f"/s/{study.id}/enter/", fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="six"' in page
    assert "wanted a whole number such as 12" in page
    assert Entry.objects.get().answers["values"] == {"name": "Ann"}


def test_changes_are_acknowledged_in_json(study: Study, bob: Any, as_bob: Client) -> None:
    changes = [{"question": "age", "value": "63", "base": 0}, {"question": "temperature", "value": "hot", "base": 0}]
    answer = sent(as_bob, study, bob, changes)
    content = answer.json()
    assert answer.status_code == 200
    assert content["revision"] == 1
    assert content["refused"][0]["question"] == "temperature"
    entry = Entry.objects.get()
    assert entry.centre.name == "Attiko"
    again = sent(as_bob, study, bob, changes)  # the first answer was lost on the way
    assert again.json()["revision"] == 1
    assert Entry.objects.count() == 1


MALFORMED: tuple[Any, ...] = (
    None, {}, [1], [{}], [{"question": 1}], [{"question": "age", "value": {}}], [{"question": "age", "value": [1]}],
    [{"question": "age", "episode": "<b>", "value": "1"}], [{"question": "age", "value": "1", "base": "x"}],
    [{"question": "age", "value": "1", "base": -1}], [{"group": "episode", "do": "add"}],
    [{"group": "episode", "episode": "e", "do": "drop"}], [{"question": "age", "value": "1"}] * 5001,
    [{"question": "a" * 41, "value": ""}],
)  # fmt: skip


def test_a_malformed_request_is_refused(study: Study, bob: Any, as_bob: Client) -> None:
    answers = [sent(as_bob, study, bob, changes) for changes in MALFORMED]
    answers += [sent(as_bob, study, bob, [], client_key=key) for key in (None, "", "x" * 65, 7, "a b" * 10)]
    for body in ("", "[]", "null", '{"user": 1}', "[" * 100_000, '{"changes": 1}', b"\xff"):
        answers.append(as_bob.post(f"/s/{study.id}/enter/save/", body, content_type="application/json"))
    for answer in answers:
        assert answer.status_code in (409, 422)
        assert answer.json()["sentence"]
    assert not Entry.objects.exists()


def test_a_text_that_no_database_keeps_is_refused(study: Study, bob: Any, as_bob: Client) -> None:
    for text in ("a\x00b", "\ud800", "x" * 10_001):
        answer = sent(as_bob, study, bob, [{"question": "name", "value": text}])
        assert answer.status_code == 200
        assert len(answer.json()["refused"]) == 1


def test_nothing_is_taken_unless_the_study_is_open(study: Study, bob: Any, as_bob: Client) -> None:
    change = [{"question": "age", "value": "63"}]
    entry = sent(as_bob, study, bob, change).json()
    for state, word in ((Study.PAUSED, "paused"), (Study.CLOSED, "closed"), (Study.DESIGN, "not open")):
        Study.objects.update(state=state)
        for url in (f"/s/{study.id}/enter/save/", entry["save"]):
            body = {"user": str(bob.pk), "client_key": KEY, "changes": [{"question": "age", "value": "64"}]}
            answer = as_bob.post(url, json.dumps(body), content_type="application/json")
            assert answer.status_code == 409
            assert word in answer.json()["sentence"]
        assert word in as_bob.get(f"/s/{study.id}/enter/").content.decode()
    assert Entry.objects.get().answers["values"] == {"age": "63"}


def test_grants_decide(study: Study, bob: Any, eve: Any, as_bob: Client, as_eve: Client) -> None:
    entry = sent(as_bob, study, bob, [{"question": "age", "value": "63"}]).json()
    member = Membership.objects.filter(study=study, user=bob)

    def change(client: Client, user: Any) -> int:
        body = json.dumps({"user": str(user.pk), "changes": [{"question": "age", "value": "64", "base": 9}]})
        return client.post(entry["save"], body, content_type="application/json").status_code

    assert change(as_eve, eve) == 404
    member.update(grants=[])
    assert change(as_bob, bob) == 409
    assert as_bob.get(f"/s/{study.id}/enter/").status_code == 404
    assert b"not change it" in as_bob.get(entry["url"]).content
    member.update(grants=["enter"])
    assert change(as_bob, bob) == 200  # a draft
    as_bob.post(entry["url"], {"do": "finish", "shown": "{}", "base": "2"})
    assert change(as_bob, bob) == 409
    member.update(grants=["edit"])
    assert change(as_bob, bob) == 200


def test_answers_for_another_person_are_refused(study: Study, bob: Any, eve: Any, as_eve: Client) -> None:
    answer = sent(as_eve, study, bob, [{"question": "age", "value": "63"}])
    assert answer.status_code == 409
    assert "Another person" in answer.json()["sentence"]
    assert not Entry.objects.exists()


def test_two_people_may_have_the_same_key_of_a_browser(
    study: Study, bob: Any, eve: Any, as_bob: Client, as_eve: Client
) -> None:
    for client, user in ((as_bob, bob), (as_eve, eve)):
        assert sent(client, study, user, [{"question": "age", "value": "63"}]).status_code == 200
    assert Entry.objects.count() == 2


def test_an_entry_is_finished_when_required_questions_are_answered(study: Study, bob: Any, as_bob: Client) -> None:
    from sfumato.web.studies.design.versions import publish_version

    for question in study.draft["questions"]:
        if question["key"] in ("age", "drug"):  # the drug is asked of those who received drugs
            question["required"] = True
    study.save()
    publish_version(study, bob)
    url = sent(as_bob, study, bob, [{"question": "drugs", "value": "yes"}]).json()["url"]
    post = {"do": "finish", "shown": "{}", "base": "1"}
    missing = as_bob.post(url, post, follow=True).context["missing"]
    assert [row["label"] for row in missing] == ["Age", "Drug name"]
    sent(as_bob, study, bob, [{"question": "drugs", "value": "no"}, {"question": "age", "value": "63"}])
    answer = as_bob.post(url, post)
    assert answer["Location"] == f"/s/{study.id}/enter/"
    assert Entry.objects.get().complete is not None
    refused = sent(as_bob, study, bob, [{"question": "age", "value": None}]).json()["refused"]
    assert "finished" in refused[0]["sentence"]


def test_signing_out_clears_what_waits_in_the_browser(study: Study, as_bob: Client) -> None:
    assert as_bob.post("/sign-out/")["Clear-Site-Data"] == '"storage"'
    assert as_bob.get(f"/s/{study.id}/enter/worker.js")["Location"].startswith("/sign-in/")


def test_the_worker_is_a_script_of_this_page_alone(study: Study, as_bob: Client) -> None:
    answer = as_bob.get(f"/s/{study.id}/enter/worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert "Service-Worker-Allowed" not in answer
    assert "script-src 'self'" in answer["Content-Security-Policy"]
