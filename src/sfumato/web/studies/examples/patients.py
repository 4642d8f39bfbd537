"""Made-up patients of two hospitals: the answers of the demonstration study.  Without Django.

The answers hang together as a reader expects: older patients have more microorganisms, the medicine fits the
microorganism, fever comes with bacteremia, and the outcome depends on all of them.  No real person is in them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sfumato.web.studies.forms.answers import Answers, Stored

__all__ = ["CENTRES", "Patient", "patients"]

CENTRES = ("attikon", "laiko")
_FIRST_DAY, _DAYS = date(2025, 1, 1), 540
_WOMEN = ("Anna", "Eleni", "Ioanna", "Katerina", "Maria", "Sofia", "Vasiliki", "Zoi")
_MEN = ("Andreas", "Dimitris", "Giorgos", "Ilias", "Kostas", "Nikos", "Petros", "Stavros")
_FAMILY = ("Alevizou", "Drakou", "Galani", "Kanelli", "Lamprou", "Mavrou", "Pavlou", "Rousou", "Stamou", "Vlachou")
_MEDICINES = {"pse": "amikacin", "can": "fluconazole", "sal": "ampicillin", "cit": "cefotaxime", "kle": "ceftazidime"}
_DOSES = {"amikacin": (1.5, 5.0), "vancomycin": (500.0, 1000.0)}


@dataclass
class Patient:
    """An entry: whose it is (the place of its centre), its answers, and whether its author finished it.

    days_ago : how many days ago it was entered.  version : of the form in which it was entered first.
    """

    centre: int
    answers: Answers
    finished: bool
    days_ago: float
    version: int

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Patient:
        """The patient that `to_json` wrote."""
        return cls(**{**content, "answers": Answers.from_json(content["answers"])})

    def to_json(self) -> dict[str, Any]:
        """JSON."""
        return {**vars(self), "answers": self.answers.to_json()}


def patients(count: int, seed: int) -> list[Patient]:
    """So many patients, the same for the same seed, in the order in which they were entered."""
    draw = random.Random(seed)
    people = [_patient(draw, place / count) for place in range(count)]
    return sorted(people, key=lambda patient: -patient.days_ago)


def _patient(draw: random.Random, share: float) -> Patient:
    centre = draw.choices((0, 1), (3, 2))[0]
    woman = draw.random() < (0.44, 0.58)[centre]
    age = min(97.0, max(1.0, draw.gauss((58, 49)[centre], 19)))
    admitted = _FIRST_DAY + timedelta(days=draw.randrange(_DAYS))
    birth = admitted - timedelta(days=round(age * 365.25))
    organisms = _organisms(draw, age, admitted)
    episodes = _episodes(draw, organisms, age, admitted)
    severe = 0.02 * (age - 50) + 0.5 * len(organisms) + 0.6 * len(episodes) + draw.gauss(0, 1)
    fever = 37.0 + 0.35 * len(organisms) + 0.6 * sum(values["diagnosis"] == "bacteremia" for values in episodes)
    values: dict[str, Stored] = {
        "name": _name(draw, woman),
        "hospital": CENTRES[centre],
        "gender": "f" if woman else "m",
        "birth": birth.isoformat(),
        "admitted": admitted.isoformat(),
        "country": _country(draw, admitted),
        "temperature": f"{min(41.9, max(35.5, draw.gauss(fever, 0.7))):.1f}",
        "condition": _condition(draw, severe, organisms),
    }
    if organisms:
        values["microorganisms"] = organisms
    treatments = _treatments(draw, organisms, severe, admitted)
    values["drugs"] = "yes" if treatments else "no"
    version = 1 if share < 0.3 else 2
    if version == 1:
        values["smoker"] = "yes" if draw.random() < (0.25 if woman else 0.38) else "no"
    days_ago = 175 * (1 - share) + draw.random() * 5
    finished = draw.random() < 0.93
    if finished:
        stay = max(1, round(draw.gauss(4 + 3 * max(0.0, severe), 2)))
        values["discharged"] = (admitted + timedelta(days=stay)).isoformat()
        values["outcome"] = draw.choices(("progress", "same", "worse"), (6, 2, max(0.1, severe)))[0]
    else:
        for key in draw.sample(("temperature", "country", "condition"), 2):  # a draft: not everything is known yet
            del values[key]
    groups = {"episodes": _keyed("e", episodes), "treatments": _keyed("t", treatments)}
    return Patient(
        centre, Answers(values, {key: rows for key, rows in groups.items() if rows}), finished, days_ago, version
    )


def _keyed(letter: str, rows: Sequence[dict[str, Stored]]) -> list[tuple[str, dict[str, Stored]]]:
    return [(f"{letter}{number}", values) for number, values in enumerate(rows, 1)]


def _name(draw: random.Random, woman: bool) -> str:
    return f"{draw.choice(_WOMEN if woman else _MEN)} {draw.choice(_FAMILY)}"


def _country(draw: random.Random, admitted: date) -> str:
    visitors = 3 if admitted.month in (6, 7, 8, 9) else 1
    return draw.choices(("gr", "al", "bg", "fr", "gb", "it"), (30, 2, 1, visitors, visitors, visitors))[0]


def _organisms(draw: random.Random, age: float, admitted: date) -> list[str]:
    """Pseudomonas and Candida often come together; Salmonella comes in summer."""
    pseudomonas = draw.random() < 0.15 + 0.004 * age
    chances = {
        "pse": float(pseudomonas),
        "can": 0.4 if pseudomonas else 0.08,
        "sal": 0.3 if admitted.month in (6, 7, 8, 9) else 0.07,
        "cit": 0.1,
        "kle": 0.16,
        "sta": 0.2,
    }
    return [key for key, chance in chances.items() if draw.random() < chance]


def _episodes(draw: random.Random, organisms: list[str], age: float, admitted: date) -> list[dict[str, Stored]]:
    chances = {
        "bacteremia": 3 if {"pse", "kle", "sta"} & set(organisms) else 0.5,
        "pneumonia": 1 + age / 40,
        "urinary": 1.2,
        "enteritis": 4 if "sal" in organisms else 0.3,
    }
    episodes: list[dict[str, Stored]] = []
    day = admitted - timedelta(days=draw.randrange(3))
    for _number in range(draw.choices((1, 2, 3), (6, 3, 1))[0]):
        diagnosis = draw.choices(list(chances), list(chances.values()))[0]
        last = day + timedelta(days=draw.randrange(2, 9))
        episodes.append({"diagnosis": diagnosis, "from": day.isoformat(), "to": last.isoformat()})
        day = last + timedelta(days=draw.randrange(-1, 12))  # the next one may begin before this one ends
        chances[diagnosis] *= 2.5  # it comes back
    return episodes


def _treatments(draw: random.Random, organisms: list[str], severe: float, admitted: date) -> list[dict[str, Stored]]:
    medicines = [_MEDICINES.get(key, "vancomycin") for key in organisms if draw.random() < 0.9]
    if not organisms and draw.random() < 0.3:
        medicines = ["ampicillin"]
    treatments: list[dict[str, Stored]] = []
    for place, medicine in enumerate(medicines):
        start = admitted + timedelta(days=draw.randrange(3) + 2 * place)
        low, high = _DOSES.get(medicine, (50.0, 400.0))
        dose = draw.uniform(low, high)
        treatments.append(
            {
                "medicine": medicine,
                "dose": f"{dose:.1f}" if high < 10 else f"{dose:.0f}",
                "start": start.isoformat(),
                "end": (start + timedelta(days=draw.randrange(4, 12))).isoformat(),
                "effect": draw.choices(("progress", "same", "worse"), (6, 2, max(0.1, severe)))[0],
            }
        )
    return treatments


def _condition(draw: random.Random, severe: float, organisms: list[str]) -> str:
    serious = max(0.05, severe)
    hemoptysis = serious if "pse" in organisms else 0.1
    return draw.choices(("stable", "sepsis", "hemoptysis", "renal"), (3, serious, hemoptysis, serious / 2))[0]
