"""Equivalence classes of rows with the same labels, by hashing of packed keys."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner

__all__ = ["classes_of", "distinct_pairs"]


@njit(cache=True)
def classes_of(keys, counts, kept, word, shift, mask, start, image):
    """The equivalence classes of keys after some digits are replaced by their images.

    keys : uint64[n, words].  counts : int64[n], how many rows a key stands for.
    kept : uint64[words], the bits of digits that stay as they are; all others become 0, or an image.
    word, shift, mask : int64/uint64[digits], where each digit to replace lies.
    start : int64[digits], image : int64[...]; the image of digit d with value v is image[start[d] + v].
    Returns the class of each key, the keys of the classes and their counts; classes by first appearance.
    """
    n, words = keys.shape
    size, top = 16, np.uint64(60)
    while 2 * size < 3 * n:
        size, top = size * 2, top - np.uint64(1)
    slots = np.full(size, -1, dtype=np.int32)
    ids = np.empty(n, dtype=np.int32)
    class_keys = np.empty((n, words), dtype=np.uint64)
    total = np.zeros(n, dtype=np.int64)
    if words == 1:
        change = shift, mask, start, image
        number = _classes_of_words(keys[:, 0], counts, kept[0], *change, slots, top, ids, class_keys[:, 0], total)
        return ids, class_keys[:number].copy(), total[:number].copy()
    new = np.empty(words, dtype=np.uint64)
    number = 0
    for position in range(n):
        for w in range(words):
            new[w] = keys[position, w] & kept[w]
        for d in range(len(word)):
            value = (keys[position, word[d]] >> shift[d]) & mask[d]
            new[word[d]] |= np.uint64(image[start[d] + np.int64(value)]) << shift[d]
        slot = _slot_of(slots, class_keys, new, words, size, top)
        if slots[slot] < 0:
            slots[slot] = number
            for w in range(words):
                class_keys[number, w] = new[w]
            number += 1
        ids[position] = slots[slot]
        total[slots[slot]] += counts[position]
    return ids, class_keys[:number].copy(), total[:number].copy()


@inner
def _classes_of_words(keys, counts, kept, shift, mask, start, image, slots, top, ids, class_keys, total):
    """The same for keys of one word, without arrays for a key; returns how many classes there are."""
    number = np.int32(0)
    for position in range(len(keys)):
        new = keys[position] & kept
        for d in range(len(shift)):
            value = (keys[position] >> shift[d]) & mask[d]
            new |= np.uint64(image[start[d] + np.int64(value)]) << shift[d]
        slot = np.int64((new * np.uint64(0x9E3779B97F4A7C15)) >> top)
        found = slots[slot]
        while found >= 0 and class_keys[found] != new:
            slot = (slot + 1) & (len(slots) - 1)
            found = slots[slot]
        if found < 0:
            slots[slot] = found = number
            class_keys[number] = new
            number += np.int32(1)
        ids[position] = found
        total[found] += counts[position]
    return number


@inner
def _slot_of(slots, class_keys, new, words, size, top):
    """The slot of a key, or the free slot where it belongs (open addressing)."""
    mixed = np.uint64(0)
    for w in range(words):
        mixed = (mixed ^ new[w]) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> top)  # the highest bits depend on all digits
    while slots[slot] >= 0:
        same = True
        for w in range(words):
            same = same and class_keys[slots[slot], w] == new[w]
        if same:
            return slot
        slot = (slot + 1) & (size - 1)
    return slot


@njit(cache=True)
def distinct_pairs(ids, others):
    """For each entry, whether its pair (ids, others) has not occurred before.

    ids, others : int32[n], not negative.  Returns bool[n].
    """
    n = len(ids)
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, dtype=np.int64)
    new = np.zeros(n, dtype=np.bool_)
    for position in range(n):
        key = (np.int64(ids[position]) << 32) | np.int64(others[position])
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((mixed >> np.uint64(32)) & np.uint64(size - 1))
        while slots[slot] >= 0 and slots[slot] != key:
            slot = (slot + 1) & (size - 1)
        new[position] = slots[slot] < 0
        slots[slot] = key
    return new
