"""SeqAnonF; its agreement with the literal twin is tested beside SeqAnon."""

from datasets import PLACES
from sfumato import SeqAnonF, Trajectories
from sfumato.privacy import KmAnonymity


def test_trajectories_shorter_than_m_are_protected_too() -> None:
    """The papers' i = m alone would publish the lonely (a)."""
    data = Trajectories.from_lists([["a"], ["b", "c", "d"], ["b", "c", "d"]], places=PLACES)
    release = SeqAnonF(k=2, m=3).anonymize(data)
    assert KmAnonymity(k=2, m=1).check(release.data).holds is True
    assert release.holds


def test_it_is_seqanon_where_m_is_one() -> None:
    from sfumato import SeqAnon

    data = Trajectories.from_lists(["ab", "bc", "cd", "de", "ea"], places=PLACES)
    one, other = (method(k=3, m=1).anonymize(data).data for method in (SeqAnon, SeqAnonF))
    assert one.to_lists() == other.to_lists()
    assert one.members == other.members


def test_it_says_which_method_it_is() -> None:
    certificate = SeqAnonF(k=2, m=1).anonymize(Trajectories.from_lists(["a", "a"], places=PLACES)).certificate()
    assert certificate.method == "seqanon-f"
    assert certificate.parameters == {"k": 2, "m": 1, "rounds": False, "suppression": 0.0}
