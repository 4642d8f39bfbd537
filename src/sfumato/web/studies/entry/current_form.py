"""The form that a study fills in now, read once in each process: a published version never changes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from uuid import UUID

from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import FormVersion, Study

__all__ = ["current_form"]


def current_form(study: Study) -> tuple[Any, Form] | None:
    """The version in use, without its tree, and the form; None before the first version is published."""
    version = FormVersion.objects.filter(study=study).order_by("-number").defer("tree").first()
    return None if version is None else (version, _read(study.id, version.number))


@lru_cache(maxsize=16)
def _read(study_id: UUID, number: int) -> Form:
    return Form.from_json(FormVersion.objects.get(study_id=study_id, number=number).tree)
