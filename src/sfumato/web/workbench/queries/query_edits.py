"""Operations on a workload: a query added, changed or removed, each written as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sfumato.data.queries import Query
from sfumato.errors import DataError
from sfumato.utility.workload import Workload

__all__ = ["edited_workload"]


def edited_workload(workload: Workload, edits: Sequence[Sequence[str]]) -> Workload:
    """The workload after the operations ``add,QUERY``, ``change,NUMBER,QUERY`` and ``remove,NUMBER``.

    >>> edited_workload(Workload((Query(items=("ale",)),)), [("change", "1", '{"items": ["tea"]}')]).queries[0].items
    ('tea',)
    """
    for operation, *arguments in edits:
        if operation == "add" and len(arguments) == 1:
            workload = workload.with_query(_query(arguments[0]))
        elif operation == "change" and len(arguments) == 2:
            workload = workload.with_query(_query(arguments[1]), _number(arguments[0]))
        elif operation == "remove" and len(arguments) == 1:
            workload = workload.without_query(_number(arguments[0]))
        else:
            raise DataError("wanted add, change or remove with their arguments, found another operation")
    return workload


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _query(text: str) -> Query:
    return Query.from_json(json.loads(text))
