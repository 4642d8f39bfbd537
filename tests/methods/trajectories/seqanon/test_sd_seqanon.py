"""SdSeqAnon against its literal twin, and in the cases that ask for thought."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import LOCATIONS, PLACES, TAXONOMY, persons, records
from sfumato import Places, SdSeqAnon, SeqAnon, Taxonomy, Trajectories
from sfumato.errors import DataError, Infeasible, MissingKnowledge
from twins.seqanon import sd_seqanon

# a chain of nodes with one child, leaves at different depths, leaves that nobody visits
CROOKED = Taxonomy(
    {"root": None, "one": "root", "two": "one", "a": "two", "deep": "two", "deeper": "deep", "f": "deeper"}
    | {"x": "deeper", "y": "deeper", "b": "root", "rest": "root", "c": "rest", "e": "rest", "d": "rest", "z": "root"}
)
SPREAD = Places.planar({name: (x, x * x % 7) for x, name in enumerate(LOCATIONS)})


def plain(rows: Any, members: Any = None) -> list[list[tuple[str, ...]]]:
    """Records as members, in an order of their own; empty ones are not published."""
    known = members or {}
    shown = [[tuple(sorted(known.get(label, (label,)) if members is not None else label)) for label in r] for r in rows]
    return sorted(row for row in shown if row)


@pytest.mark.parametrize("taxonomy", [TAXONOMY, CROOKED], ids=["common", "crooked"])
@pytest.mark.parametrize("places", [PLACES, SPREAD], ids=["lattice", "spread"])
@settings(max_examples=120, deadline=None)
@given(rows=records(), k=st.integers(2, 4), m=st.integers(1, 3), draw=st.data())
def test_the_output_is_that_of_the_literal_twin(
    taxonomy: Taxonomy, places: Places, rows: Any, k: int, m: int, draw: Any
) -> None:
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    data = Trajectories.from_lists(rows, places=places, persons=who, taxonomy=taxonomy)
    if len({unit for unit, row in zip(units, rows, strict=True) if row}) < k:
        with pytest.raises(Infeasible, match=f"sd-seqanon: k={k} needs at least {k}"):
            SdSeqAnon(k=k, m=m).anonymize(data)
        return
    expected, suppressed = sd_seqanon(rows, units, places, taxonomy, k, m)
    release = SdSeqAnon(k=k, m=m).anonymize(data)
    assert plain(release.data.to_lists(), release.data.members) == plain(expected)
    assert release.counts["suppressed_visits"] == suppressed
    assert release.counts["suppressed_records"] == sum(not row for row in expected)
    assert release.holds


@pytest.mark.parametrize("seed", range(3))
def test_larger_data_with_many_merges_agree_with_the_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"p{number:03}" for number in range(70)]
    places = Places.planar({name: tuple(rng.integers(0, 12, 2)) for name in names})
    taxonomy = Taxonomy.balanced(names, 2 + seed)
    rows = [[names[i] for i in (rng.zipf(1.3, rng.integers(1, 5)) - 1) % 70] for _ in range(120)]
    data = Trajectories.from_lists(rows, places=places, taxonomy=taxonomy)
    expected, _ = sd_seqanon(rows, list(range(len(rows))), places, taxonomy, 3, 2)
    release = SdSeqAnon(k=3, m=2).anonymize(data)
    assert plain(release.data.to_lists(), release.data.members) == plain(expected)


def test_one_kind_of_place_makes_it_seqanon() -> None:
    """All dissimilarities are 1 (the paper's restriction of Problem 2 to Problem 1)."""
    flat = Taxonomy({"root": None, **dict.fromkeys(LOCATIONS, "root")})
    data = Trajectories.from_lists(["abc", "cbd", "efa", "bb", "fe"], places=SPREAD, taxonomy=flat)
    one, other = (method(k=3, m=2).anonymize(data).data for method in (SeqAnon, SdSeqAnon))
    assert one.to_lists() == other.to_lists()
    assert one.members == other.members


def test_the_union_counts_not_the_two_alone() -> None:
    """{a, c} spans the root already, so that its dissimilarity with e is 1 although a and e are siblings."""
    tree = Taxonomy({"root": None, "n": "root", "a": "n", "e": "n", "c": "root", "w": "root"})
    places = Places.planar({"a": (0, 0), "c": (0.1, 0), "e": (5, 0), "w": (0.05, 4)})
    rows = [["a"], ["c"], ["e"], ["e"], ["e"], ["w"], ["w"], ["w"]]
    release = SdSeqAnon(k=3, m=1).anonymize(Trajectories.from_lists(rows, places=places, taxonomy=tree))
    # {a,c}: to e (4.95 x 1), to w (4.0 x 1); with SD of a and e alone it would be 4.95 x 2/4
    assert release.data.members == {"g1": ("a", "c", "w")}


def test_time_slots_are_found_under_their_place() -> None:
    rows = [["a@08", "b@09"], ["a@09", "b@09"], ["a@08"]]
    data = Trajectories.from_lists(rows, places=PLACES, taxonomy=TAXONOMY)
    release = SdSeqAnon(k=2, m=1).anonymize(data)
    assert release.data.members == {"g1": ("a@08", "a@09")}


def test_what_the_data_lack_is_said() -> None:
    rows = [["a"], ["q"], ["z"]]
    places = Places.planar({"a": (0, 0), "q": (1, 0), "z": (2, 0)})
    with pytest.raises(MissingKnowledge, match="sd-seqanon: needs taxonomy"):
        SdSeqAnon(k=2, m=1).anonymize(Trajectories.from_lists(rows, places=places))
    with pytest.raises(MissingKnowledge, match="sd-seqanon: needs places"):
        SdSeqAnon(k=2, m=1).anonymize(Trajectories.from_lists(rows, taxonomy=TAXONOMY))
    with pytest.raises(DataError) as refusal:
        SdSeqAnon(k=2, m=1).anonymize(Trajectories.from_lists(rows, places=places, taxonomy=TAXONOMY))
    assert str(refusal.value) == ("the taxonomy: wanted a leaf for every location of the data, found none for 2")
    inner = Trajectories.from_lists([["food"], ["food"]], places={"food": (0, 0)}, taxonomy=TAXONOMY)
    with pytest.raises(DataError, match=r"found none for 1"):
        SdSeqAnon(k=2, m=1).anonymize(inner)


def test_a_taxonomy_may_miss_what_nobody_visits() -> None:
    places = Places.planar({"a": (0, 0), "q": (1, 0)})
    data = Trajectories.from_lists([["a"], ["a"], ["q"]], places=places, taxonomy=TAXONOMY).take(np.array([0, 1]))
    assert SdSeqAnon(k=2, m=1).anonymize(data).holds
