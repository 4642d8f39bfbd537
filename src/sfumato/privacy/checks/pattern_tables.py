"""Tables of all patterns with their supports: for supports of parts of the data that are added up elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.divided import subsequence_table
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.sensitive_associations import FlaggedData, sensitive_of_labels, sensitive_of_records

__all__ = ["AssociationTable", "association_table", "image_tables", "pattern_supports"]

_UNITS = 1000  # whose images are counted together


class AssociationTable(NamedTuple):
    """Patterns, int32[rows, m] with -1 behind shorter ones; a sensitive value for each, by its number, or -1 for all
    units; and the number of units that have both in one record."""

    patterns: Ints
    values: Ints
    units: Ints


def pattern_supports(data: Ragged, m: int) -> tuple[Ints, Ints]:
    """Every subsequence of 1 to m labels that occurs, int32[rows, m] with -1 behind shorter ones, and its support.

    >>> from sfumato import Trajectories
    >>> patterns, supports = pattern_supports(Trajectories.from_lists([["a", "b"], ["b"]]), 2)
    >>> sorted(zip(patterns.tolist(), supports.tolist()))
    [([0, -1], 1), ([0, 1], 1), ([1, -1], 2)]
    """
    grouped, _ = data.by_unit()
    return subsequence_table(grouped.codes, grouped.offsets, grouped.units, len(data.names), m)


def association_table(data: FlaggedData, m: int) -> AssociationTable:
    """Every subsequence of 1 to m nonsensitive labels, with its support and with the units of each sensitive value."""
    grouped, _ = data.by_unit()
    return _table(grouped, grouped.codes, len(data.names), m)


def image_tables(data: FlaggedData, images: LabelImages, m: int) -> Iterator[AssociationTable]:
    """Every sequence of 1 to m profiles with an image in some record, by the units that have one, each counted once.

    The units of a sequence add up over the tables.

    >>> from dataclasses import replace
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a"], ["g1"]], persons=["ann", "ann"], places={"a": (0, 0)})
    >>> walks = replace(walks, members={"g1": ("a", "b")}, places=walks.places.with_sensitive([]))
    >>> images = LabelImages.of(walks, range(2))
    >>> [(table.patterns.tolist(), table.units.tolist()) for table in image_tables(walks, images, 1)]
    [([[0], [1]], [1, 1])]
    """
    grouped, offsets = data.by_unit()
    for start in range(0, len(offsets) - 1, _UNITS):
        end = min(start + _UNITS, len(offsets) - 1)
        some = grouped.take(np.arange(offsets[start], offsets[end]))
        label, unit = some.codes, some.units[some.record_of_element()].astype(np.int64)
        # a label of its own for each unit, so that a pattern belongs to one unit
        pairs, codes = np.unique(unit * len(data.names) + label, return_inverse=True)
        table = _table(some, codes.reshape(-1).astype(np.int32), len(pairs), m)
        own = table.patterns
        labels = np.where(own >= 0, pairs[own] % len(data.names), -1)
        rows, profiles = images.sequences_of(labels)
        holder = pairs[own[:, 0]] // len(data.names)
        keys = np.column_stack((profiles, table.values[rows], holder[rows]))
        once = np.unique(keys, axis=0)[:, :-1]
        counted, units = np.unique(once, axis=0, return_counts=True)
        yield AssociationTable(counted[:, :-1].astype(np.int32), counted[:, -1].astype(np.int32), units)


def _table(grouped: FlaggedData, codes: Ints, n_codes: int, m: int) -> AssociationTable:
    """The table of `association_table` for records sorted by unit, whose labels are counted under other codes."""
    _, value_codes, value_starts = sensitive_of_labels(grouped)
    hidden = np.diff(value_starts)[grouped.codes] > 0
    record, shown = grouped.record_of_element(), codes[~hidden]
    lengths = np.bincount(record[~hidden], minlength=len(grouped))
    values, starts = sensitive_of_records(record[hidden], grouped.codes[hidden], value_codes, value_starts, grouped)
    holder, element = np.repeat(np.arange(len(grouped)), np.diff(starts)), record[~hidden]
    tables = []
    for value in (-1, *np.unique(values).tolist()):
        chosen = np.ones(len(grouped), dtype=bool)
        if value >= 0:
            chosen[:] = False
            chosen[holder[values == value]] = True
        offsets = np.concatenate(([0], np.cumsum(lengths[chosen]))).astype(np.int64)
        units = np.ascontiguousarray(grouped.units[chosen])
        patterns, supports = subsequence_table(shown[chosen[element]], offsets, units, n_codes, m)
        tables.append(AssociationTable(patterns, np.full(len(supports), value, dtype=np.int32), supports))
    return AssociationTable(*(np.concatenate(column) for column in zip(*tables, strict=True)))
