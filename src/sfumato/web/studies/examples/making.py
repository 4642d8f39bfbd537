"""Draw the patients of the demonstration study.  Without Django: it is the work of a job."""

from __future__ import annotations

from typing import Any

from sfumato.data.base import Progress

__all__ = ["draw_patients"]

_PATIENTS, _SEED = 400, 21


def draw_patients(*, count: int = _PATIENTS, progress: Progress | None = None) -> dict[str, Any]:
    """So many patients in JSON, always the same."""
    from sfumato.web.studies.examples.patients import patients

    drawn = [patient.to_json() for patient in patients(count, _SEED)]
    if progress is not None:
        progress("generating", len(drawn), count)
    return {"patients": drawn}
