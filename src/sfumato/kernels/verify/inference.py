"""Probabilities of sensitive places, inferred from background knowledge of other places; used by attacks only."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.disclosure import containing

__all__ = ["place_probabilities"]


@njit(cache=True)
def place_probabilities(
    patterns, nodes, offsets, ends, class_of, units, starts, columns, misses, n_columns, asked_starts, asked
):
    """For each attacker the probability of the most probable sensitive place among all units that match, and of some.

    patterns : int32[a, m], known nodes in order, -1 behind the last.  nodes, offsets, ends : as in
    `disclosure`, by class of records.  class_of, units : of each record, those of a unit together.
    starts : int64[records + 1]; columns, misses : for each record the places it may stand for, and how
    probably it does not.  asked : the places that the attackers are asked for, those of attacker i from
    ``asked_starts[i]`` on.  Returns float64[a] and float64[asked], 0 for an attacker whom no unit matches.
    """
    matches = np.zeros(len(offsets) - 1, dtype=np.bool_)
    totals = np.zeros(n_columns)
    missed = np.ones(n_columns)
    touched = np.empty(n_columns, dtype=np.int64)
    most, answers = np.zeros(len(patterns)), np.zeros(len(asked))
    for attacker in range(len(patterns)):
        size = 0
        while size < patterns.shape[1] and patterns[attacker, size] >= 0:
            size += 1
        containing(patterns[attacker, :size], nodes, offsets, ends, matches)
        totals[:] = 0.0
        fitting, last, n_touched = 0, -1, 0
        for record in range(len(class_of) + 1):
            if record < len(class_of) and not matches[class_of[record]]:
                continue
            if record == len(class_of) or units[record] != last:
                for position in range(n_touched):
                    totals[touched[position]] += 1.0 - missed[touched[position]]
                    missed[touched[position]] = 1.0
                n_touched = 0
                if record == len(class_of):
                    break
                last = units[record]
                fitting += 1
            for position in range(starts[record], starts[record + 1]):
                if missed[columns[position]] == 1.0:
                    touched[n_touched] = columns[position]
                    n_touched += 1
                missed[columns[position]] *= misses[position]
        if fitting and n_columns:
            most[attacker] = totals.max() / fitting
            for position in range(asked_starts[attacker], asked_starts[attacker + 1]):
                answers[position] = totals[asked[position]] / fitting
    return most, answers
