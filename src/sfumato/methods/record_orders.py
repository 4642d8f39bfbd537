"""Orders that bring similar records together: Z-order of places, Gray order of keys of any length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = ["gray_order", "word_order", "z_order"]

_BITS = 31  # of each coordinate; two of them interleaved fit into 62


def z_order(coordinates: npt.NDArray[np.float64]) -> Ints:
    """The rows of (x, y) in Z-order, y giving the higher bit; equal ones stay in their order.

    Coordinates are cut into 31 bits by a power of two, the same for x and y, which leaves the Z-order of whole
    numbers as it is; negative ones are moved so that the smallest becomes 0.

    >>> z_order(np.array([(3, 0), (5, 1), (5, 5), (3, 3), (3, 5)])).tolist()
    [0, 3, 1, 4, 2]
    """
    if len(coordinates) == 0:
        return np.empty(0, dtype=np.int64)
    moved = coordinates - np.minimum(0.0, np.floor(coordinates.min(axis=0)))
    _, exponent = np.frexp(moved.max())
    cells = np.ldexp(moved, _BITS - int(exponent)).astype(np.uint64)
    values = _spread(cells[:, 0]) | (_spread(cells[:, 1]) << np.uint64(1))
    return np.argsort(values, kind="stable")


def _spread(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The bits of each number with a 0 between any two of them."""
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        numbers = (numbers | (numbers << np.uint64(shift))) & np.uint64(mask)
    return numbers


def gray_order(offsets: Ints, columns: Ints, ties: Ints) -> Ints:
    """The order of binary keys by their rank in the Gray code, equal ones in the order of `ties`.

    columns[offsets[i]:offsets[i + 1]] : where key i has a 1, falling; a larger number is a more significant bit.

    Two keys differ first, from the most significant bit on, where one has a 1 and the other a 0.  If the number of
    ones above is even, the 0 comes first, otherwise the 1.  So lists of ones are compared like words: letters at even
    places rise, those at odd places fall, and a word that ends comes first at even places and last at odd ones.
    No key is ever written out.

    >>> keys = [[], [0], [1, 0], [1], [2, 1], [2, 1, 0], [2, 0], [2]]  # the Gray code of three bits
    >>> flat = np.array([one for key in keys[::-1] for one in key])
    >>> starts = np.concatenate(([0], np.cumsum([len(key) for key in keys[::-1]])))
    >>> gray_order(starts, flat, np.arange(8)).tolist()
    [7, 6, 5, 4, 3, 2, 1, 0]
    """
    return _in_order(offsets, columns, ties, gray=True)


def word_order(offsets: Ints, letters: Ints, ties: Ints) -> Ints:
    """The order of words of numbers, letter by letter, equal ones in the order of `ties`.

    >>> word_order(np.array([0, 2, 3, 5, 5]), np.array([7, 4, 7, 4, 9]), np.arange(4)).tolist()
    [3, 2, 1, 0]
    """
    return _in_order(offsets, letters, ties, gray=False)


def _in_order(offsets: Ints, letters: Ints, ties: Ints, *, gray: bool) -> Ints:
    """A stable sort by the last letters, then by those before them, and so on; several letters make one number."""
    lengths = np.diff(offsets)
    by_length = ties[np.argsort(lengths[ties], kind="stable")]
    rising = lengths[by_length]
    base = int(letters.max(initial=0)) + 2  # every letter, and the end of a word
    together = max(1, int(62 / np.log2(base)))
    order = np.empty(0, dtype=np.int64)
    end = len(by_length)
    for first in range(int(rising[-1] if end else 0) // together * together, -1, -together):
        start = int(np.searchsorted(rising, first))  # a word that ends just before still has its end to compare
        order = np.concatenate((by_length[start:end], order))
        end = start
        order = order[np.argsort(_numbers(offsets, letters, order, first, together, base, gray), kind="stable")]
    return order


def _numbers(offsets: Ints, letters: Ints, words: Ints, first: int, together: int, base: int, gray: bool) -> Ints:
    """The letters of each word from `first` on as one number."""
    lengths, starts = np.diff(offsets)[words], offsets[words]
    numbers = np.zeros(len(words), dtype=np.int64)
    for place in range(first, first + together):
        numbers *= base
        here = np.flatnonzero(lengths > place)
        if gray and place % 2 == 1:
            numbers[here] += base - 2 - letters[starts[here] + place]
            numbers[lengths == place] += base - 1
        else:
            numbers[here] += letters[starts[here] + place] + 1
    return numbers
