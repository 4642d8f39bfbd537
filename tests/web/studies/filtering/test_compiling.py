"""The database selects the same entries as the reference implementation."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from trials import filters

FAULTS = {
    "the same day counts as later": ('starts__gt=OuterRef("starts")', 'starts__gte=OuterRef("starts")'),
    "the last day within is left out": (
        'starts__lte=OuterRef("starts") + within',
        'starts__lt=OuterRef("starts") + within',
    ),
    "an episode overlaps itself": ('.exclude(pk=OuterRef("pk"))', ""),
    "one episode more": ("count__gte=", "count__gt="),
    "a bound is left out": ('("gt", "lt") if strict', '("gt", "lt") if not strict'),
    "the complement is lost": ("return ~compiled(condition.part)", "return compiled(condition.part)"),
}


@pytest.fixture
def authors(db: Any, django_user_model: Any) -> list[Any]:
    """Two persons who enter answers."""
    return [django_user_model.objects.create_user(name) for name in ("bob", "eve")]


def _differences(numbers: range, authors: list[Any], **size: int) -> list[str]:
    from django.db import transaction

    from sfumato.web.studies.models import Study

    different = []
    for number in numbers:
        with transaction.atomic():
            study = Study.objects.create(name="case", languages=["en"])
            different += filters.differences(Random(number), study, authors, **size)
            transaction.set_rollback(True)
    return different


def test_random_studies(authors: list[Any]) -> None:
    """Random studies with a dozen conditions each; thousands of studies run in `python -m trials.filters`."""
    assert _differences(range(40), authors, entries=6, count=12) == []


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(name: str, authors: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler with a fault differs from the reference implementation within some random studies."""
    from sfumato.web.studies.filtering import compiling

    right, wrong = FAULTS[name]
    source = Path(compiling.__file__).read_text(encoding="utf-8")
    assert right in source
    module = ModuleType("compiling_with_a_fault")
    exec(compile(source.replace(right, wrong), "compiling_with_a_fault", "exec"), module.__dict__)
    monkeypatch.setattr(compiling, "entries_where", module.entries_where)
    assert any(_differences(range(start, start + 5), authors, entries=8, count=12) for start in range(0, 100, 5))
