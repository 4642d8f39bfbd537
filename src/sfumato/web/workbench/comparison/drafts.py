"""The comparison that a person prepares: a list of configurations, what varies, repetitions, measures, charts.

A draft is JSON: `version` (id), `title`, `configurations` (`id`, `name`, `method`, `parameters`, `promises`), `vary`
(`parameter`, and `start`, `end`, `step` or `values`), `repetitions`, `seed`, `sample`, `measures` (`measure` and
`parameters`; a workload is the id of an asset), `drawn` (figures) and `claims` (by figure).  Each person has one draft
a project.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.workbench.models import Draft, Project, Version

__all__ = [
    "EMPTY",
    "add_configuration",
    "changing",
    "copy",
    "draft_of",
    "move",
    "put_configuration",
    "title_of",
    "version_of",
]

EMPTY: dict[str, Any] = {
    "version": None,
    "title": "",
    "configurations": [],
    "vary": None,
    "repetitions": 3,
    "seed": 1,
    "sample": None,
    "measures": [],
    "drawn": [],
    "claims": {},
}
_MOST = 50  # configurations


def draft_of(project: Project, user: Any) -> dict[str, Any]:
    """What a person prepares in a project."""
    stored = Draft.objects.filter(project=project, user=user).values_list("content", flat=True).first()
    return {**EMPTY, **(stored or {})}


@contextmanager
def changing(project: Project, user: Any) -> Iterator[dict[str, Any]]:
    """The draft, to be changed; it is saved at the end, and two changes at the same time follow each other."""
    with transaction.atomic():
        row, _created = Draft.objects.select_for_update().get_or_create(project=project, user=user)
        content = {**EMPTY, **row.content}
        content["configurations"] = [dict(part) for part in content["configurations"]]
        yield content
        row.content = content
        row.save(update_fields=["content"])


def add_configuration(project: Project, user: Any, definition: dict[str, Any]) -> dict[str, Any]:
    """Add the method of an evaluation to the list; returns the configuration.

    definition : as the form of an evaluation makes it: version, method, parameters, and measures, which are added to
    those of the comparison, and vary, which is taken over where the comparison has none.  All configurations are about
    one dataset.
    """
    with changing(project, user) as draft:
        return put_configuration(project, draft, definition)


def put_configuration(
    project: Project, draft: dict[str, Any], definition: dict[str, Any], *, identity: str = ""
) -> dict[str, Any]:
    """Add a configuration to a draft, or replace the one with this id."""
    if definition.get("preparation"):
        raise ParameterError("compare: wanted a configuration for the data as they are, found one for prepared data")
    _require_version(project, draft, str(definition["version"]))
    method, parameters = definition["method"], dict(definition.get("parameters") or {})
    if isinstance(vary := definition.get("vary"), dict) and draft["vary"] is None:
        draft["vary"] = dict(vary)
    for measure in definition.get("measures") or ():
        if measure not in draft["measures"]:
            draft["measures"].append(measure)
    others = [part for part in draft["configurations"] if part["id"] != identity]
    if len(others) >= _MOST:
        raise ParameterError(f"compare: wanted at most {_MOST} configurations, found more; remove some first")
    name = _free_name(str(definition.get("name") or "").strip()[:100] or method, {part["name"] for part in others})
    configuration = {
        "id": identity or str(uuid.uuid4()),
        "name": name,
        "method": method,
        "parameters": parameters,
        "promises": list(definition.get("promises") or ()),
    }
    places = [part["id"] for part in draft["configurations"]]
    if identity in places:
        draft["configurations"][places.index(identity)] = configuration
    else:
        draft["configurations"].append(configuration)
    return configuration


def version_of(project: Project, draft: dict[str, Any]) -> Version | None:
    """The version of the dataset that the configurations are about, if there is one."""
    if not draft["version"]:
        return None
    return Version.objects.filter(dataset__project=project, pk=draft["version"]).select_related("dataset").first()


def copy(configurations: list[dict[str, Any]], identity: str) -> None:
    """Put a copy of a configuration below it, under a name of its own."""
    places = [part["id"] for part in configurations]
    if identity in places and len(places) < _MOST:
        here = places.index(identity)
        name = _free_name(configurations[here]["name"], {part["name"] for part in configurations})
        configurations.insert(here + 1, {**configurations[here], "id": str(uuid.uuid4()), "name": name})


def move(configurations: list[dict[str, Any]], identity: str, step: int) -> None:
    """Move a configuration up (-1) or down (1)."""
    places = [part["id"] for part in configurations]
    if identity in places:
        here = places.index(identity)
        there = min(max(here + step, 0), len(places) - 1)
        configurations.insert(there, configurations.pop(here))


def _require_version(project: Project, draft: dict[str, Any], identity: str) -> None:
    """The draft is about this version from now on; another dataset is refused while there are configurations."""
    version = Version.objects.select_related("dataset").get(dataset__project=project, pk=identity)
    earlier = version_of(project, draft)
    if earlier is not None and draft["configurations"] and earlier.dataset_id != version.dataset_id:
        raise ParameterError(
            f"compare: the list is about the dataset {earlier.dataset.name!r}; run it or empty it before you add a "
            f"configuration for {version.dataset.name!r}"
        )
    draft["version"] = str(version.pk)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or with a number where another configuration has it.

    >>> _free_name("seqanon", {"seqanon", "seqanon 2"})
    'seqanon 3'
    """
    number = 1
    while (free := name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return free


def title_of(draft: dict[str, Any]) -> str:
    """The title of the comparison, made up where the person gave none."""
    if draft["title"]:
        return str(draft["title"])
    names = ", ".join(part["name"] for part in draft["configurations"])
    over = draft["vary"]["parameter"] if draft["vary"] else ""
    return (_("%(names)s over %(parameter)s") % {"names": names, "parameter": over} if over else names)[:200]
