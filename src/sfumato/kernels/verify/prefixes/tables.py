"""Every subsequence of up to m labels with its support, as a table: for supports that are added up elsewhere."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.verify.prefixes.growing import (
    clear_touched,
    empty_search,
    grow_prefixes,
    prefix_arrays,
    tally_extensions,
    with_length,
)

__all__ = ["table_of_labels"]


@inner
def _add_row(prefix, size, label, support, m, n_rows, patterns, counts):
    """Write a pattern behind the others; returns the arrays, perhaps longer ones."""
    patterns, counts = with_length(patterns, n_rows * m, (n_rows + 1) * m), with_length(counts, n_rows, n_rows + 1)
    for level in range(m):
        patterns[n_rows * m + level] = prefix[level] if level < size - 1 else -1
    patterns[n_rows * m + size - 1] = label
    counts[n_rows] = support
    return patterns, counts


@njit(cache=True)
def table_of_labels(codes, offsets, units, previous, starts, records, positions, supports, labels, m):
    """All patterns that begin with one of these labels; see `divided.subsequence_table`.

    Returns int32[rows * m], the labels of each pattern and then -1, and int64[rows], the support of each.
    """
    patterns, counts, n_rows = np.empty(64 * m, np.int32), np.empty(64, np.int64), 0
    arrays, search = prefix_arrays(codes, offsets, units, previous, len(supports)), empty_search()
    prefix = np.empty(m, dtype=np.int32)
    for label in labels:
        prefix[0] = label
        patterns, counts = _add_row(prefix, 1, label, supports[label], m, n_rows, patterns, counts)
        n_rows += 1
        here, floors = records[starts[label] : starts[label + 1]], positions[starts[label] : starts[label + 1]]
        n_buckets, end, size = 0, np.int64(0), np.int64(2)
        while size <= m:
            n_touched, _ = tally_extensions(here, floors, arrays)
            for i in range(n_touched):
                new = arrays.touched[i]
                patterns, counts = _add_row(prefix, size, new, arrays.supports[new], m, n_rows, patterns, counts)
                n_rows += 1
            if size < m:
                search = grow_prefixes(here, floors, n_touched, n_buckets, end, size, search, arrays)
                n_buckets += n_touched
            clear_touched(arrays, n_touched)
            if n_buckets == 0:
                break
            n_buckets -= 1
            extension, start, end, level = search.stack[n_buckets]
            prefix[level - 1] = extension
            here, floors, size = search.records[start:end], search.positions[start:end], level + 1
    return patterns[: n_rows * m], counts[:n_rows]
