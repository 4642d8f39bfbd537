"""The worked example of Monreale et al., Transactions on Data Privacy 4(2), 2011, Section 5, corrected.

Quasi-identifiers become Station, Place, Entertainment, S2 as printed.  After C1 and C2 climb to Clinic, which has two
leaves, both have probability 1/2 (the paper prints 2/5), so that c = 0.45 takes one step more than printed.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from sfumato import Cast, Taxonomy, Trajectories
from sfumato.privacy.checks.disclosure import Disclosure

PLACES: dict[str, str | None] = {
    "Place": None, "Station": "Place", "Park": "Place", "Entertainment": "Place", "Health": "Place",
    "Restaurant": "Entertainment", "Disco": "Entertainment", "Hospital": "Health", "Clinic": "Health",
    "S1": "Station", "S2": "Station", "S3": "Station", "P1": "Park", "P2": "Park", "P3": "Park",
    "R1": "Restaurant", "R2": "Restaurant", "D1": "Disco", "D2": "Disco",
    "H1": "Hospital", "H2": "Hospital", "H3": "Hospital", "C1": "Clinic", "C2": "Clinic",
}  # fmt: skip
WALKS = ["S1 R2 H1 R1 C2 S2", "S3 D1 R1 C2 S2", "S1 P3 C1 D2 S2"]
KNOWN = ["Station", "Place", "Entertainment", "S2"]


@pytest.fixture
def tree() -> Taxonomy:
    return Taxonomy(PLACES, sensitive=["Health"])


@pytest.fixture
def walks(tree: Taxonomy) -> Trajectories:
    return Trajectories.from_lists([walk.split() for walk in WALKS], taxonomy=tree)


def test_the_quasi_identifiers_and_the_probabilities_before_sensitive_places_climb(walks: Trajectories) -> None:
    release = Cast(c=0.7, group_size=3).anonymize(walks)
    assert release.data.to_lists() == [
        ["Station", "Place", "C1", "Entertainment", "S2"],
        ["Station", "Place", "Entertainment", "C2", "S2"],
        ["Station", "Place", "H1", "Entertainment", "C2", "S2"],
    ]
    seen = Disclosure(release.data, walks.taxonomy)
    chances = {place: seen.probability(KNOWN, [place]) for place in ("H1", "C2", "C1")}
    assert chances == {"H1": Fraction(1, 3), "C2": Fraction(2, 3), "C1": Fraction(1, 3)}


def test_what_the_paper_prints_is_one_half_and_not_two_fifths(walks: Trajectories, tree: Taxonomy) -> None:
    printed = [
        ["Station", "Place", "H1", "Entertainment", "Clinic", "S2"],
        ["Station", "Place", "Entertainment", "Clinic", "S2"],
        ["Station", "Place", "Clinic", "Entertainment", "S2"],
    ]
    release = Cast(c=0.5, group_size=3).anonymize(walks)
    assert sorted(release.data.to_lists()) == sorted(printed)
    seen = Disclosure(release.data, tree)
    assert seen.probability(KNOWN, ["C1"]) == seen.probability(KNOWN, ["C2"]) == Fraction(1, 2)
    assert release.verdicts[0][1].measured["worst_probability"] == 0.5


def test_at_the_printed_c_the_clinics_climb_once_more_and_take_the_hospital_with_them(walks: Trajectories) -> None:
    release = Cast(c=0.45, group_size=3).anonymize(walks)
    assert release.data.to_lists() == [
        ["Station", "Place", "Entertainment", "Health", "S2"],
        ["Station", "Place", "Health", "Entertainment", "Health", "S2"],
        ["Station", "Place", "Health", "Entertainment", "S2"],
    ]
    # two of five leaves in one record, one in the others: (1 - (4/5)^2 + 1/5 + 1/5) / 3
    assert Disclosure(release.data, walks.taxonomy).probability(KNOWN, ["H2"]) == Fraction(19, 75)
    assert release.data.members["Health"] == ("H1", "H2", "H3", "C1", "C2")
    assert "H1" not in release.data.members["Place"]  # a quasi-identifier never stands for a sensitive place
    assert release.holds


def test_sets_of_places(walks: Trajectories, tree: Taxonomy) -> None:
    seen = Disclosure(walks, tree)
    assert seen.probability(["S1", "R2"], ["H1", "C2"]) == 1
    assert seen.probability(["S2"], ["H1", "C2"]) == Fraction(1, 3)
    assert seen.probability(["S2"], ["H1", "C1"]) == 0
    # one place never matches twice: a single Clinic cannot be both
    one = Trajectories.from_lists([["S1", "Clinic"]], taxonomy=tree)
    assert Disclosure(one, tree).probability(["S1"], ["C1", "C2"]) == 0
    two = Trajectories.from_lists([["S1", "Clinic", "Clinic"]], taxonomy=tree)
    assert Disclosure(two, tree).probability(["S1"], ["C1", "C2"]) == Fraction(1, 2)
