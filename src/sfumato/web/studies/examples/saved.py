"""The saved views of the demonstration study: the three example queries of the paper, and its chart."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.models import Study, View

__all__ = ["add_views"]


def _is(question: str, **test: Any) -> dict[str, Any]:
    return {"is": question, "test": test}


def _one_of(question: str, *keys: str) -> dict[str, Any]:
    return _is(question, one_of=list(keys))


def _both(*keys: str) -> dict[str, Any]:
    return {"all": [_one_of("microorganisms", key) for key in keys]}


_PSEUDOMONAS_AND_CANDIDA = {
    "all": [
        _is("age", between=["40", ""], strict=True),
        _is("temperature", between=["38", ""], strict=True),
        _one_of("microorganisms", "pse"),
        _one_of("microorganisms", "can"),
    ]
}
_PROGRESS_WITH_ANTIBIOTICS = {
    "all": [
        _is("age", between=["40", "60"]),
        _one_of("country", "gb", "fr", "gr"),
        {"any": [_both("pse", "can"), _both("pse", "sal"), _one_of("microorganisms", "cit")]},
        {"has": "treatments", "inside": _one_of("medicine", "ampicillin", "cefotaxime")},
        _one_of("outcome", "progress"),
    ]
}
_BACTEREMIA = {"has": "episodes", "inside": _one_of("diagnosis", "bacteremia")}
_SECOND_BACTEREMIA = {
    "all": [
        _one_of("condition", "hemoptysis"),
        {
            "has": "treatments",
            "inside": {"all": [_one_of("medicine", "amikacin"), _is("dose", between=["2", "4"])]},
        },
        {"then": [_BACTEREMIA, _BACTEREMIA]},
    ]
}
_GENDER_BY_HOSPITAL = {
    "kind": "column",
    "variables": [{"key": "hospital"}, {"key": "gender"}],
    "counting": "entries",
}


def add_views(study: Study, user: Any) -> None:
    """Save the views for a user, under names in the user's language."""
    columns = ["hospital", "gender", "age", "country", "outcome"]
    views = [
        (_("Pseudomonas and Candida"), _PSEUDOMONAS_AND_CANDIDA, {}),
        (_("Progress with antibiotics"), _PROGRESS_WITH_ANTIBIOTICS, {}),
        (_("A second bacteremia"), _SECOND_BACTEREMIA, {}),
        (_("Gender by hospital"), {"all": []}, _GENDER_BY_HOSPITAL),
    ]
    View.objects.bulk_create(
        View(study=study, owner=user, name=name, condition=condition, projection=columns, chart=chart)
        for name, condition, chart in views
    )
