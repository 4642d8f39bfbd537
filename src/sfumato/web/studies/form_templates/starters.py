"""Templates that come with the product: demographic data (Figure 3 of the paper), treatments, laboratory."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.studies.forms.tree import Form

__all__ = ["STARTERS", "starter_form", "starter_name"]


def _question(key: str, kind: str, english: str, greek: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "type": kind, "texts": {"en": english, "el": greek}, **more}


def _choice(key: str, english: str, greek: str) -> dict[str, Any]:
    return {"key": key, "texts": {"en": english, "el": greek}}


_DEMOGRAPHICS = [
    _question("title", "title", "Demographic data", "Δημογραφικά στοιχεία"),
    _question("hospital", "list", "Hospital", "Νοσοκομείο"),
    _question("clinic", "string", "Clinic", "Κλινική"),
    _question("patient", "string", "Patient ID", "Αριθμός ασθενούς", privacy="identifying", required=True),
    _question("name", "string", "Name", "Όνομα", privacy="identifying"),
    _question("surname", "string", "Last name", "Επώνυμο", privacy="identifying"),
    _question(
        "gender",
        "one",
        "Gender",
        "Φύλο",
        privacy="known",
        choices=[_choice("f", "female", "γυναίκα"), _choice("m", "male", "άνδρας"), _choice("o", "other", "άλλο")],
    ),
    _question("town", "string", "Town", "Πόλη", privacy="known"),
    _question("birth", "date", "Date of birth", "Ημερομηνία γέννησης", privacy="known"),
    _question("introduced", "date", "Date of introduction to clinic", "Ημερομηνία εισαγωγής στην κλινική"),
]
_TREATMENTS = [
    _question(
        "treatment",
        "group",
        "Treatment",
        "Θεραπεία",
        starts="start",
        ends="end",
        questions=[
            _question("medicine", "string", "Medicine", "Φάρμακο", privacy="items"),
            _question("dose", "decimal", "Dose", "Δόση", unit="mg", low="0"),
            _question("start", "date", "Start", "Έναρξη"),
            _question("end", "date", "End", "Λήξη"),
            _question(
                "outcome",
                "one",
                "Outcome",
                "Έκβαση",
                privacy="sensitive",
                choices=[
                    _choice("progress", "progress", "βελτίωση"),
                    _choice("same", "no change", "καμία μεταβολή"),
                    _choice("worse", "worse", "επιδείνωση"),
                ],
            ),
            _question("effects", "yes_no", "Side effects", "Παρενέργειες"),
            _question(
                "effect",
                "string",
                "Which side effects",
                "Ποιες παρενέργειες",
                when={"rules": [{"question": "effects", "values": ["yes"]}]},
            ),
        ],
    ),
    _question("treatments", "calculated", "Number of treatments", "Πλήθος θεραπειών", formula="count({treatment})"),
]
_LABORATORY = [
    _question(
        "sample",
        "group",
        "Laboratory sample",
        "Εργαστηριακό δείγμα",
        starts="taken",
        questions=[
            _question("taken", "date", "Taken on", "Ημερομηνία λήψης"),
            _question("haemoglobin", "decimal", "Haemoglobin", "Αιμοσφαιρίνη", unit="g/dL", low="0", high="30"),
            _question("leukocytes", "decimal", "Leukocytes", "Λευκά αιμοσφαίρια", unit="10⁹/L", low="0"),
            _question("creatinine", "decimal", "Creatinine", "Κρεατινίνη", unit="mg/dL", low="0"),
            _question("grown", "yes_no", "Microorganism found", "Βρέθηκε μικροοργανισμός"),
            _question(
                "organism",
                "string",
                "Microorganism",
                "Μικροοργανισμός",
                privacy="sensitive",
                when={"rules": [{"question": "grown", "values": ["yes"]}]},
            ),
        ],
    ),
]
# key: name and questions
STARTERS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "demographics": (gettext_noop("Demographic data"), _DEMOGRAPHICS),
    "treatments": (gettext_noop("Treatments"), _TREATMENTS),
    "laboratory": (gettext_noop("Laboratory"), _LABORATORY),
}


def starter_form(key: str) -> Form:
    """The questions of a template that comes with the product."""
    return Form.from_json({"languages": ["en", "el"], "questions": STARTERS[key][1]})


def starter_name(key: str) -> str:
    """Its name."""
    return _(STARTERS[key][0])
