"""Queries drawn from data, and their true counts.  Both functions run without Django, in jobs where data are large."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from sfumato.data.queries import Query
from sfumato.io.atomic_writes import write_text
from sfumato.web.workbench.loading import inside, load

__all__ = ["count", "digest_of", "draw", "finish", "finish_drawing"]


def digest_of(query: Query) -> str:
    """The name of a query in a file of counts, which holds no values."""
    return sha256(json.dumps(query.to_json(), sort_keys=True).encode()).hexdigest()[:24]


def count(
    *,
    source: dict[str, Any],
    version: str,
    asked: str,
    counts: str,
    progress: Any = None,
    folder: str = "",
    **facts: Any,  # noqa: ARG001
) -> dict[str, Any]:
    """Count the records that answer each query of a file, and write the counts to another one.

    asked : the file of the queries.  counts : the file of their counts, for a version of the data.
    """
    from sfumato.utility.workload import Workload

    place = Path(folder)
    workload = Workload.load(inside(place, asked))
    if progress is not None:
        progress("reading", 0, 0)
    data = load(source, place)
    workload.require(data)
    if progress is not None:
        progress("counting", 0, 0)
    numbers = workload.counts(data).tolist()
    by_query = {digest_of(query): number for query, number in zip(workload, numbers, strict=True)}
    write_text(json.dumps({"version": version, "counts": by_query}), inside(place, counts))
    return {"queries": len(numbers)}


def draw(
    *,
    source: dict[str, Any],
    number: int,
    rule: dict[str, Any],
    file: str,
    progress: Any = None,
    folder: str = "",
    **facts: Any,  # noqa: ARG001
) -> dict[str, Any]:
    """Draw queries from the data and write them to a file; returns the rule in words, and how many there are."""
    from sfumato.utility.workload import Workload

    place = Path(folder)
    if progress is not None:
        progress("reading", 0, 0)
    data = load(source, place)
    if progress is not None:
        progress("drawing", 0, 0)
    workload = Workload.of(data, number=number, **rule)
    workload.save(inside(place, file))
    return {"derived": workload.rule, "facts": {"queries": len(workload)}}


def finish(job: Any, result: dict[str, Any]) -> None:  # noqa: ARG001
    """Remove the file of the queries that were counted."""
    inside(job.project.folder, job.arguments["asked"]).unlink(missing_ok=True)


def finish_drawing(job: Any, result: dict[str, Any]) -> None:
    """Keep the workload that a job drew."""
    from sfumato.web.workbench.models import Dataset
    from sfumato.web.workbench.queries.workloads import new_workload

    wanted = job.arguments
    dataset = Dataset.objects.get(pk=wanted["dataset"])
    new_workload(dataset, wanted["name"], wanted["file"], result["derived"], result["facts"], job.user)
