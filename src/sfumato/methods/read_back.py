"""A release read back from its files before its directory appears: what counts is what was written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.base import Members
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.errors import PromiseBroken
from sfumato.io.inputs.numbers import with_numbers
from sfumato.io.published import directory
from sfumato.io.published.certificate import Certificate
from sfumato.methods.base import units_of_release

if TYPE_CHECKING:
    from sfumato.methods.release import Release

__all__ = ["check_written", "same_data"]


def check_written(release: Release[Dataset], folder: Path) -> Certificate:
    """The certificate of the files; refuses files that do not say what was verified.

    Files from which just the verified data are read need no second check.  Others are verified as they were read; a
    column of a table may have been read as texts where it was numbers.
    """
    published = directory.read(folder)
    if published.problems or published.data is None:
        why = published.problems[0].replace(f"{folder}/", "") if published.problems else "the data cannot be read"
        raise PromiseBroken(
            f"{release.method.name}: the files as written cannot be read ({why}); nothing was published"
        )
    context = {fact for model, _ in release.verdicts for fact in model.context}
    if same_data(release.data, published.data, context):
        return published.certificate
    persons = units_of_release(release.method, release.original, release.data, release.origin)
    for model, verdict in release.verdicts:
        if not model.exact_counts:  # what noise was drawn for is not in the files
            raise PromiseBroken(f"{release.method.name}: the written files are not the synthetic data that were made")
        read = model.check(published.data.with_persons(persons), release.original)
        if read.holds is not verdict.holds:
            raise PromiseBroken(
                f"{release.method.name}: {model} does not hold of the files as they were written, so nothing was "
                "published; a file gives a value differently from the data"
            )
    return published.certificate


def same_data(first: Dataset, second: Dataset, context: Collection[str] = ()) -> bool:
    """Whether two datasets publish the same records, labels and members, and the side knowledge in the context.

    >>> same_data(Table({"age": [3, None]}), Table({"age": ["3", None]}))
    True
    """
    if isinstance(first, Mixed) and isinstance(second, Mixed):
        parts = ((first.table, second.table), (first.items, second.items))
        return first.column == second.column and all(same_data(mine, theirs, context) for mine, theirs in parts)
    if isinstance(first, Table) and isinstance(second, Table):
        roles = first.quasi_identifiers == second.quasi_identifiers and first.sensitive == second.sensitive
        mine, theirs = ({name: _sorted(labels) for name, labels in table.members.items()} for table in (first, second))
        return roles and mine == theirs and _same_frames(first.frame, second.frame)
    if isinstance(first, Ragged) and isinstance(second, Ragged):
        return (
            first.names == second.names
            and _sorted(first.members) == _sorted(second.members)
            and np.array_equal(first.offsets, second.offsets)
            and np.array_equal(first.codes, second.codes)
            and _same_intervals(first, second)
            and _same_knowledge(first, second, context)
        )
    if isinstance(first, Chunks) and isinstance(second, Chunks):
        left_out = {"persons"} | ({"sensitive"} - set(context))
        names = [field.name for field in fields(first) if field.name not in left_out]
        return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in names)
    return False


def _sorted(members: Members) -> dict[str, list[str]]:
    return {label: sorted(group) for label, group in members.items()}


def _same_knowledge(first: Ragged, second: Ragged, context: Collection[str]) -> bool:
    """The side knowledge that the promises speak of, as far as published values have any."""
    members = sorted(first.published_members())
    if "sensitive" in context and _sensitive(first, members) != _sensitive(second, members):
        return False
    if "owner" in context and _owners(first, members) != _owners(second, members):
        return False
    named = [name for name in ("taxonomy", "privacy_policy", "utility_policy") if name in context]
    return all(getattr(first, name, None) == getattr(second, name, None) for name in named)


def _sensitive(data: Any, members: list[str]) -> Any:
    return data.sensitive_among(members)


def _owners(data: Any, members: list[str]) -> Any:
    return {} if data.places is None else data.places.facts(members, "owner")


def _same_frames(first: pl.DataFrame, second: pl.DataFrame) -> bool:
    """The same values; the other frame was read as texts."""
    if first.columns != second.columns or len(first) != len(second):
        return False
    numbers = with_numbers(second)
    for column in first.columns:
        mine = first[column]
        theirs = numbers[column] if mine.dtype.is_numeric() else second[column]
        if mine.null_count() == len(mine) == theirs.null_count():
            continue
        if mine.dtype.is_numeric() != theirs.dtype.is_numeric():
            return False
        if not (mine.dtype.is_numeric() or mine.dtype == pl.String):
            mine = texts_of(mine)
        if not mine.eq_missing(theirs).all():
            return False
    return True


def _same_intervals(first: Ragged, second: Ragged) -> bool:
    names = [getattr(data, "interval_names", ()) for data in (first, second)]
    inside = [getattr(data, "intervals", None) for data in (first, second)]
    return names[0] == names[1] and np.array_equal(inside[0], inside[1])  # type: ignore[arg-type]
