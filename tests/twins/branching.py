"""Random forms with answers, and a literal reading of which of their questions are asked."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from typing import Any

TYPES = ("string", "integer", "decimal", "date", "yes_no", "one", "many", "calculated", "title")
TEXTS = {
    "string": ["a", "b", "yes", "5"],
    "integer": ["0", "1", "2", "-3", "10"],
    "decimal": ["0", "1.5", "2.50", "-3", "10"],
    "date": ["0001-01-01", "2020-02-29", "2026-11-16", "9999-12-31"],
    "yes_no": ["yes", "no"],
    "one": ["x", "y", "z"],
}


def world(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A form and answers, in JSON; rules may name unknown questions, other groups and circles."""
    chance = random.Random(seed)
    keys = [f"q{number}" for number in range(chance.randint(1, 9))]
    questions: list[dict[str, Any]] = []
    kinds: dict[str, str] = {}
    for key in keys:
        kinds[key] = chance.choice(TYPES)
        question = {"key": key, "type": kinds[key], "texts": {"en": key}}
        if kinds[key] in ("one", "many"):
            question["choices"] = [{"key": name, "texts": {"en": name}} for name in "xyz"]
        if kinds[key] == "calculated":
            question["formula"] = chance.choice(["1 + 1", f"{chance.choice(keys)} + 1", f"{chance.choice(keys)} > 1"])
        questions.append(question)
    for question in questions:
        rules = [rule(chance, [*keys, "gone"], kinds) for _ in range(chance.choice([0, 0, 1, 1, 2, 3]))]
        if rules:
            question["when"] = {"join": chance.choice(["all", "any"]), "rules": rules}
    cut = sorted(chance.choices(range(len(questions) + 1), k=3)) if chance.random() < 0.7 else [0, 0, 0]
    groups: list[dict[str, Any]] = [
        {"key": name, "type": "group", "texts": {"en": name}, "questions": questions[start:end]}
        for name, start, end in (("g", cut[0], cut[1]), ("h", cut[1], cut[2]))
    ]
    for group in groups:
        if chance.random() < 0.4:
            group["when"] = {"rules": [rule(chance, keys, kinds)]}
    form = {"languages": ["en"], "questions": [*questions[: cut[0]], *groups, *questions[cut[2] :]]}
    outside = {question["key"] for question in (*questions[: cut[0]], *questions[cut[2] :])}
    answers: dict[str, Any] = {"values": values(chance, outside, kinds), "episodes": {}}
    for group in groups:
        inside = {question["key"] for question in group["questions"]}
        count = chance.choice([0, 1, 2, 3])
        rows = [{"key": f"e{number}", "values": values(chance, inside, kinds)} for number in range(count)]
        if rows:
            answers["episodes"][group["key"]] = rows
    return form, answers


def rule(chance: random.Random, keys: list[str], kinds: dict[str, str]) -> dict[str, Any]:
    """A rule about one of the questions: values, bounds, or any answer."""
    key = chance.choice(keys)
    texts = TEXTS.get(kinds.get(key, ""), ["x", "y", "2"])
    shape = chance.choice(["values", "bounds", "answered"])
    if shape == "values":
        return {"question": key, "values": chance.sample(texts, chance.randint(1, 2))}
    if shape == "bounds":
        bounds = {name: chance.choice(texts) for name in ("low", "high") if chance.random() < 0.7}
        return {"question": key, **bounds}
    return {"question": key}


def values(chance: random.Random, keys: set[str], kinds: dict[str, str]) -> dict[str, Any]:
    """Answers to some of the questions; a few are of another type, as after a change of the form."""
    chosen: dict[str, Any] = {}
    for key in sorted(keys):
        kind = kinds[key]
        if kind in ("title", "calculated") or chance.random() < 0.25:
            continue
        if kind == "many":
            chosen[key] = chance.sample(["x", "y", "z"], chance.randint(1, 3))
        else:
            chosen[key] = chance.choice(TEXTS[kind if chance.random() < 0.9 else "string"])
    return chosen


def literally_asked(form: dict[str, Any], answers: dict[str, Any]) -> set[tuple[str, str]]:
    """The questions that are asked; `answers` have the calculated ones.  Written from the definition, slowly."""
    place: dict[str, tuple[dict[str, Any], str]] = {}
    for question in form["questions"]:
        place[question["key"]] = (question, "")
        for inner in question.get("questions", ()):
            place[inner["key"]] = (inner, question["key"])
    rows = {
        (group, episode["key"]): episode["values"]
        for group, episodes in answers["episodes"].items()
        for episode in episodes
    }
    rows["", ""] = answers["values"]

    def needs(key: str) -> set[str]:
        question, group = place[key]
        read = {rule["question"] for rule in question.get("when", {}).get("rules", ())}
        formula = question.get("formula", "") if question["type"] == "calculated" else ""
        named = {other for other in place if other in formula.replace("+", " ").replace(">", " ").split()}
        return ({*read, *named, *(place[other][1] for other in named), group} - {""}) & place.keys()

    def in_circle(key: str) -> bool:
        reached, waiting = set[str](), [key]
        while waiting:
            for other in needs(waiting.pop()):
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return key in reached

    def behind_circle(key: str, seen: frozenset[str] = frozenset()) -> bool:
        if key in seen or in_circle(key):
            return True
        return any(behind_circle(other, seen | {key}) for other in needs(key))

    def holds(test: dict[str, Any], group: str, episode: str) -> bool:
        if test["question"] not in place:
            return False
        enabling, other = place[test["question"]]
        if other not in ("", group):
            return False
        inside = episode if other else ""
        stored = rows.get((other, inside), {}).get(test["question"])
        if stored is None or not is_asked(test["question"], inside):
            return False
        if test.get("values"):
            return any(text in test["values"] for text in ([stored] if isinstance(stored, str) else stored))
        if not test.get("low") and not test.get("high"):
            return True
        readings = [reading(enabling["type"], text) for text in (stored, test.get("low"), test.get("high"))]
        value, low, high = readings
        if value is None or (test.get("low") and low is None) or (test.get("high") and high is None):
            return False
        if any(bound is not None and isinstance(bound, date) != isinstance(value, date) for bound in (low, high)):
            return False
        return (low is None or low <= value) and (high is None or value <= high)

    def is_asked(key: str, episode: str) -> bool:
        question, group = place[key]
        if behind_circle(key) or (group and not is_asked(group, "")):
            return False
        results = [holds(test, group, episode) for test in question.get("when", {}).get("rules", ())]
        return not results or (any if question["when"].get("join") == "any" else all)(results)

    everywhere = [
        (key, episode) for key, (_question, group) in place.items() for (other, episode) in rows if other == group
    ]
    return {(key, episode) for key, episode in everywhere if is_asked(key, episode)}


def reading(kind: str, text: Any) -> Any:
    """The number or day of a text; None if it stands for none."""
    if not isinstance(text, str) or not text:
        return None
    digits = text.removeprefix("-")
    is_number = digits.replace(".", "", 1).isdigit() and not digits.startswith(".")
    if kind == "integer":
        return int(text) if digits.isdigit() else None
    if kind == "decimal" or (kind == "calculated" and is_number):
        return Decimal(text) if is_number else None
    is_day = len(text) == 10 and text[4] == text[7] == "-" and text.replace("-", "").isdigit()
    return date.fromisoformat(text) if kind in ("date", "calculated") and is_day else None
