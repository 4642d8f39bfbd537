"""Forms of studies that browser tests fill in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def small() -> dict[str, Any]:
    """Two sections with every type of question, branching, a group and a calculated answer."""
    words = {"f": "female", "m": "male"}
    return {
        "languages": ["en", "el"],
        "questions": [
            {"key": "t1", "type": "title", "texts": {"en": "Patient", "el": "Ασθενής"}},
            {"key": "name", "type": "string", "texts": {"en": "Patient name", "el": "Όνομα"}, "required": True},
            {"key": "age", "type": "integer", "texts": {"en": "Age"}, "low": "0", "high": "120"},
            {
                "key": "gender",
                "type": "one",
                "texts": {"en": "Gender"},
                "choices": [{"key": key, "texts": {"en": text}} for key, text in words.items()],
            },
            {"key": "temperature", "type": "decimal", "texts": {"en": "Temperature"}, "unit": "°C"},
            {"key": "admitted", "type": "date", "texts": {"en": "Admitted"}, "hints": {"en": "to this hospital"}},
            {"key": "t2", "type": "title", "texts": {"en": "Treatment"}},
            {"key": "drugs", "type": "yes_no", "texts": {"en": "Received drugs"}},
            {
                "key": "drug",
                "type": "string",
                "texts": {"en": "Drug name"},
                "when": {"rules": [{"question": "drugs", "values": ["yes"]}]},
            },
            {
                "key": "organisms",
                "type": "many",
                "texts": {"en": "Microorganisms"},
                "choices": [{"key": f"o{n}", "texts": {"en": f"Organism {n}"}} for n in range(4)],
            },
            {
                "key": "town",
                "type": "one",
                "texts": {"en": "Town"},
                "choices": [{"key": f"c{n}", "texts": {"en": f"Town {n}"}} for n in range(40)],
            },
            {
                "key": "episode",
                "type": "group",
                "texts": {"en": "Episode"},
                "starts": "from",
                "questions": [
                    {"key": "diagnosis", "type": "string", "texts": {"en": "Diagnosis"}},
                    {"key": "from", "type": "date", "texts": {"en": "From"}},
                    {"key": "dose", "type": "decimal", "texts": {"en": "Dose"}, "unit": "mg"},
                ],
            },
            {"key": "total", "type": "calculated", "texts": {"en": "Total dose"}, "formula": "sum(dose)", "unit": "mg"},
        ],
    }


def large() -> dict[str, Any]:
    """5,000 questions in 50 sections."""
    questions: list[dict[str, Any]] = []
    for section in range(50):
        questions.append({"key": f"s{section}", "type": "title", "texts": {"en": f"Section {section}"}})
        for number in range(100):
            key = f"q{section}_{number}"
            question: dict[str, Any] = {"key": key, "type": "integer", "texts": {"en": f"Question {section}.{number}"}}
            if number % 10 == 5:
                question["when"] = {"rules": [{"question": f"q{section}_{number - 1}", "low": "1"}]}
            questions.append(question)
    return {"languages": ["en"], "questions": questions}


def episodes() -> dict[str, Any]:
    """A group of twenty questions."""
    inner = [{"key": f"t{n}", "type": "integer", "texts": {"en": f"Part {n}"}} for n in range(20)]
    group = {"key": "treatment", "type": "group", "texts": {"en": "Treatment"}, "questions": inner}
    total = {"key": "total", "type": "calculated", "texts": {"en": "Total"}, "formula": "sum(t1)"}
    return {"languages": ["en"], "questions": [group, total]}


FORMS: dict[str, Callable[[], dict[str, Any]]] = {"small": small, "large": large, "episodes": episodes}
