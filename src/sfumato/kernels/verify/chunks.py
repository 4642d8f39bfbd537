"""The rarest sets of items within each chunk, counted from the published subrecords; used by verifiers only."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["rarest_sets"]


@njit(cache=True)
def _tally(rows, n, beyond, codes, offsets, tally, met):
    """Count the items behind `beyond` in these subrecords, and list them; returns how many there are."""
    n_met = 0
    for position in range(n):
        for i in range(offsets[rows[position]], offsets[rows[position] + 1]):
            if codes[i] > beyond:
                if tally[codes[i]] == 0:
                    met[n_met] = codes[i]
                    n_met += 1
                tally[codes[i]] += 1
    return n_met


@njit(cache=True)
def rarest_sets(codes, offsets, chunk_offsets, n_names, largest):
    """For each chunk the smallest support of a set of up to `largest` items that occurs in it, and such a set.

    codes, offsets : subrecords, items rising.  chunk_offsets : int64[chunks + 1], over subrecords.
    Returns int64[chunks] (0 for a chunk without subrecords) and int32[chunks, largest], filled up with -1.
    Depth first over sets; O(chunk size) memory beside that.
    """
    n_chunks, longest = len(chunk_offsets) - 1, 1
    for chunk in range(n_chunks):
        longest = max(longest, chunk_offsets[chunk + 1] - chunk_offsets[chunk])
    lowest, example = np.zeros(n_chunks, dtype=np.int64), np.full((n_chunks, largest), -1, dtype=np.int32)
    tally = np.zeros(n_names, dtype=np.int64)
    rows, n_rows = np.empty((largest, longest), dtype=np.int64), np.zeros(largest, dtype=np.int64)
    met, n_met = np.empty((largest, n_names), dtype=np.int64), np.zeros(largest, dtype=np.int64)
    turn, chosen = np.zeros(largest, dtype=np.int64), np.full(largest, -1, dtype=np.int64)
    for chunk in range(n_chunks):
        n_rows[0] = chunk_offsets[chunk + 1] - chunk_offsets[chunk]
        for position in range(n_rows[0]):
            rows[0, position] = chunk_offsets[chunk] + position
        depth, entered = 0, True
        while depth >= 0:
            if entered:
                beyond = chosen[depth - 1] if depth > 0 else -1
                n_met[depth] = _tally(rows[depth], n_rows[depth], beyond, codes, offsets, tally, met[depth])
                for i in range(n_met[depth]):
                    item = met[depth, i]
                    if lowest[chunk] == 0 or tally[item] < lowest[chunk]:
                        lowest[chunk] = tally[item]
                        for position in range(largest):
                            example[chunk, position] = (
                                chosen[position] if position < depth else item if position == depth else -1
                            )
                    tally[item] = 0
                turn[depth], entered = 0, False
            if depth == largest - 1 or turn[depth] == n_met[depth]:
                depth -= 1
                continue
            item = met[depth, turn[depth]]
            turn[depth] += 1
            chosen[depth] = item
            n_fewer = 0
            for position in range(n_rows[depth]):
                for i in range(offsets[rows[depth, position]], offsets[rows[depth, position] + 1]):
                    if codes[i] == item:
                        rows[depth + 1, n_fewer] = rows[depth, position]
                        n_fewer += 1
            depth += 1
            n_rows[depth], entered = n_fewer, True
    return lowest, example
