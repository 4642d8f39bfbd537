"""A release read back from its files before its directory appears: what counts is what was written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Mixed, Table
from sfumato.data.base import Members
from sfumato.data.ragged import Ragged
from sfumato.errors import PromiseBroken
from sfumato.io.frames import with_numbers
from sfumato.io.published import directory
from sfumato.io.published.certificate import Certificate
from sfumato.methods.base import persons_of_release

if TYPE_CHECKING:
    from sfumato.methods.release import Release

__all__ = ["check_written", "same_data"]


def check_written(release: Release, folder: Path) -> Certificate:
    """The certificate of the files; refuses files that do not say what was verified.

    Files from which just the verified data are read need no second check.  Others are verified as they were read; a
    column of a table may have been read as texts where it was numbers.
    """
    found = directory.read(folder)
    if found.problems or found.data is None:
        why = found.problems[0].replace(f"{folder}/", "") if found.problems else "the data cannot be read"
        raise PromiseBroken(
            f"{release.method.name}: the files as written cannot be read ({why}); nothing was published"
        )
    context = {fact for model, _ in release.verdicts for fact in model.context}
    if same_data(release.data, found.data, context):
        return found.certificate
    persons = persons_of_release(release.original, release.data, release.origin)
    for model, verdict in release.verdicts:
        if not model.exact_counts:  # what noise was drawn for is not in the files
            raise PromiseBroken(f"{release.method.name}: the written files are not the synthetic data that were made")
        read = model.check(found.data.with_persons(persons), release.original)
        if read.holds is not verdict.holds:
            raise PromiseBroken(
                f"{release.method.name}: {model} does not hold of the files as they were written, so nothing was "
                "published; a value is read from a file otherwise than it was given"
            )
    return found.certificate


def same_data(one: Any, other: Any, context: Collection[str] = ()) -> bool:
    """Whether two datasets publish the same records, labels and members, and the side knowledge in the context.

    >>> same_data(Table({"age": [3, None]}), Table({"age": ["3", None]}))
    True
    """
    if isinstance(one, Mixed) and isinstance(other, Mixed):
        parts = ((one.table, other.table), (one.items, other.items))
        return one.column == other.column and all(same_data(mine, theirs, context) for mine, theirs in parts)
    if isinstance(one, Table) and isinstance(other, Table):
        roles = one.quasi_identifiers == other.quasi_identifiers and one.sensitive == other.sensitive
        mine, theirs = ({name: _sorted(labels) for name, labels in table.members.items()} for table in (one, other))
        return roles and mine == theirs and _same_frames(one.frame, other.frame)
    if isinstance(one, Ragged) and isinstance(other, Ragged):
        return (
            one.names == other.names
            and _sorted(one.members) == _sorted(other.members)
            and np.array_equal(one.offsets, other.offsets)
            and np.array_equal(one.codes, other.codes)
            and _same_intervals(one, other)
            and _same_knowledge(one, other, context)
        )
    if isinstance(one, Chunks) and isinstance(other, Chunks):
        left_out = {"persons"} | ({"sensitive"} - set(context))
        names = [field.name for field in fields(one) if field.name not in left_out]
        return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)
    return False


def _sorted(members: Members) -> dict[str, list[str]]:
    return {label: sorted(group) for label, group in members.items()}


def _same_knowledge(one: Ragged, other: Ragged, context: Collection[str]) -> bool:
    """The side knowledge that the promises speak of, as far as published values have any."""
    members = sorted(one.published_members())
    if "sensitive" in context and _sensitive(one, members) != _sensitive(other, members):
        return False
    if "owner" in context and _owners(one, members) != _owners(other, members):
        return False
    named = [name for name in ("taxonomy", "privacy_policy", "utility_policy") if name in context]
    return all(getattr(one, name, None) == getattr(other, name, None) for name in named)


def _sensitive(data: Any, members: list[str]) -> Any:
    return data.sensitive_among(members)


def _owners(data: Any, members: list[str]) -> Any:
    return {} if data.places is None else data.places.facts(members, "owner")


def _same_frames(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """The same values; the other frame was read as texts."""
    if one.columns != other.columns or len(one) != len(other):
        return False
    numbers = with_numbers(other)
    for column in one.columns:
        mine = one[column]
        theirs = numbers[column] if mine.dtype.is_numeric() else other[column]
        if mine.null_count() == len(mine) == theirs.null_count():
            continue
        if mine.dtype.is_numeric() != theirs.dtype.is_numeric():
            return False
        if not (mine.dtype.is_numeric() or mine.dtype == pl.String):
            mine = mine.cast(pl.String)
        if not mine.eq_missing(theirs).all():
            return False
    return True


def _same_intervals(one: Ragged, other: Ragged) -> bool:
    names = [getattr(data, "interval_names", ()) for data in (one, other)]
    inside = [getattr(data, "intervals", None) for data in (one, other)]
    return names[0] == names[1] and np.array_equal(inside[0], inside[1])  # type: ignore[arg-type]
