"""The audit of chunks: supports of known items in a chunk, as a literal program counts them."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Chunks
from sfumato.attacks import TableAudit
from sfumato.attacks.audit.chunk_risks import audit_chunks

CHUNK = st.lists(st.sets(st.sampled_from("abc"), min_size=1), min_size=1, max_size=5)


def smallest_supports(chunk: list[set[str]], known: int) -> list[int]:
    """Of each subrecord, the fewest subrecords of its chunk that contain `known` of its items, or all it has."""
    return [
        min(sum(set(chosen) <= other for other in chunk) for chosen in combinations(sorted(row), min(known, len(row))))
        for row in chunk
    ]


@settings(max_examples=50, deadline=None)
@given(chunks=st.lists(CHUNK, min_size=1, max_size=3), known=st.integers(1, 3))
def test_supports_in_chunks(chunks: list[list[set[str]]], known: int) -> None:
    data = Chunks.of([{"size": 5, "chunks": [[sorted(row) for row in chunk]]} for chunk in chunks])
    result = audit_chunks(data, TableAudit(threshold=0.5), known=known)
    for part in result.known_items:
        expected = [size for chunk in chunks for size in smallest_supports(chunk, part.known)]
        assert (part.examined, part.smallest, part.unique) == (len(expected), min(expected), expected.count(1))
        assert part.above == expected.count(1)
        assert part.exact


def test_chunks_without_subrecords() -> None:
    data = Chunks.of([{"size": 3, "chunks": [], "terms": ["oil"]}])
    result = audit_chunks(data, TableAudit())
    assert [(part.examined, part.smallest) for part in result.known_items] == [(0, None), (0, None)]
    assert "The 3 records are in 1 cluster of 3 records." in " ".join(result.sentences)
    assert result.to_json()["smallest_cluster"] == 3
