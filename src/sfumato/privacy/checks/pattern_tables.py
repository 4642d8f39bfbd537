"""Tables of all patterns with their supports: for supports of parts of the data that are added up elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.divided import subsequence_table
from sfumato.privacy.checks.sensitive_associations import FlaggedData, sensitive_of_labels, sensitive_of_records

__all__ = ["AssociationTable", "association_table", "pattern_supports"]


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
    _, value_codes, value_starts = sensitive_of_labels(data)
    hidden = np.diff(value_starts)[grouped.codes] > 0
    record, codes = grouped.record_of_element(), grouped.codes[~hidden]
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
        patterns, supports = subsequence_table(codes[chosen[element]], offsets, units, len(data.names), m)
        tables.append(AssociationTable(patterns, np.full(len(supports), value, dtype=np.int32), supports))
    return AssociationTable(*(np.concatenate(column) for column in zip(*tables, strict=True)))
