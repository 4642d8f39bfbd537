"""The Jaro-Winkler similarity of many pairs of texts."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["best_pairs", "letter_sets", "scratch", "similar_pairs", "similar_texts"]

LONGEST_PREFIX = 4
PREFIX_WEIGHT = 0.1


@njit(cache=True)
def letter_sets(letters, offsets):
    """The set of letters of each text, and the set of those that occur again, as bits.

    A letter sets the bit of its code point modulo 64.
    letters : uint32[total], the code points of all texts.  offsets : int64[n + 1].  Returns uint64[n, 2].
    """
    sets = np.zeros((len(offsets) - 1, 2), dtype=np.uint64)
    for text in range(len(sets)):
        for place in range(offsets[text], offsets[text + 1]):
            bit = np.uint64(1) << np.uint64(letters[place] & np.uint32(63))
            sets[text, 1] |= sets[text, 0] & bit
            sets[text, 0] |= bit
    return sets


@njit(cache=True)
def _ones(bits):
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def _lacking(ours, theirs):
    """How many letters of a text its counterpart surely lacks."""
    return _ones(ours[0] & ~theirs[0]) + _ones(ours[1] & ~theirs[1])


@njit(cache=True)
def _jaro(a, b, used, matched):
    """The Jaro similarity of two texts that are not empty; `used` and `matched` are scratch."""
    reach = max(max(len(a), len(b)) // 2 - 1, 0)
    used[: len(b)] = 0
    count = 0
    for place in range(len(a)):
        for other in range(max(0, place - reach), min(len(b), place + reach + 1)):
            if used[other] == 0 and a[place] == b[other]:
                used[other] = 1
                matched[count] = a[place]
                count += 1
                break
    if count == 0:
        return 0.0
    crossed, rank = 0, 0
    for other in range(len(b)):
        if used[other] == 1:
            crossed += matched[rank] != b[other]
            rank += 1
    return (count / len(a) + count / len(b) + (count - crossed / 2) / count) / 3


@njit(cache=True)
def scratch(offsets):
    """`used` and `matched` of `similar_texts`."""
    longest = 0
    for text in range(len(offsets) - 1):  # np.diff would take seconds to compile
        longest = max(longest, offsets[text + 1] - offsets[text])
    return np.zeros(longest, dtype=np.uint8), np.zeros(longest, dtype=np.uint32)


@njit(cache=True)
def similar_texts(letters, offsets, sets, left, right, at_least, used, matched):
    """The similarity of two texts as in `similar_pairs`; `used` and `matched` are as long as the longest text."""
    size, other_size = offsets[left + 1] - offsets[left], offsets[right + 1] - offsets[right]
    if size == 0 or other_size == 0:
        return 0.0
    # a letter that the other text lacks is not matched: most pairs end here, before their letters are read
    most = min(size - _lacking(sets[left], sets[right]), other_size - _lacking(sets[right], sets[left]))
    bound = (most / size + most / other_size + 1.0) / 3.0
    if bound + PREFIX_WEIGHT * LONGEST_PREFIX * (1.0 - bound) < at_least - 1e-9:
        return -1.0
    a, b = letters[offsets[left] : offsets[left + 1]], letters[offsets[right] : offsets[right + 1]]
    prefix = 0
    while prefix < min(LONGEST_PREFIX, size, other_size) and a[prefix] == b[prefix]:
        prefix += 1
    if bound + PREFIX_WEIGHT * prefix * (1.0 - bound) < at_least - 1e-9:
        return -1.0
    jaro = _jaro(a, b, used, matched)
    return jaro + PREFIX_WEIGHT * prefix * (1.0 - jaro)


@njit(cache=True)
def similar_pairs(letters, offsets, sets, left, right, at_least):
    """The Jaro-Winkler similarity of the texts `left[i]` and `right[i]`; -1.0 for a pair surely below `at_least`.

    letters, offsets, sets : the texts as in `letter_sets`.  left, right : int64[n].  Returns float64[n].
    The bonus for a common prefix has no lower bound.  An empty text is similar to no text: 0.0.
    """
    used, matched = scratch(offsets)
    values = np.empty(len(left))
    for pair in range(len(left)):
        values[pair] = similar_texts(letters, offsets, sets, left[pair], right[pair], at_least, used, matched)
    return values


@njit(cache=True)
def best_pairs(letters, offsets, sets, left_texts, left_borders, right_texts, right_borders, left, right, at_least):
    """The largest similarity of a text of `left[i]` and a text of `right[i]`, as in `similar_pairs`.

    left_texts, right_texts : int64[total], the texts of each owner.  left_borders, right_borders : int64[owners + 1].
    Returns float64[n]; -1.0 where an owner has no text.
    """
    used, matched = scratch(offsets)
    values = np.full(len(left), -1.0)
    for pair in range(len(left)):
        for place in range(left_borders[left[pair]], left_borders[left[pair] + 1]):
            for other in range(right_borders[right[pair]], right_borders[right[pair] + 1]):
                values[pair] = max(
                    values[pair],
                    similar_texts(
                        letters, offsets, sets, left_texts[place], right_texts[other], at_least, used, matched
                    ),
                )
    return values
