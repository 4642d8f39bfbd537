"""Random studies and random conditions: what the database answers beside the reference implementation.

    python -m trials.filters --count 5000 --seed 0

A case is a random form (with branching), a few entries with random answers of small domains, and conditions on them.
`SFUMATO_DATABASE_URL` chooses PostgreSQL; without it, the database is SQLite in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random
from time import monotonic
from typing import Any

__all__ = ["build", "conditions", "differences", "main", "random_form"]

WORDS = (
    "Amikacin",
    "amikacín",
    "100%",
    "10_0",
    "a\\b",
    "Ωμέγα ς",
    "x" * 199,
    "x" * 200,
    "x" * 260,
    "x" * 200 + "needle",
)
NUMBERS = ("-1", "0", "0.5", "2", "2.0", "3.25", "4")
DAY = date(2026, 3, 30)
TYPES = ("string", "integer", "decimal", "date", "yes_no", "one", "many")


def random_form(random: Random) -> dict[str, Any]:
    """A form of questions of all types and two recurring groups; some are asked only after certain answers."""
    questions = [_question(f"q{number}", kind) for number, kind in enumerate(TYPES)]
    questions[5]["when"] = {"rules": [{"question": "q4", "values": ["yes"]}]}
    for group in ("g", "h"):
        inner = [_question(f"{group}{number}", random.choice(TYPES)) for number in range(3)]
        inner += [{"key": f"{group}_{name}", "type": "date", "texts": {"en": name}} for name in ("from", "to")]
        if random.random() < 0.3:
            inner[4]["when"] = {"rules": [{"question": f"{group}0"}]}
        content = {"key": group, "type": "group", "texts": {"en": group}, "questions": inner}
        questions.append({**content, "starts": f"{group}_from", "ends": f"{group}_to"})
    if random.random() < 0.3:
        questions[-1]["when"] = {"rules": [{"question": "q4", "values": ["no"]}]}
    return {"languages": ["en"], "questions": questions}


def _question(key: str, kind: str) -> dict[str, Any]:
    content: dict[str, Any] = {"key": key, "type": kind, "texts": {"en": f"Question {key}"}}
    if kind in ("one", "many"):
        content["choices"] = [{"key": name, "texts": {"en": name.upper()}} for name in "abc"]
    return content


def _value(random: Random, kind: str) -> str | list[str]:
    """A stored text of a type; now and then one of another type, as an earlier version of a form may have left it."""
    if random.random() < 0.03:
        return "unreadable"
    if kind == "string":
        return random.choice(WORDS)
    if kind == "integer":
        return str(random.randrange(-1, 5))
    if kind == "decimal":
        return random.choice(NUMBERS)
    if kind == "date":
        return (DAY + timedelta(days=random.randrange(6))).isoformat()
    if kind == "yes_no":
        return random.choice(("yes", "no"))
    if kind == "one":
        return random.choice("abc")
    return sorted(random.sample("abc", random.randrange(1, 4)))


def _answers(random: Random, form: dict[str, Any]) -> dict[str, Any]:
    def values(questions: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            question["key"]: _value(random, question["type"])
            for question in questions
            if question["type"] != "group" and random.random() < 0.75
        }

    episodes = {
        group["key"]: [{"key": f"e{n}", "values": values(group["questions"])} for n in range(random.randrange(4))]
        for group in form["questions"]
        if group["type"] == "group"
    }
    return {"values": values(form["questions"]), "episodes": episodes}


def build(random: Random, study: Any, authors: list[Any], count: int) -> None:
    """Fill a study with entries of random answers, and publish its random form."""
    from sfumato.web.studies.design.versions import publish_version
    from sfumato.web.studies.models import Centre, Entry

    study.draft = random_form(random)
    study.save()
    version = publish_version(study, authors[0])
    centres = [None, *(Centre.objects.create(study=study, name=name) for name in ("Attiko", "Laiko"))]
    now = datetime(2026, 4, 2, tzinfo=UTC)
    rows = []
    for number in range(count):
        created = now - timedelta(hours=random.randrange(96), microseconds=random.choice((0, 1)))
        rows.append(
            Entry(
                study=study,
                number=number,
                author=random.choice(authors),
                centre=random.choice(centres),
                form_version=version,
                answers=_answers(random, study.draft),
                client_key=str(number),
                created=created,
                complete=random.choice((None, now)),
                withdrawn=now if random.random() < 0.2 else None,
                deleted=now if random.random() < 0.1 else None,
                double_of=rows[0] if rows and random.random() < 0.1 else None,
            )
        )
    _index(study, Entry.objects.bulk_create(rows))


def _index(study: Any, entries: list[Any]) -> None:
    from sfumato.web.studies.entry.indexing import index_entries, question_rows
    from sfumato.web.studies.forms.tree import Form

    index_entries(entries, Form.from_json(study.form_version.tree), question_rows(study))


def conditions(random: Random, study: Any, ids: list[str], count: int) -> Iterator[dict[str, Any]]:
    """Random conditions that fit the form of a study, in JSON."""
    form = study.draft
    for _number in range(count):
        yield _condition(random, form, ids, 0)


def _condition(random: Random, form: dict[str, Any], ids: list[str], depth: int) -> dict[str, Any]:
    groups = [question for question in form["questions"] if question["type"] == "group"]
    asked = [question for question in form["questions"] if question["type"] != "group"]
    asked += [question for group in groups for question in group["questions"]]
    kind = random.choice(
        ("all", "any", "not", "is", "is", "is", "about", "has", "then", "during") if depth < 3 else ("is", "has")
    )
    if kind in ("all", "any"):
        return {kind: [_condition(random, form, ids, depth + 1) for _ in range(random.randrange(1, 4))]}
    if kind == "not":
        return {"not": _condition(random, form, ids, depth + 1)}
    if kind == "is":
        question = random.choice(asked)
        return {"is": question["key"], "test": _test(random, question["type"])}
    if kind == "about":
        return _about(random, ids)
    if kind == "has":
        return _has(random, random.choice(groups), random.randrange(1, 4))
    parts = [_has(random, random.choice(groups), 1) for _ in range(2 if kind == "during" else random.randrange(2, 4))]
    if kind == "during":
        return {"during": parts}
    return {"then": parts, "within_days": random.choice((None, 1, 2, 3))}


def _has(random: Random, group: dict[str, Any], at_least: int) -> dict[str, Any]:
    inside = None if random.random() < 0.3 else _inside(random, group, 0)
    return {"has": group["key"], "inside": inside, "at_least": at_least}


def _inside(random: Random, group: dict[str, Any], depth: int) -> dict[str, Any]:
    kind = random.choice(("all", "any", "not", "is", "is") if depth < 2 else ("is",))
    if kind in ("all", "any"):
        return {kind: [_inside(random, group, depth + 1) for _ in range(random.randrange(1, 3))]}
    if kind == "not":
        return {"not": _inside(random, group, depth + 1)}
    question = random.choice(group["questions"])
    return {"is": question["key"], "test": _test(random, question["type"])}


def _test(random: Random, kind: str) -> dict[str, Any]:
    if random.random() < 0.1:
        return {"answered": True}
    if kind == "string" and random.random() < 0.5:
        return {
            "contains": random.choice(
                ("AMIKAC\u0399N", "amikacin", "%", "_", "\\", "ωμεγα Σ", "needle", "0", "x" * 200)
            )
        }
    if kind in ("integer", "decimal", "date") and random.random() < 0.6:
        bounds = [str(_value(Random(random.random()), kind)).replace("unreadable", "") for _ in range(2)]
        bounds[random.randrange(2)] = "" if random.random() < 0.5 and all(bounds) else bounds[0]
        if any(bounds):
            return {"between": bounds, "strict": random.random() < 0.5}
    values: list[str] = []
    while not values:
        value = _value(random, kind)
        values += [word for word in ([value] if isinstance(value, str) else value) if word != "unreadable"]
    return {"one_of": values}


def _about(random: Random, ids: list[str]) -> dict[str, Any]:
    field = random.choice(("created", "author", "centre", "state"))
    if field == "created":
        days = [(date(2026, 3, 29) + timedelta(days=random.randrange(6))).isoformat() for _ in range(2)]
        return {
            "about": field,
            "test": {"between": [days[0], random.choice(("", days[1]))], "strict": random.random() < 0.5},
        }
    if field == "state":
        return {
            "about": field,
            "test": {"one_of": random.sample(("draft", "complete", "withdrawn"), random.randrange(1, 3))},
        }
    if field == "centre" and random.random() < 0.3:
        return {"about": field, "test": {"answered": True}}
    return {"about": field, "test": {"one_of": random.sample(ids, random.randrange(1, 3))}}


def differences(random: Random, study: Any, authors: list[Any], *, entries: int = 8, count: int = 12) -> list[str]:
    """The conditions of one random case on which the database and the reference implementation differ."""
    from sfumato.web.studies.filtering.compiling import entries_where
    from sfumato.web.studies.filtering.conditions import from_json, to_json
    from sfumato.web.studies.filtering.twin import Facts, holds
    from sfumato.web.studies.forms.answers import Answers
    from sfumato.web.studies.forms.tree import Form
    from sfumato.web.studies.models import Entry

    build(random, study, authors, entries)
    form = Form.from_json(study.form_version.tree)
    ids = [str(pk) for pk in (*(user.pk for user in authors), *study.centres.values_list("pk", flat=True))]
    visible = {
        author: Entry.counted_in(study, authors[0], "participant" if author else "administrator")
        for author in (None, authors[0])
    }
    rows = {author: list(queryset) for author, queryset in visible.items()}
    different = []
    for content in conditions(random, study, ids, count):
        condition = from_json(content)
        if from_json(json.loads(json.dumps(to_json(condition)))) != condition:
            different.append(f"not the same after JSON: {json.dumps(content)}")
        author = random.choice((None, authors[0]))
        expected = {
            entry.pk
            for entry in rows[author]
            if holds(condition, form, Answers.from_json(entry.answers), Facts.of(entry))
        }
        result = list(entries_where(study, condition, visible[author], author, form).values_list("pk", flat=True))
        if set(result) != expected or len(result) != len(expected):
            different.append(json.dumps(content))
    return different


def main(arguments: list[str] | None = None) -> int:
    """Run random cases on a database of their own, and print those on which the two differ."""
    parser = argparse.ArgumentParser(prog="python -m trials.filters", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, metavar="N", help="cases [5000]")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="where the numbers of the cases begin [0]")
    parser.add_argument("--seconds", type=float, default=0, metavar="T", help="begin no case after so long [no limit]")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sfumato.web.settings")
    import django
    from django.conf import settings

    if not os.environ.get("SFUMATO_DATABASE_URL"):
        settings.DATABASES["default"]["NAME"] = ":memory:"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    cases, violations = _run(options.count, options.seed, options.seconds)
    print(json.dumps({"cases": cases, "violations": violations}))
    return 1 if violations else 0


def _run(count: int, seed: int, seconds: float) -> tuple[int, list[str]]:
    """How many cases were tried, and those on which the two differ."""
    from django.db import transaction

    from sfumato.web.accounts.models import User
    from sfumato.web.studies.models import Study

    authors = [User.objects.create_user(name) for name in ("ann", "bob")]
    violations, cases, end = [], 0, monotonic() + seconds
    for number in range(seed, seed + count):
        if seconds and monotonic() > end:
            break
        cases += 1
        with transaction.atomic():
            study = Study.objects.create(name=f"case {number}", languages=["en"])
            found = differences(Random(number), study, authors)
            violations += [f"case {number}: {sentence}" for sentence in found]
            transaction.set_rollback(True)
    return cases, violations


if __name__ == "__main__":
    sys.exit(main())
