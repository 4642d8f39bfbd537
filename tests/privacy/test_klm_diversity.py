"""(k,l^m)-diversity: the literal twin, the empty set of items, and what a verifier must not overlook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import overlapping_records
from sfumato.data import Mixed, Persons
from sfumato.errors import MissingKnowledge
from sfumato.privacy import KlmDiversity
from twins.mixed import klm_diversity_holds


def mixed(rows: list[tuple[Any, str]], who: list[str] | None = None, **members: tuple[str, ...]) -> Mixed:
    data = Mixed.from_frame({"age": [age for age, _ in rows], "items": [items for _, items in rows]})
    data = replace(data, items=replace(data.items, members=members, sensitive=frozenset(["x", "y"])))
    return data.with_persons(None if who is None else Persons.of(who))


@settings(max_examples=150)
@given(draw=st.data(), m=st.integers(1, 2), l=st.integers(2, 3))
def test_agrees_with_the_twin(draw: st.DataObject, m: int, l: int) -> None:  # noqa: E741
    baskets = st.sets(st.sampled_from("abxy"), max_size=3).map(" ".join)
    rows = draw.draw(st.lists(st.tuples(st.sampled_from([30, None]), baskets), min_size=1, max_size=12))
    who = draw.draw(st.none() | st.lists(st.sampled_from("tuvwxyz"), min_size=len(rows), max_size=len(rows)))
    data = mixed(rows, who)
    model = KlmDiversity(k=2, l=l, m=m)
    verdict = model.check(data)
    assert verdict.holds is klm_diversity_holds(model, data)
    assert bool(verdict.witnesses) is not verdict.holds


@settings(max_examples=150, deadline=None)
@given(draw=st.data(), m=st.integers(1, 3), drawn=overlapping_records(sensitive="xy").filter(lambda drawn: drawn[0]))
def test_labels_that_overlap_between_records(draw: st.DataObject, m: int, drawn: Any) -> None:
    baskets, members = drawn
    ages = draw.draw(st.lists(st.sampled_from([30, 30, 40]), min_size=len(baskets), max_size=len(baskets)))
    who = draw.draw(st.none() | st.lists(st.sampled_from("stuvw"), min_size=len(baskets), max_size=len(baskets)))
    data = mixed([(age, " ".join(basket)) for age, basket in zip(ages, baskets, strict=True)], who, **members)
    model = KlmDiversity(k=2, l=2, m=m)
    verdict = model.check(data)
    assert verdict.holds is klm_diversity_holds(model, data)
    assert bool(verdict.witnesses) is not verdict.holds


def test_all_labels_of_an_item_in_a_class_are_counted_together() -> None:
    rows = [(30, "g x"), (30, "g"), (30, "h"), (30, "h x"), (30, ""), (30, "")]
    data = mixed(rows, list("uvuvst"), g=("a", "b"), h=("b", "c"))
    verdict = KlmDiversity(k=2, l=2, m=1).check(data)
    assert verdict.holds is False
    told = {"pattern": ["b"], "images": [["g", "h"]], "sensitive": "x", "support": 2, "together": 2, "probability": 1.0}
    assert verdict.witnesses == ({"values": {"age": 30}, **told},)
    assert verdict.measured["highest_probability"] == 1
    assert KlmDiversity(k=2, l=2, m=1).check(mixed(rows, None, g=("a", "b"), h=("b", "c"))).holds is True


def test_classes_that_fit_the_same_values_and_share_a_person_are_counted_together() -> None:
    """u and v are in both classes, each with x in one of them: of the two who may be 35, both have x."""
    original = mixed([(30, "x"), (35, ""), (35, ""), (40, "x")], list("uvuv"))
    published = mixed([("[30:35]", "x"), ("[30:35]", ""), ("[35:40]", ""), ("[35:40]", "x")], list("uvuv"))
    verdict = KlmDiversity(k=2, l=2, m=1).check(published, original)
    assert verdict.holds is False
    told = {"pattern": [], "sensitive": "x", "support": 2, "together": 2, "probability": 1.0}
    assert verdict.witnesses == ({"values": {"age": "[30:35] or [35:40]"}, **told},)
    assert verdict.measured["classes"] == 2
    nobody_at_35 = mixed([(30, "x"), (31, ""), (39, ""), (40, "x")], list("uvuv"))
    assert KlmDiversity(k=2, l=2, m=1).check(published, nobody_at_35).holds is True
    assert KlmDiversity(k=2, l=2, m=1).check(published.with_persons(Persons.of("uvst")), original).holds is True


def test_whoever_knows_no_item_is_a_case_too() -> None:
    verdict = KlmDiversity(k=2, l=2, m=1).check(mixed([(30, "x"), (30, "x"), (30, "")]))
    told = {"pattern": [], "sensitive": "x", "support": 3, "together": 2, "probability": 2 / 3}
    assert verdict.witnesses == ({"values": {"age": 30}, **told},)
    assert verdict.measured["violating_associations"] == 1
    assert verdict.measured["highest_probability"] == 2 / 3


def test_an_item_that_tells_a_secret_in_one_class_only() -> None:
    rows = [(30, "a x"), (30, "a"), (30, ""), (40, "a x"), (40, "a x"), (40, "a"), (40, ""), (40, "")]
    assert KlmDiversity(k=2, l=2, m=1).check(mixed(rows)).witnesses == (
        {
            "values": {"age": 40},
            "pattern": ["a"],
            "sensitive": "x",
            "support": 3,
            "together": 2,
            "probability": 2 / 3,
        },
    )


def test_a_label_of_secrets_counts_for_each_and_a_mixed_one_is_refused() -> None:
    rows = [(30, "g"), (30, "g"), (30, ""), (30, "")]
    assert KlmDiversity(k=2, l=2, m=1).check(mixed(rows, g=("x", "y"))).holds is True
    assert KlmDiversity(k=2, l=3, m=1).check(mixed(rows, g=("x", "y"))).holds is False
    assert KlmDiversity(k=2, l=2, m=1).check(mixed(rows, g=("a", "x"))).witnesses == ({"mixed_label": "g"},)


def test_the_flags_of_the_original_count() -> None:
    original = mixed([(30, "x"), (30, "x")])
    published = replace(original, items=replace(original.items, sensitive=frozenset("a")))
    assert KlmDiversity(k=2, l=2, m=1).check(published, original).holds is False


def test_needs_to_know_what_is_sensitive() -> None:
    plain = replace(mixed([(30, "a")]), items=replace(mixed([(30, "a")]).items, sensitive=frozenset()))
    message = "^klm-diversity: needs .* sensitive, .*; name what is sensitive$"
    with pytest.raises(MissingKnowledge, match=message):
        KlmDiversity(k=2, l=2, m=1).check(plain)
