"""Worked examples of Poulis et al., Transactions on Data Privacy 7(2), 2014, as the definitions have them."""

from sfumato import SeqAnon, Trajectories
from sfumato.data import Taxonomy
from sfumato.privacy import KmAnonymity

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


def test_example_2_semantic_dissimilarity_of_figure_2() -> None:
    tree = Taxonomy({"all": None, "R": "all", "C": "all", **dict.fromkeys("ace", "R"), **dict.fromkeys("bd", "C")})
    assert tree.leaf_count(tree.common_ancestor("ace")) / len(tree.leaves) == 0.6
    assert tree.leaf_count(tree.common_ancestor("ad")) / len(tree.leaves) == 1
