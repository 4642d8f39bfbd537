"""The (k,l)^m verifier: figures, witnesses, persons, labels, and whatever may come."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import overlapping_records, persons
from sfumato import Persons, Places, Taxonomy, Trajectories, Transactions, Zga
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.privacy import KlmAnonymity
from twins.images import image_figures
from twins.klm import klm_holds

NAMES = "abcdyz"
PLACES = Places.planar({name: (at, 0) for at, name in enumerate(NAMES)}).with_sensitive("yz")


def walks(rows: Any, **more: Any) -> Trajectories:
    return Trajectories.from_lists(rows, places=PLACES, **more)


def test_supports_and_associations_by_hand() -> None:
    """a: 4 records, y with 2, z with 1.  b: 3 records, y with 1.  (a,b): 2 records, y with 1."""
    data = walks(["ayb", "ya", "ab", "az", "b"])
    verdict = KlmAnonymity(k=2, l=2, m=2).check(data)
    assert verdict.holds is True
    assert verdict.checked_from == "files"
    assert verdict.measured == {
        "unit": "record",
        "patterns": 3,
        "smallest_support": 2,
        "violating_patterns": 0,
        "violating_associations": 0,
        "worst_association": {
            "pattern": ["a", "b"],
            "sensitive": "y",
            "support": 2,
            "together": 1,
            "probability": 0.5,
        },
    }
    assert verdict.witnesses == ()


def test_the_worst_association_and_its_order_among_the_witnesses() -> None:
    verdict = KlmAnonymity(k=2, l=3, m=1).check(walks(["ay", "a", "by", "by", "b", "cz", "cz", "d"]))
    assert verdict.holds is False
    assert verdict.measured["violating_patterns"] == 1
    assert verdict.measured["violating_associations"] == 3
    assert verdict.measured["worst_association"]["pattern"] == ["c"]
    assert verdict.measured["worst_association"]["probability"] == 1
    assert [(w["pattern"], w.get("sensitive")) for w in verdict.witnesses] == [
        (["d"], None),
        (["c"], "z"),
        (["b"], "y"),
        (["a"], "y"),
    ]


def test_of_many_violations_the_worst_five_are_shown() -> None:
    names = [f"p{at:02}" for at in range(12)]
    places = Places.planar(dict.fromkeys([*names, "y"], (0, 0))).with_sensitive("y")
    rows = [[name, "y"] for at, name in enumerate(names) for _ in range(at + 1)] + [[name] for name in names]
    verdict = KlmAnonymity(k=2, l=2, m=1).check(Trajectories.from_lists(rows, places=places))
    assert [w["pattern"][0] for w in verdict.witnesses] == names[:-6:-1]
    assert verdict.measured["violating_associations"] == 11


def test_the_order_of_sensitive_visits_does_not_count_that_of_others_does() -> None:
    model = KlmAnonymity(k=2, l=2, m=2)
    assert model.check(walks(["aby", "ab", "ab"])).measured == model.check(walks(["yab", "ab", "ab"])).measured
    assert model.check(walks(["ab", "ba"])).holds is False


def test_sensitive_visits_are_no_knowledge() -> None:
    """y occurs once, and nobody is asked to hide who was there alone."""
    verdict = KlmAnonymity(k=2, l=2, m=2).check(walks(["y", "a", "a"]))
    assert verdict.holds is True
    assert KlmAnonymity(k=2, l=2, m=1).check(walks(["y", "yz"])).measured["smallest_support"] is None


def test_persons_are_counted_where_they_are_known() -> None:
    rows = ["a", "a", "ay", "a"]
    assert KlmAnonymity(k=3, l=2, m=1).check(walks(rows)).holds is True
    by_person = KlmAnonymity(k=3, l=2, m=1).check(walks(rows, persons=list("uuvu")))
    assert by_person.holds is False
    assert by_person.checked_from == "original"
    assert by_person.measured["smallest_support"] == 2


def test_a_person_counts_once_and_only_with_a_record_that_holds_both() -> None:
    """u was at y on another day than at a: the records are not linked, so a tells nothing about y."""
    assert KlmAnonymity(k=2, l=2, m=1).check(walks(["a", "y", "a"], persons=list("uuv"))).holds is True
    twice = walks(["ay", "a", "a", "a"], persons=list("uvww"))
    assert KlmAnonymity(k=2, l=3, m=1).check(twice).measured["worst_association"]["together"] == 1


def test_the_ratio_must_hold_in_records_too() -> None:
    """u's two records are half of all: whoever cannot tell persons apart holds y for an even chance."""
    twice = walks(["ay", "ay", "a", "a"], persons=list("uuvw"))
    verdict = KlmAnonymity(k=2, l=3, m=1).check(twice)
    assert verdict.holds is False
    assert verdict.checked_from == "original"
    assert verdict.measured["smallest_support"] == 3
    assert verdict.measured["worst_unit"] == "record"
    assert verdict.measured["worst_association"]["probability"] == 0.5
    assert verdict.witnesses[0]["unit"] == "record"
    assert KlmAnonymity(k=2, l=2, m=1).check(twice).holds is True
    assert not any("instead of persons" in sentence for sentence in KlmAnonymity.not_covered)


def test_a_label_that_mixes_sensitive_and_other_places_is_refused() -> None:
    data = replace(walks([["g1"], ["g1"]]), members={"g1": ("a", "y")})
    verdict = KlmAnonymity(k=2, l=2, m=1).check(data)
    assert verdict.holds is False
    assert verdict.witnesses == ({"mixed_label": "g1"},)


def test_a_label_of_sensitive_places_counts_for_each_of_them() -> None:
    """y is in one record by name and in another one perhaps: two of three."""
    data = replace(walks([["a", "g1"], ["a", "y"], ["a"]]), members={"g1": ("y", "z")})
    verdict = KlmAnonymity(k=2, l=2, m=1).check(data)
    assert verdict.holds is False
    assert verdict.measured["worst_association"]["sensitive"] == "y"
    assert verdict.measured["worst_association"]["together"] == 2


def test_two_labels_of_one_record_that_share_a_member_are_refused() -> None:
    data = replace(walks([["g1", "g2"]] * 3), members={"g1": ("a", "b"), "g2": ("b", "c")})
    verdict = KlmAnonymity(k=2, l=2, m=1).check(data)
    assert verdict.holds is False
    assert verdict.witnesses == ({"labels": ["g1", "g2"], "shared_member": "b"},)
    apart = replace(walks([["g1"]] * 3 + [["g2"]] * 3), members={"g1": ("a", "b"), "g2": ("b", "c")})
    assert KlmAnonymity(k=3, l=2, m=1).check(apart).holds is True


CROSSING = {"g1": ("a", "b"), "g2": ("a", "c")}


def test_all_images_of_a_place_are_counted_together() -> None:
    """Each label leads to two persons and y with one of them; a leads to both labels, and both persons were at y."""
    rows = [["g1", "y"], ["g1"], ["g2"], ["g2", "y"]]
    model = KlmAnonymity(k=2, l=2, m=1)
    planted = replace(walks(rows, persons=list("uvuv")), members=CROSSING)
    verdict = model.check(planted)
    assert verdict.holds is False
    assert klm_holds(model, planted) is False
    told = {"pattern": ["a"], "images": [["g1", "g2"]], "sensitive": "y", "support": 2, "together": 2}
    assert verdict.witnesses == ({**told, "probability": 1.0},)
    assert verdict.measured["worst_unit"] == "person"
    assert verdict.measured["violating_associations"] == 1
    assert model.check(planted.with_persons(None)).holds is True
    assert model.check(replace(walks(rows, persons=list("uvst")), members=CROSSING)).holds is True


def test_images_that_are_rare_alone_add_up() -> None:
    """One record names a, three more may: whoever knows a finds four, and no other place is in that record."""
    data = replace(walks([["a"], ["g1"], ["g1"], ["g1"]]), members={"g1": ("a", "b")})
    verdict = KlmAnonymity(k=2, l=2, m=1).check(data)
    assert verdict.holds is True
    assert verdict.measured["smallest_support"] == 3
    assert verdict.measured["patterns"] == 2


def test_one_visit_more_is_measured_over_all_images() -> None:
    data = replace(walks([["g1", "y"], ["g1"], ["a"], ["g2"], ["g2", "c"]]), members={"g1": ("a", "b"), "g2": ("b",)})
    beyond = KlmAnonymity(k=2, l=2, m=1).beyond(data)
    expected = image_figures(data.to_lists(), data.members, {"y", "z"}, range(5), k=2, l=2, m=2, ordered=True)
    assert beyond["smallest_anonymity_set"] == expected["smallest_support"] == 1
    assert beyond["highest_probability"] == round(float(expected["worst"]), 6)


@settings(max_examples=200, deadline=None)
@given(drawn=overlapping_records(), k=st.integers(2, 3), l=st.integers(2, 3), m=st.integers(1, 3), draw=st.data())
def test_labels_that_overlap_between_records(drawn: Any, k: int, l: int, m: int, draw: Any) -> None:  # noqa: E741
    rows, members = drawn
    data = replace(walks(rows, persons=draw.draw(persons(len(rows)))), members=members)
    model = KlmAnonymity(k=k, l=l, m=m)
    verdict = model.check(data)
    assert verdict.holds is klm_holds(model, data)
    assert verdict.holds is not bool(verdict.witnesses)
    order = np.array(draw.draw(st.permutations(range(len(rows)))), dtype=np.int64)
    assert model.check(data.take(order)).to_json() == verdict.to_json()


def test_time_slots_take_the_flag_of_their_place() -> None:
    verdict = KlmAnonymity(k=2, l=2, m=1).check(walks([["a@1", "y@2"], ["a@1", "y@2"]]))
    assert verdict.measured["worst_association"]["sensitive"] == "y@2"


def test_a_flag_that_a_release_has_lost_is_taken_from_the_original() -> None:
    original = walks(["ay", "ay", "b", "b"])
    bare = replace(original, places=PLACES.with_sensitive("z"))
    assert KlmAnonymity(k=2, l=2, m=1).check(bare).holds is True
    assert KlmAnonymity(k=2, l=2, m=1).check(bare, original).holds is False


@pytest.mark.parametrize("rows", [[], [[]], [["a"]], [["y"]], [[], ["a"], ["a"]]])
def test_small_data(rows: Any) -> None:
    model = KlmAnonymity(k=2, l=2, m=3)
    assert model.check(walks(rows)).holds is klm_holds(model, walks(rows))


def test_flags_that_are_missing_are_said() -> None:
    sentence = (
        "klm: needs to know which locations are sensitive, these data do not say; give places with a sensitive "
        "column, or name them"
    )
    for places in (None, {"a": (0, 0)}, Places.planar({"a": (0, 0)}).with_sensitive([])):
        with pytest.raises(MissingKnowledge) as refusal:
            KlmAnonymity(k=2, l=2, m=1).check(Trajectories.from_lists(["a"], places=places))
        assert str(refusal.value) == sentence
    tree = Taxonomy({"all": None, "a": "all", "y": "all"}, sensitive=["y"])
    by_tree = Trajectories.from_lists(["ay", "ay"], taxonomy=tree)
    assert KlmAnonymity(k=2, l=2, m=1).check(by_tree).holds is False


def test_other_kinds_and_parameters_are_refused() -> None:
    with pytest.raises(DataError, match="klm: wanted trajectories, got transactions"):
        KlmAnonymity(k=2, l=2, m=1).check(Transactions.from_lists([["a"]]))
    with pytest.raises(ParameterError, match="KlmAnonymity: l must be a whole number of at least 2, got 1"):
        KlmAnonymity(k=2, l=1, m=1)


@settings(max_examples=200)
@given(
    rows=st.lists(st.lists(st.sampled_from("aaabbcyz"), max_size=5), max_size=10),
    k=st.integers(2, 3),
    l=st.integers(2, 4),
    m=st.integers(1, 3),
    draw=st.data(),
)
def test_the_verdict_is_that_of_the_twin(rows: Any, k: int, l: int, m: int, draw: Any) -> None:  # noqa: E741
    who = draw.draw(persons(len(rows))) if rows else None
    data, model = walks(rows, persons=who), KlmAnonymity(k=k, l=l, m=m)
    verdict = model.check(data)
    assert verdict.holds is klm_holds(model, data)
    assert verdict.holds is not bool(verdict.witnesses)
    order = np.array(draw.draw(st.permutations(range(len(rows)))), dtype=np.int64)
    assert model.check(data.take(order)).to_json() == verdict.to_json()


def test_a_planted_violation_in_a_large_release_is_found() -> None:
    """One record more at the right place, among thousands."""
    chance = Random(1)
    rows = [[chance.choice("abcd") for _ in range(3)] + ["y"] * (chance.random() < 0.2) for _ in range(3000)]
    release = Zga(k=5, l=2, m=2, clusters=4).anonymize(walks(rows))
    assert release.holds
    planted = [*release.data.to_lists(), ["nowhere-else"]]
    spoiled = replace(walks(planted), members=release.data.members)
    verdict = KlmAnonymity(k=5, l=2, m=2).check(spoiled)
    assert verdict.witnesses == ({"pattern": ["nowhere-else"], "support": 1},)


def test_persons_behind_a_release_that_cannot_be_told() -> None:
    original = walks(["ab", "ab", "b"], persons=list("uvw"))
    published = walks(["ab", "ab", "b"])
    assert KlmAnonymity(k=2, l=2, m=2).check(published, original).checked_from == "original"
    unlike = KlmAnonymity(k=2, l=2, m=1).check(walks(["ab", "ab"]), original)
    assert unlike.holds == "not checkable"
    assert "persons behind the records cannot be determined" in unlike.reason
    assert isinstance(original.persons, Persons)
