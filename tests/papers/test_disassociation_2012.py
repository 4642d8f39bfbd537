"""The worked examples of M. Terrovitis et al., "Privacy preservation by disassociation", PVLDB 5(10), 2012."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.data import Chunks, Transactions
from sfumato.methods.base import Run
from sfumato.methods.transactions.assembling import NumberedChunks, assemble, stands_alone
from sfumato.methods.transactions.horpart import Clusters
from sfumato.methods.transactions.refine import Joints, refine
from sfumato.methods.transactions.verpart import verpart
from sfumato.privacy import ReconstructionAnonymity
from twins.chunks import guarantee_1_holds

FIRST = [
    ["itunes", "flu", "madonna", "ikea", "ruby"],
    ["madonna", "flu", "viagra", "ruby", "audi a4", "sony tv"],
    ["itunes", "madonna", "audi a4", "ikea", "sony tv"],
    ["itunes", "flu", "viagra"],
    ["itunes", "flu", "madonna", "audi a4", "sony tv"],
]
SECOND = [
    ["madonna", "digital camera", "panic disorder", "playboy"],
    ["iphone sdk", "madonna", "ikea", "ruby"],
    ["iphone sdk", "digital camera", "madonna", "playboy"],
    ["iphone sdk", "digital camera", "panic disorder"],
    ["iphone sdk", "digital camera", "madonna", "ikea", "ruby"],
]
K, M = 3, 2


@pytest.fixture
def clusters() -> Clusters:
    """The two clusters of Figure 2, which are given."""
    return Clusters(Transactions.from_lists(FIRST + SECOND), np.array([0, 5, 10]))


def parts_of(clusters: Clusters) -> np.ndarray:
    return verpart(clusters, k=K, m=M, skipped=np.zeros(len(clusters.data.names), dtype=bool))


def apart(clusters: Clusters, parts: np.ndarray) -> Chunks:
    """The chunks of clusters of which none are joint."""
    joints = Joints([-1] * len(clusters), np.full(len(parts), -1, dtype=np.int32))
    return assemble(clusters, parts, NumberedChunks.of(clusters, parts), joints)


def contents(chunk: list[list[str]]) -> list[list[str]]:
    return sorted(chunk)


def test_figure_2(clusters: Clusters) -> None:
    parts = parts_of(clusters)
    one, two = apart(clusters, parts).to_nested()
    assert one["size"] == two["size"] == 5
    assert [contents(chunk) for chunk in one["chunks"]] == [
        [
            ["flu", "itunes"],
            ["flu", "itunes", "madonna"],
            ["flu", "itunes", "madonna"],
            ["flu", "madonna"],
            ["itunes", "madonna"],
        ],
        [["audi a4", "sony tv"]] * 3,
    ]
    assert one["terms"] == ["ikea", "ruby", "viagra"]
    assert [contents(chunk) for chunk in two["chunks"]] == [
        [
            ["digital camera", "iphone sdk"],
            ["digital camera", "iphone sdk", "madonna"],
            ["digital camera", "iphone sdk", "madonna"],
            ["digital camera", "madonna"],
            ["iphone sdk", "madonna"],
        ]
    ]
    assert two["terms"] == ["ikea", "panic disorder", "playboy", "ruby"]


def test_figure_3(clusters: Clusters) -> None:
    """Equation 1: (4 + 4) / 10 >= (2 + 2) / 10."""
    parts = parts_of(clusters)
    skipped = np.zeros(len(clusters.data.names), dtype=bool)
    numbered = NumberedChunks.of(clusters, parts)
    alone = stands_alone(clusters, numbered, K, M)
    joints = refine(clusters, parts, alone, k=K, m=M, skipped=skipped, safe=False, run=Run())
    (joint,) = assemble(clusters, parts, numbered, joints).published()[0].to_nested()
    assert joint["size"] == 10
    (shared,) = joint["chunks"]
    assert contents(shared) == [["ikea"], ["ikea", "ruby"], ["ikea", "ruby"], ["ikea", "ruby"], ["ruby"]]
    assert sorted(child["terms"] for child in joint["children"]) == [["panic disorder", "playboy"], ["viagra"]]
    published = Chunks.of([joint])
    assert ReconstructionAnonymity(k=K, m=M).check(published).holds
    assert published.lower_bound(["ikea", "ruby"]) == 3


def test_the_anonymized_dataset_of_figure_2_is_3_2_anonymous(clusters: Clusters) -> None:
    parts = parts_of(clusters)
    chunks = apart(clusters, parts)
    assert ReconstructionAnonymity(k=K, m=M).check(chunks).holds
    assert guarantee_1_holds(chunks.to_nested(), K, M)


def test_example_1_needs_lemma_2() -> None:
    """Figure 4: 6 subrecords do not suffice for 5 records, and only one dataset is possible."""
    figure_4 = [{"size": 5, "chunks": [[["a"]] * 3, [["b", "c"]] * 3], "terms": []}]
    assert not ReconstructionAnonymity(k=3, m=2).check(Chunks.of(figure_4)).holds
    assert not guarantee_1_holds(figure_4, 3, 2)
    records = Clusters(Transactions.from_lists(["a", "a", "bc", "bc", "abc"]), np.array([0, 5]))
    parts = verpart(records, k=3, m=2, skipped=np.zeros(3, dtype=bool))
    repaired = apart(records, parts).to_nested()
    assert repaired[0]["terms"] == ["a"]  # all have support 3: the earliest name
    assert guarantee_1_holds(repaired, 3, 2)


def test_figure_5_needs_property_1() -> None:
    """x is always with a; the shared subrecords with o hold a, too, but one: x and o can be together only once."""
    one = {"size": 3, "chunks": [[["a", "x"]] * 3], "terms": ["t"]}
    two = {"size": 4, "chunks": [[["b"]] * 3], "terms": ["u"]}
    unsafe = [{"children": [one, two], "size": 7, "chunks": [[["a", "o"], ["a", "o"], ["a"], ["o"]]]}]
    verdict = ReconstructionAnonymity(k=3, m=2).check(Chunks.of(unsafe))
    assert not verdict.holds
    assert not guarantee_1_holds(unsafe, 3, 2)


def test_property_1_does_not_suffice() -> None:
    """Every shared subrecord occurs k times, and still x and o can be together only twice.

    Four subrecords with a need four of the six records without another a; where x is, two are left for o.
    """
    one, two = {"size": 3, "chunks": [], "terms": ["x"]}, {"size": 3, "chunks": [], "terms": ["y"]}
    three = {"size": 3, "chunks": [[["a"]] * 3], "terms": ["z"]}
    inner = {"size": 6, "children": [two, three], "chunks": []}
    release = [{"size": 9, "children": [one, inner], "chunks": [[["a"]] * 4 + [["o"]] * 3]}]
    assert not guarantee_1_holds(release, 3, 2)
    verdict = ReconstructionAnonymity(k=3, m=2).check(Chunks.of(release))
    assert [witness["broken"] for witness in verdict.witnesses] == [
        "too little room for the subrecords of a shared chunk"
    ]
