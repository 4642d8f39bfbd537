"""Sensitive places climb inside a group until they are improbable enough."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sfumato.data import Taxonomy
from sfumato.methods.trajectories.cast.sensitive_generalization import lifted_places
from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree

TREE = Tree.of(
    Taxonomy(
        {"all": None, "bar": "all", "health": "all", "clinic": "health", "lab": "health"}
        | {"c1": "clinic", "c2": "clinic", "l1": "lab", "l2": "lab", "l3": "lab", "l4": "lab"},
        sensitive=["health"],
    ),
    "hops",
)


def lifted(secrets: list[str], allowed: Fraction) -> dict[str, str]:
    coded = [[TREE.number[f"{kind}{number}"] for kind, number in zip(*[iter(row)] * 2, strict=True)] for row in secrets]
    found = lifted_places(coded, allowed, TREE)
    return {TREE.names[leaf]: "" if node < 0 else TREE.names[node] for leaf, node in found.items()}


@pytest.mark.parametrize(
    ("secrets", "allowed", "expected"),
    [
        (["c1", "c2", ""], Fraction(1), {"c1": "c1", "c2": "c2"}),
        (["c1", "c1", ""], Fraction(1), {"c1": "clinic"}),  # 1/2 + 1/2 for c1, and for c2 that nobody visits
        (
            ["c1", "c1", "c2"],
            Fraction(1),
            {"c1": "health", "c2": "health"},
        ),  # a clinic would be 3/2; a sixth each is 1/2
        (["c1", "c1", "l1"], Fraction(1), {"c1": "clinic", "l1": "l1"}),  # another branch stays as it is
        (["c1c1", "c1", "l1"], Fraction(1), {"c1": "health", "l1": "health"}),  # 3/4 + 1/2 > 1; climbs with all below
        (["c1", "c1", "c1"], Fraction(1, 3), {"c1": ""}),  # 3/6 > 1/3 at the top: suppressed
        (["c1", "", ""], Fraction(1, 7), {"c1": ""}),
    ],
)
def test_by_hand(secrets: list[str], allowed: Fraction, expected: dict[str, str]) -> None:
    assert lifted(secrets, allowed) == expected


def test_no_place_is_too_probable_in_the_end() -> None:
    for allowed in (Fraction(number, 12) for number in range(1, 30)):
        secrets = ["c1c1l1", "c2l2", "l1l1", "c1", "l3"]
        found = lifted(secrets, allowed)
        for node in {label for label in found.values() if label}:
            leaves = int(TREE.leaf_count[TREE.number[node]])
            total = Fraction(0)
            for row in secrets:
                visits = [row[at : at + 2] for at in range(0, len(row), 2)]
                total += 1 - Fraction(leaves - 1, leaves) ** sum(found[visit] == node for visit in visits)
            assert total <= allowed
