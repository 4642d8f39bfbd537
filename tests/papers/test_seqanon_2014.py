"""Worked examples of Poulis et al., Transactions on Data Privacy 7(2), 2014, as the definitions have them."""

from dataclasses import replace

import pytest

from sfumato import SdSeqAnon, SeqAnon, Trajectories, USeqAnon
from sfumato.data import Constraints, Taxonomy
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from sfumato.methods.trajectories.seqanon.suppression import Suppression
from sfumato.methods.trajectories.seqanon.u_seqanon import _Allowed
from sfumato.privacy import KmAnonymity
from sfumato.utility.places.dissimilarity import CombinedDisplacement, SemanticPenalty
from sfumato.utility.places.generalization import Displacement

# Figure 1a; the coordinates are lost with the figure, these agree with the text
FIGURE_1A = ["dace", "baec", "ade", "bdec", "dc", "de"]
WHERE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}


def trajectories(rows: list[str]) -> Trajectories:
    return Trajectories.from_lists(rows, places=WHERE)


def test_definition_3_support_counts_records_not_occurrences() -> None:
    check = KmAnonymity(k=2, m=2).check(Trajectories.from_lists([["a", "e", "b", "a", "e"]]))
    assert check.measured["smallest_support"] == 1
    assert all(witness["support"] == 1 for witness in check.witnesses)
    assert KmAnonymity(k=2, m=2).check(Trajectories.from_lists(["aebae", "ae"])).measured["patterns"] == 11


def test_example_1_the_dataset_is_2_1_anonymous_but_not_2_2_anonymous() -> None:
    data = trajectories(FIGURE_1A)
    assert KmAnonymity(k=2, m=1).check(data).holds is True
    verdict = KmAnonymity(k=2, m=2).check(data)
    assert verdict.holds is False
    # Figure 4a: the set S of subtrajectories of size 2 with support below 2
    assert [witness["pattern"] for witness in verdict.witnesses] == [list(p) for p in ("ad", "ba", "bd", "ce", "da")]
    assert verdict.measured["violating_patterns"] == 5


def test_section_3_1_exact_knowledge_is_not_covered() -> None:
    """{(a,d,e), (a,d,e), (a,d)} is 2^3-anonymous, although (a,d) is unique to whoever knows it is all."""
    assert KmAnonymity(k=2, m=3).check(trajectories(["ade", "ade", "ad"])).holds is True
    assert any("exactly" in sentence for sentence in KmAnonymity.not_covered)


def test_example_4_seqanon_gives_figure_4c() -> None:
    release = SeqAnon(k=2, m=2).anonymize(trajectories(FIGURE_1A))
    assert release.data.members == {"g1": ("a", "b", "c")}
    published = sorted(["d g1 g1 e", "g1 g1 e g1", "g1 d e", "g1 d e g1", "d g1", "d e"])
    assert [" ".join(row) for row in release.data.to_lists()] == published
    assert release.holds
    assert release.counts == {"suppressed_visits": 0, "suppressed_records": 0, "merged_locations": 3}


def test_generalization_alone_can_be_insufficient() -> None:
    """(a,b), (c), (c) with k = m = 2: one label is left and (x,x) has support 1, so a visit is suppressed."""
    release = SeqAnon(k=2, m=2).anonymize(trajectories(["ab", "c", "c"]))
    assert release.data.to_lists() == [["g1"], ["g1"], ["g1"]]
    assert release.data.members == {"g1": ("a", "b", "c")}
    assert release.counts["suppressed_visits"] == 1
    assert release.holds


# Figure 2: a, c and e are restaurants, b and d coffee shops
FIGURE_2 = Taxonomy({"all": None, "R": "all", "C": "all", **dict.fromkeys("ace", "R"), **dict.fromkeys("bd", "C")})
# Figure 5a
FIGURE_5A = Constraints({"b": "1", "c": "1", "a": "2", "d": "2", "e": "2"})


def test_example_2_semantic_dissimilarity_of_figure_2() -> None:
    assert FIGURE_2.dissimilarity("ace") == 0.6
    assert FIGURE_2.dissimilarity("ad") == 1


def test_section_1_1_seqanon_takes_b_and_sd_seqanon_c_as_the_partner_of_a() -> None:
    """b is a coffee shop next to a; c is a restaurant, as a is, and not very far."""
    data = replace(trajectories(FIGURE_1A), taxonomy=FIGURE_2)
    for method, partner in ((SeqAnon(k=2, m=2), "b"), (SdSeqAnon(k=2, m=2), "c")):
        recoding = Recoding(data)
        widen = method.widening(recoding, Suppression())
        recoding.count(2, 2)
        rarest = recoding.rarest_label(recoding.rare(2)[0])
        assert data.names[rarest] == "a"
        assert widen(recoding, rarest)
        assert recoding.current[0] == recoding.current[data.names.index(partner)]


def test_sd_seqanon_on_the_running_example() -> None:
    """By hand: a joins c (1 x 0.6), these join e (1.74 x 0.6), d joins b (1.5 x 0.4); then only one label is left
    to join, because nobody but t3 goes from one of {a,c,e} to one of {b,d}."""
    release = SdSeqAnon(k=2, m=2).anonymize(replace(trajectories(FIGURE_1A), taxonomy=FIGURE_2))
    assert release.data.members == {"g1": tuple("abcde")}
    assert release.holds
    assert SemanticPenalty()(release.original, release).value == 1


def test_definition_8_the_combined_distance_is_the_distance_times_the_dissimilarity() -> None:
    """(a, b), (a1, b), (a2, b) at d(a, a1) = 1 and d(a, a2) = 2: D is 1/2 for the first, C that times 3/4."""
    tree = Taxonomy({"all": None, "n": "all", **dict.fromkeys(("a", "a1", "a2"), "n"), "b": "all"})
    places = {"a": (0, 0), "a1": (1, 0), "a2": (2, 0), "b": (500, 0)}
    data = Trajectories.from_lists([["a", "b"], ["a1", "b"], ["a2", "b"]], places=places, taxonomy=tree)
    release = SeqAnon(k=3, m=1).anonymize(data)
    assert release.data.members == {"g1": ("a", "a1", "a2")}
    distance = ((0 + 1 + 2) / 3 / 2 + (1 + 0 + 1) / 3 / 2 + (2 + 1 + 0) / 3 / 2) / 3
    assert Displacement()(data, release).value == pytest.approx(distance)
    assert CombinedDisplacement()(data, release).value == pytest.approx(0.75 * distance)
    assert SemanticPenalty()(data, release).value == pytest.approx(0.75 / 2)


def test_example_5_the_first_subtrajectory_gives_figure_5b() -> None:
    """The first in name order is (a, d); a, its rarest location, joins d, the nearest of its constraint."""
    data = replace(trajectories(FIGURE_1A), constraints=FIGURE_5A)
    recoding = Recoding(data)
    recoding.count(2, 2)
    first = recoding.rare(2)[0]
    assert [data.names[label] for label in first] == ["a", "d"]
    _Allowed(recoding).widen(recoding, recoding.rarest_label(first))
    rows = [" ".join(row) for row in recoding.published().outcome(data).data.to_lists()]
    assert rows == ["g1 g1 c e", "b g1 e c", "g1 g1 e", "b g1 e c", "g1 c", "g1 e"]


def test_example_5_u_seqanon_leaves_e_alone() -> None:
    """Figure 5c generalizes e needlessly: with {a,d} and {b,c} the data are 2^2-anonymous inside the constraints."""
    release = USeqAnon(k=2, m=2, delta=5).anonymize(replace(trajectories(FIGURE_1A), constraints=FIGURE_5A))
    assert release.data.members == {"g1": ("a", "d"), "g2": ("b", "c")}
    published = sorted(["g1 g1 g2 e", "g2 g1 e g2", "g1 g1 e", "g2 g1 e g2", "g1 g2", "g1 e"])
    assert [" ".join(row) for row in release.data.to_lists()] == published
    assert release.holds
    assert release.counts == {
        "suppressed_visits": 0,
        "suppressed_records": 0,
        "merged_locations": 4,
        "suppressed_locations": 0,
    }


def test_definition_10_figure_4c_does_not_satisfy_the_constraints() -> None:
    """{a, b, c} of SEQANON's output lies in both constraints (Example 3)."""
    release = SeqAnon(k=2, m=2).anonymize(trajectories(FIGURE_1A))
    assert {FIGURE_5A[member] for member in release.data.members["g1"]} == {"1", "2"}
