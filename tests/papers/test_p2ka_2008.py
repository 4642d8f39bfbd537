"""Worked examples of Pensa et al., "Pattern-preserving k-anonymization of sequences ...", PiLBA 2008."""

from sfumato import BfP2ka, Trajectories
from sfumato.privacy import SequenceKAnonymity
from twins.p2ka import minimum_prefix, prefix_tree, prune

FIGURE_1A = [*["ABCDEF"] * 3, *["ADEF"] * 3, "BKS", "BK", "BK", "DEJF"]
FIGURE_1B = [*["ABCDEF"] * 3, *["ADEF"] * 4, *["BK"] * 3]


def test_figure_1_comes_out_to_the_letter() -> None:
    release = BfP2ka(k=2).anonymize(Trajectories.from_lists(FIGURE_1A))
    assert ["".join(row) for row in release.data.to_lists()] == FIGURE_1B
    assert release.holds
    # BKS loses S; DEJF loses J and gains A
    assert release.counts == {
        "suppressed_records": 0,
        "moved_records": 2,
        "suppressed_visits": 2,
        "added_visits": 1,
    }


def test_section_4_1_the_literal_twin_cuts_what_the_text_says() -> None:
    tree = prefix_tree(FIGURE_1A, range(10))
    cut = [found for child in list(tree.children.values()) for found in prune(child, 2).items()]
    assert cut == [(tuple("BKS"), 1), (tuple("DEJF"), 1)]
    supports = {"".join(node.path): node.support for node in tree.below() if node.path}
    assert (supports["A"], supports["AD"], supports["ADEF"], supports["B"], supports["BK"]) == (6, 3, 3, 2, 2)


def test_example_1_minimum_prefix() -> None:
    assert "".join(minimum_prefix(tuple("ABCDECDF"), tuple("ACD"))) == "ABCD"


def test_the_original_itself_is_not_2_anonymous() -> None:
    data = Trajectories.from_lists(FIGURE_1A)
    verdict = SequenceKAnonymity(k=2).check(data, data)
    assert verdict.holds is False
    assert verdict.witnesses == ({"pattern": list("BKS"), "support": 1}, {"pattern": list("DEJ"), "support": 1})
