"""The questionnaire of the demonstration study, in English and Greek.  Without Django.

Its questions are those of the example queries of Tsafara et al., "Cloud-based data and knowledge management for
multi-centre biomedical studies", K-CAP 2015: infections of patients of two hospitals.
"""

from __future__ import annotations

from typing import Any

__all__ = ["LANGUAGES", "LISTS", "NAMES_OF_LISTS", "questionnaire"]

LANGUAGES = ["en", "el"]
NAMES_OF_LISTS = {
    "hospitals": "Hospitals (example)",
    "countries": "Countries (example)",
    "medicines": "Medicines (example)",
}

_ATTICA, _NORTH, _CRETE = "Attica", "Central Macedonia", "Crete"
_SOUTH, _WEST, _BALKANS = "Southern Europe", "Western Europe", "Balkans"
_ALL = "Anti-infectives"

LISTS: dict[str, list[tuple[str, str, str, tuple[str, ...]]]] = {
    "hospitals": [
        ("attikon", "Attikon", "Αττικόν", (_ATTICA, "Greece")),
        ("laiko", "Laiko", "Λαϊκό", (_ATTICA, "Greece")),
        ("ippokrateio", "Hippokration", "Ιπποκράτειο", (_NORTH, "Greece")),
        ("pagni", "PAGNI", "ΠΑΓΝΗ", (_CRETE, "Greece")),
    ],
    "countries": [
        ("gr", "Greece", "Ελλάδα", (_SOUTH, "Europe")),
        ("al", "Albania", "Αλβανία", (_BALKANS, "Europe")),
        ("bg", "Bulgaria", "Βουλγαρία", (_BALKANS, "Europe")),
        ("fr", "France", "Γαλλία", (_WEST, "Europe")),
        ("gb", "England", "Αγγλία", (_WEST, "Europe")),
        ("it", "Italy", "Ιταλία", (_SOUTH, "Europe")),
    ],
    "medicines": [
        ("amikacin", "Amikacin", "Αμικασίνη", ("Aminoglycosides", _ALL)),
        ("ampicillin", "Ampicillin", "Αμπικιλλίνη", ("Penicillins", _ALL)),
        ("cefotaxime", "Cefotaxime", "Κεφοταξίμη", ("Cephalosporins", _ALL)),
        ("ceftazidime", "Ceftazidime", "Κεφταζιδίμη", ("Cephalosporins", _ALL)),
        ("fluconazole", "Fluconazole", "Φλουκοναζόλη", ("Azoles", _ALL)),
        ("vancomycin", "Vancomycin", "Βανκομυκίνη", ("Glycopeptides", _ALL)),
    ],
}
"""Options of each list: key, English, Greek, and ancestors from the nearest to the root."""


def questionnaire(lists: dict[str, str], *, with_retired: bool) -> dict[str, Any]:
    """The form in JSON; `lists` are the ids of the lists by their name here.

    with_retired : whether it asks for smoking, which the second version no longer does.
    Exact dates can identify a patient, so they stay in the study; the age and the days in hospital can leave it.
    """
    smoker = [_asked("smoker", "yes_no", "Smoker", "Καπνιστής")] if with_retired else []
    return {
        "languages": LANGUAGES,
        "questions": [
            _asked("patient", "title", "Patient", "Ασθενής"),
            _asked("name", "string", "Patient name", "Ονοματεπώνυμο", required=True, privacy="identifying"),
            _asked(
                "hospital",
                "list",
                "Hospital",
                "Νοσοκομείο",
                required=True,
                choice_list=lists["hospitals"],
                privacy="known",
            ),
            _asked("gender", "one", "Gender", "Φύλο", choices=_GENDERS, required=True, privacy="known"),
            _asked("birth", "date", "Date of birth", "Ημερομηνία γέννησης", low="1900-01-01", privacy="identifying"),
            _asked(
                "admitted", "date", "Date of admission", "Ημερομηνία εισαγωγής", required=True, privacy="identifying"
            ),
            _asked("age", "calculated", "Age", "Ηλικία", formula="years(birth, admitted)", privacy="known"),
            _asked(
                "country",
                "list",
                "Country of residence",
                "Χώρα κατοικίας",
                choice_list=lists["countries"],
                privacy="known",
            ),
            *smoker,
            _asked("findings", "title", "Findings", "Ευρήματα"),
            _asked("temperature", "decimal", "Temperature", "Θερμοκρασία", unit="°C", low="33", high="43"),
            _asked(
                "microorganisms",
                "many",
                "Microorganisms",
                "Μικροοργανισμοί",
                choices=_MICROORGANISMS,
                privacy="items",
            ),
            _asked("condition", "one", "Condition", "Κατάσταση", choices=_CONDITIONS, privacy="sensitive"),
            _asked(
                "episodes",
                "group",
                "Episodes of a diagnosis",
                "Επεισόδια διάγνωσης",
                starts="from",
                ends="to",
                most=20,
                questions=[
                    _asked("diagnosis", "one", "Diagnosis", "Διάγνωση", choices=_DIAGNOSES, privacy="sensitive"),
                    _asked("from", "date", "First day", "Πρώτη ημέρα"),
                    _asked("to", "date", "Last day", "Τελευταία ημέρα"),
                ],
            ),
            _asked("treatment", "title", "Treatment", "Θεραπεία"),
            _asked("drugs", "yes_no", "Received drugs", "Έλαβε φάρμακα", required=True),
            _asked(
                "treatments",
                "group",
                "Treatments",
                "Θεραπείες",
                starts="start",
                ends="end",
                most=20,
                when={"rules": [{"question": "drugs", "values": ["yes"]}]},
                questions=[
                    _asked("medicine", "list", "Medicine", "Φάρμακο", choice_list=lists["medicines"], privacy="items"),
                    _asked("dose", "decimal", "Dose", "Δόση", unit="mg", low="0", high="5000"),
                    _asked("start", "date", "Start", "Έναρξη"),
                    _asked("end", "date", "End", "Λήξη"),
                    _asked("effect", "one", "Effect", "Αποτέλεσμα", choices=_OUTCOMES),
                ],
            ),
            _asked("end_of_stay", "title", "End of the stay", "Τέλος νοσηλείας"),
            _asked("discharged", "date", "Date of discharge", "Ημερομηνία εξόδου", privacy="identifying"),
            _asked(
                "hospital_days",
                "calculated",
                "Hospital days",
                "Ημέρες νοσηλείας",
                formula="days(admitted, discharged)",
                privacy="sensitive",
            ),
            _asked("outcome", "one", "Eventual outcome", "Τελική έκβαση", choices=_OUTCOMES, privacy="sensitive"),
        ],
    }


def _asked(key: str, kind: str, english: str, greek: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "type": kind, "texts": {"en": english, "el": greek}, **fields}


def _choices(*rows: tuple[str, str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "texts": {"en": english, "el": greek}} for key, english, greek in rows]


_GENDERS = _choices(("f", "female", "γυναίκα"), ("m", "male", "άνδρας"))
_MICROORGANISMS = _choices(
    ("pse", "Pseudomonas", "Ψευδομονάδα"),
    ("can", "Candida", "Κάντιντα"),
    ("sal", "Salmonella", "Σαλμονέλα"),
    ("cit", "Citrobacter", "Κιτροβακτηρίδιο"),
    ("kle", "Klebsiella", "Κλεμπσιέλα"),
    ("sta", "Staphylococcus", "Σταφυλόκοκκος"),
)
_CONDITIONS = _choices(
    ("stable", "Stable", "Σταθερή"),
    ("sepsis", "Sepsis", "Σήψη"),
    ("hemoptysis", "Massive hemoptysis", "Μαζική αιμόπτυση"),
    ("renal", "Renal failure", "Νεφρική ανεπάρκεια"),
)
_DIAGNOSES = _choices(
    ("bacteremia", "Bacteremia", "Βακτηριαιμία"),
    ("pneumonia", "Pneumonia", "Πνευμονία"),
    ("urinary", "Urinary tract infection", "Ουρολοίμωξη"),
    ("enteritis", "Enteritis", "Εντερίτιδα"),
)
_OUTCOMES = _choices(
    ("progress", "progress", "βελτίωση"), ("same", "no change", "αμετάβλητη"), ("worse", "worse", "επιδείνωση")
)
