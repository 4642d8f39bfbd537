"""A participant learns nothing of another centre: not by pages, files or refusals, and not by the work they cause.

The work is counted in instructions of the database.  Time varies from run to run; instructions do not, and they grow
with every row of others that a statement touches.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from web.every_study import OWN
from web.every_url import Address, addresses

# the token of a form, the key of a new entry, the time at which an SPSS file is written
RANDOM = re.compile(rb"\b(?:[A-Za-z0-9]{64}|[0-9a-f]{32})\b|(?<=\d\d [A-Z][a-z]{2} \d\d)\d\d:\d\d:\d\d")
PAGES = [address for address in addresses() if address.role == "participant" and "study_id" in address.arguments]
OTHERS = 20  # entries
END = 5  # instructions that depend on whether a row of others, or nothing, ends what is read of an index
EVERYTHING = {"kind:r": "all", "column": ["name", "age", "diagnosis"]}
AGE = {**EVERYTHING, "kind:r-0": "is", "key:r-0": "age", "test:r-0": "between", "low:r-0": "30", "path": "r-0"}
NAME = {**EVERYTHING, "kind:r-0": "is", "key:r-0": "name", "test:r-0": "contains", "text:r-0": "secret", "path": "r-0"}
ANSWERED = {**EVERYTHING, "kind:r-0": "is", "key:r-0": "gender", "test:r-0": "answered"}
NOT = {**EVERYTHING, "kind:r-0": "not", "kind:r-0-0": "is", "key:r-0-0": "gender", "test:r-0-0": "answered"}
EPISODE = {**EVERYTHING, "kind:r-0": "has", "key:r-0": "episode", "kind:r-0-0": "all"}
THEN = {**EVERYTHING, "kind:r-0": "then", "within:r-0": "7"} | {
    f"{name}:r-0-{number}{place}": value
    for number in (0, 1)
    for name, place, value in (("kind", "", "has"), ("key", "", "episode"), ("kind", "-0", "all"))
}
DRAWN = {"counting": "entries", "kind": "pie", "first": "gender", "format": "csv"}
POSTED = {
    "study-filter": [EVERYTHING, AGE, NAME, ANSWERED, NOT, EPISODE, THEN],
    "study-filter-part": [{"kind:r": "all", "do": f"add:r:is:{key}"} for key in ("age", "name", "gender", "diagnosis")],
    "study-filter-count": [EVERYTHING, AGE, NAME, ANSWERED, NOT, EPISODE, THEN],
    "study-filter-values": [AGE, NAME],
    "study-chart": [
        DRAWN,
        {**DRAWN, "second": "age"},
        {**DRAWN, "first": "name"},
        {**DRAWN, "first": "diagnosis", "counting": "episode"},
    ],
    "study-chart-download": [DRAWN, {**DRAWN, "first": "name", "second": "gender"}],
    "study-export": [EVERYTHING, AGE],
    "study-export-download": [{**AGE, "format": kind, "groups": "wide"} for kind in ("csv", "xlsx", "sav")],
}


@contextmanager
def instructions() -> Iterator[list[int]]:
    """Count the instructions that the database executes."""
    counts = [0]

    def count() -> int:
        counts[0] += 1
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(count, 1)
    try:
        yield counts
    finally:
        connection.connection.set_progress_handler(None, 0)


def asked(session: str, method: str, url: str, content: Any = None) -> tuple[int, bytes, int]:
    """The status and the content of an answer, and the instructions that it took; nothing is kept of it."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session
    with transaction.atomic(), instructions() as counts:
        answer = getattr(browser, method)(url, content)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        transaction.set_rollback(True)
    return answer.status_code, RANDOM.sub(b"", body), counts[0]


def check(observe: Callable[[], dict[str, Any]], others: Callable[[], None]) -> dict[str, Any]:
    """What is observed, which does not change when others enter answers; the last item of it is the work."""
    observe()  # what is read once in a process is read now
    before = observe()
    others()
    after = observe()
    assert {name for name in before if before[name][:-1] != after[name][:-1]} == set()
    work = {name: after[name][-1] - before[name][-1] for name in before}
    assert {name: more for name, more in work.items() if abs(more) > END} == {}
    return after


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """No note that a session is in use in between."""
    monkeypatch.setattr("sfumato.web.accounts.sessions._EVERY_S", 10**9)


@pytest.fixture
def session(as_bob: Client) -> str:
    """The session of the participant of Attiko."""
    as_bob.get("/")
    return str(as_bob.cookies[settings.SESSION_COOKIE_NAME].value)


@pytest.fixture
def others(enter: Any, eve: Any) -> Callable[[], None]:
    """The participant of the other centre enters much, also values that nobody has entered."""

    def enter_much() -> None:
        for number in range(OTHERS):
            episodes = [{"diagnosis": f"secret {number}", "from": "2026-01-01", "dose": str(number)}] * (number % 3)
            enter(eve, {"name": f"secret {number}", "age": str(20 + number), "gender": "f"}, episode=episodes)

    return enter_much


@pytest.fixture
def own(enter: Any, bob: Any, eve: Any) -> Any:
    """What the participant entered, beside an entry of the other centre, which ends what is read of an index."""
    enter(eve, {"name": "secret", "age": "20", "gender": "f"}, episode=[{"diagnosis": "secret"}])
    enter(bob, {"name": "own", "age": "63", "gender": "m"}, episode=[{"diagnosis": "flu", "from": "2026-01-01"}])
    return enter(bob, {"name": "own", "age": "64", "gender": "f", "organisms": ["pse"]})


def objects(study: Any, entry: Any, bob: Any) -> dict[str, Any]:
    """Values for the arguments of a participant's pages."""
    from sfumato.web.studies.models import Note, View

    return {
        "study_id": study.id,
        "entry_id": entry.id,
        "note_id": Note.objects.create(entry=entry, text="mine", by=bob).id,
        "view_id": View.objects.create(study=study, owner=bob, name="mine").id,
        "question_key": "age",
        "episode_key": "episode0",
        "number": 1,
    }


def test_pages_and_their_work_do_not_depend_on_others(
    study: Any, bob: Any, session: str, own: Any, others: Callable[[], None]
) -> None:
    values = objects(study, own, bob)
    unknown = {name for page in PAGES for name in page.arguments} - set(values)
    assert not unknown, f"this test makes no object for {unknown}"

    def observe() -> dict[str, Any]:
        seen = {}
        for page in PAGES:
            url = page.url(values)
            seen[f"{page.name} get"] = asked(session, "get", url)
            for number, content in enumerate([{}, *POSTED.get(page.name, ())]):
                seen[f"{page.name} post {number}"] = asked(session, "post", url, content)
        return seen

    seen = check(observe, others)
    silent = {name for name in seen if "post" in name and seen[name][0] in (404, 405) and not name.endswith(" 0")}
    assert silent == set(), "what is posted here is not what the page reads"
    assert not any(b"secret 1" in body for _status, body, _work in seen.values())


def test_work_is_counted_where_rows_of_others_are_touched(study: Any, others: Callable[[], None]) -> None:
    """The rule itself can fail: a count over all entries of a study takes more work."""

    def observe() -> dict[str, tuple[int]]:
        with instructions() as counts:
            study.entries.filter(answers__has_key="values").count()
        return {"count": (counts[0],)}

    with pytest.raises(AssertionError, match="count"):
        check(observe, others)


@pytest.mark.parametrize(
    "address", [page for page in PAGES if OWN & set(page.arguments)], ids=lambda address: address.name
)
def test_what_another_centre_has_is_as_absent_as_what_nobody_has(
    address: Address, study: Any, eve: Any, session: str, enter: Any
) -> None:
    theirs = objects(study, enter(eve, {"name": "secret"}), eve)
    nobodys = theirs | {name: uuid.uuid4() for name in OWN}
    for method in ("get", "post"):
        answers = [asked(session, method, address.url(values))[:2] for values in (theirs, nobodys)]
        assert answers[0] == answers[1]
        assert answers[0][0] in (404, 405)


def test_a_participant_does_not_open_pages_of_the_whole_study(study: Any, as_bob: Client) -> None:
    addresses_of_all = [f"/s/{study.id}/{page}/" for page in ("people", "people/audit-trail", "design", "release")]
    assert {as_bob.get(address).status_code for address in addresses_of_all} == {404}
