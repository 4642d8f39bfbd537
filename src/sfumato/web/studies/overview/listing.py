"""The studies of a person, for the home page."""

from __future__ import annotations

from typing import Any

from sfumato.web.studies.models import Membership, Study

__all__ = ["studies_of"]


def studies_of(user: Any) -> list[Study]:
    """The studies that a person may open, each with the own role in `own_role` ("" for an IT administrator)."""
    roles = dict(Membership.objects.filter(user=user, ended=None).values_list("study_id", "role"))
    studies = list(Study.visible_to(user))
    for study in studies:
        study.own_role = roles.get(study.id, "")
    return studies
