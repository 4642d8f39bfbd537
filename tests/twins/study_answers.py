"""What an entry of a study shows, computed slowly from its JSON and the JSON of the form: readings, cells, history."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from twins.branching import literally_asked

PLAIN = {
    "string": re.compile(r".+", re.DOTALL),
    "integer": re.compile(r"0|-?[1-9][0-9]*"),
    "decimal": re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"),
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "yes_no": re.compile(r"yes|no"),
}


def questions_of(form: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """Each question with the key of its group, by key."""
    pairs = {}
    for question in form["questions"]:
        pairs[question["key"]] = (question, "")
        for inner in question.get("questions", ()):
            pairs[inner["key"]] = (inner, question["key"])
    return pairs


def places(answers: dict[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """Each stored answer: group, episode, key of the question, text."""
    for key, stored in answers.get("values", {}).items():
        yield "", "", key, stored
    for group, episodes in answers.get("episodes", {}).items():
        for episode in episodes:
            for key, stored in episode["values"].items():
                yield group, episode["key"], key, stored


def shown(question: dict[str, Any], stored: Any, lists: dict[str, dict[str, str]]) -> frozenset[str] | None:
    """What a person reads as the answer; None if the type of the question does not read it."""
    texts = [stored] if isinstance(stored, str) else list(stored)
    if question["type"] != "many" and len(texts) != 1:
        return None
    if question["type"] in ("one", "many", "list"):
        options = (
            lists.get(question.get("choice_list", ""), {})
            if question["type"] == "list"
            else {choice["key"]: choice["texts"]["en"] for choice in question["choices"]}
        )
        return frozenset(options[text] for text in texts) if options.keys() >= set(texts) else None
    pattern = PLAIN.get(question["type"])
    return frozenset(texts) if pattern and pattern.fullmatch(texts[0]) else None


def calculated(form: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    """The answers with the calculated ones; formulas are ``a + 1`` and ``a > 1``, on questions outside of groups."""
    pairs = questions_of(form)
    formulas = {key: question["formula"] for key, (question, _) in pairs.items() if question["type"] == "calculated"}
    values, episodes = dict(answers["values"]), copy.deepcopy(answers["episodes"])
    rows = [("", "", values), *((group, row["key"], row["values"]) for group in episodes for row in episodes[group])]
    for _group, _episode, scope in rows:
        for key in formulas.keys() & scope.keys():
            del scope[key]
    for _round in range(len(formulas) + 1):
        before = dict(values)
        asked = literally_asked(form, {"values": values, "episodes": episodes})
        for key, formula in formulas.items():
            name, sign, _number = formula.split()
            text = before.get(name) if (name, "") in asked else None
            kind = pairs[name][0]["type"] if name in pairs else ""
            is_number = isinstance(text, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) and kind in NUMBERS
            for _group, episode, scope in (row for row in rows if row[0] == pairs[key][1]):
                if (key, episode) not in asked or not is_number:
                    scope.pop(key, None)
                elif sign == "+":
                    scope[key] = _short(Decimal(text) + 1)
                else:
                    scope[key] = "yes" if Decimal(text) > 1 else "no"
    return {"values": values, "episodes": episodes}


NUMBERS = ("integer", "decimal", "calculated")


def _short(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def cells(form: dict[str, Any], answers: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """The cells of an entry: question, episode, word, number, day."""
    complete = calculated(form, {"values": answers.get("values", {}), "episodes": answers.get("episodes", {})})
    asked, pairs = literally_asked(form, complete), questions_of(form)
    rows: Counter[tuple[Any, ...]] = Counter()
    for group, episode, key, stored in places(complete):
        if key not in pairs or pairs[key][1] != group or (key, episode) not in asked:
            continue
        kind = pairs[key][0]["type"]
        if kind in ("title", "group"):
            continue
        for text in [stored] if isinstance(stored, str) else stored:
            number = float(text) if kind in ("integer", "decimal") or _is_number(kind, text) else None
            day = date.fromisoformat(text).toordinal() if kind == "date" else None
            word = text if number is None and day is None else None
            rows[key, episode or None, word, number, day] += 1
    return rows


def episodes(form: dict[str, Any], answers: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """The episodes of an entry whose group is asked: group, key, position, first and last day."""
    complete = calculated(form, {"values": answers.get("values", {}), "episodes": answers.get("episodes", {})})
    asked, rows = literally_asked(form, complete), Counter[tuple[Any, ...]]()
    for group in form["questions"]:
        if (group["key"], "") not in asked:
            continue
        for position, episode in enumerate(complete["episodes"].get(group["key"], ())):
            days = []
            for name in (group.get("starts"), group.get("ends")):
                text = episode["values"].get(name) if (name, episode["key"]) in asked else None
                days.append(None if text is None else date.fromisoformat(text).toordinal())
            rows[group["key"], episode["key"], position, *days] += 1
    return rows


def missing(form: dict[str, Any], answers: dict[str, Any]) -> int:
    """How many required questions are asked and not answered."""
    complete = calculated(form, {"values": answers.get("values", {}), "episodes": answers.get("episodes", {})})
    required = {key for key, (question, _group) in questions_of(form).items() if question.get("required")}
    wanted = {place for place in literally_asked(form, complete) if place[0] in required}
    return len(wanted - {(key, episode) for _group, episode, key, _stored in places(complete)})


def _is_number(kind: str, text: str) -> bool:
    return kind == "calculated" and text not in ("yes", "no")


def replayed(patches: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """The answers that all changes of the history together make."""
    values: dict[str, Any] = {}
    episodes: dict[str, list[dict[str, Any]]] = {}
    for change in (change for patch in patches for change in patch):
        if change.get("do") == "add":
            episodes.setdefault(change["group"], []).append({"key": change["episode"], "values": {}})
        elif change.get("do") == "retire":
            rows = episodes[change["group"]]
            rows[:] = [row for row in rows if row["key"] != change["episode"]]
        else:
            owner = values
            if change["episode"]:
                every = [row for rows in episodes.values() for row in rows]
                owner = next(row["values"] for row in every if row["key"] == change["episode"])
            if change["value"] is None:
                owner.pop(change["question"], None)
            else:
                owner[change["question"]] = change["value"]
    return {"values": values, "episodes": {group: rows for group, rows in episodes.items() if rows}}
