"""Persons with several records: every verifier against brute force, and ratios that must hold in records, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets import PLACES, TAXONOMY, build, datasets, parameters
from oracles import HOLDS
from sfumato import DiffPart, Disassociate, Mixed, Table, Trajectories, Transactions
from sfumato.catalogue import MODELS, model_class
from sfumato.data import Persons
from sfumato.privacy import (
    CSafety,
    Epsilon,
    KlmAnonymity,
    KlmDiversity,
    LDiversity,
    LmDiversity,
    PrivacyModel,
    ProjectionSafety,
    TCloseness,
    Verdict,
)
from sfumato.privacy.checks.persons_and_records import by_both


@st.composite
def one_with_three(draw: Any, kind: str) -> Any:
    """Random data of a kind in which one person has three records, and others may have several."""
    data = draw(datasets(kind).filter(lambda some: len(some) >= 4))
    who = draw(st.lists(st.sampled_from(["u", "v", "w", "x", "y"]), min_size=len(data), max_size=len(data)))
    for record in draw(st.permutations(range(len(data))))[:3]:
        who[record] = "u"
    return data.with_persons(Persons.of(who))


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(draw=st.data())
def test_the_verdict_is_that_of_brute_force(name: str, draw: st.DataObject) -> None:
    declared: type[PrivacyModel] = model_class(name)
    kind = declared.kinds[0]
    model = declared.from_json(draw.draw(parameters(declared)))
    if isinstance(model, Epsilon):  # what was drawn is judged, for one person's records are one contribution
        data = draw.draw(one_with_three("transactions"))
        ledger = DiffPart(epsilon=1.0).anonymize(data, seed=1).budget
        assert model.check_spends(ledger.spends).holds is HOLDS[declared](model, ledger.spends, data)
        return
    if kind == "chunks":
        data = build("transactions", [list("ab"), list("ab"), list("bc"), list("c"), list("ac"), list("a")])
        data = data.with_persons(Persons.of(draw.draw(st.permutations(list("uuuvwx")))))
        published = Disassociate(k=2, m=1).anonymize(data, seed=1).data
    else:
        data = published = draw.draw(one_with_three(kind))
    if getattr(model, "distance", "equal") == "ordered":  # of numbers
        ranked = data.frame.with_columns(pl.col("illness").str.len_chars())
        data = published = replace(data, frame=ranked)
    assert model.check(published, data).holds is HOLDS[declared](model, published, data)


# each kept in persons, and not in records: the three records of u are too large a share
WALKS = {"persons": list("uuuvwx"), "places": PLACES, "taxonomy": TAXONOMY}
BY_RECORD: dict[str, tuple[PrivacyModel, Any]] = {
    "klm": (KlmAnonymity(k=2, l=3, m=1), Trajectories.from_lists(["af", "af", "af", "a", "a", "a"], **WALKS)),
    "c-safety": (CSafety(c=0.4), Trajectories.from_lists(["af", "af", "af", "a", "a", "a"], **WALKS)),
    "projection": (ProjectionSafety(threshold=0.4), Trajectories.from_lists(["af", "af", "af", *"aaa"], **WALKS)),
    "lm": (
        LmDiversity(l=3, m=1),
        Transactions.from_lists(["af", "af", "af", "a", "a", "a"], persons=list("uuuvwx"), sensitive="f"),
    ),
    "klm-diversity": (
        KlmDiversity(k=2, l=3, m=1),
        Mixed.from_frame({"age": [30] * 6, "items": ["a f", "a f", "a f", "a", "a", "a"]})
        .with_sensitive("f")
        .with_persons(Persons.of(list("uuuvwx"))),
    ),
    "l-diversity": (
        LDiversity(l=2, variant="entropy"),
        Table(
            {"age": [30] * 4, "ill": ["flu", "flu", "flu", "hiv"]},
            sensitive=("ill",),
            persons=Persons.of(list("uuuv")),
        ),
    ),
    "t-closeness": (
        TCloseness(t=0.1),
        Table(
            {"age": [30] * 4 + [40] * 2, "ill": ["flu", "flu", "flu", "hiv", "flu", "hiv"]},
            sensitive=("ill",),
            persons=Persons.of(list("uuuvwx")),
        ),
    ),
}


@pytest.mark.parametrize("name", BY_RECORD)
def test_a_ratio_must_hold_in_records_too(name: str) -> None:
    model, data = BY_RECORD[name]
    assert model.name == name
    verdict = model.check(data)
    assert verdict.holds is False
    assert verdict.checked_from == "original"
    assert verdict.measured["unit"] == "person"
    assert verdict.measured["worst_unit"] == "record"
    assert verdict.witnesses[0]["unit"] == "record"
    assert verdict.to_published_json()["measured"] == {}
    one_each = data.take([0, *range(3, len(data))])
    assert model.check(one_each).holds is True
    assert model.check(data.with_persons(None)).holds is False
    assert model.check(data.with_persons(None)).checked_from == "files"


def test_every_ratio_is_among_them() -> None:
    """A promise that bounds a share, or a distance between shares."""
    bound = {"l", "t", "c", "threshold", "variant"}
    named = {name for name in MODELS if bound & {parameter.name for parameter in model_class(name).parameters()}}
    assert named - {"reconstruction"} == set(BY_RECORD)  # whose l is a number of records


def test_figures_are_those_of_the_worse_counting() -> None:
    data = Transactions.from_lists([["a"], ["a"], ["b"]], persons=list("uuv"))

    def check(some: Any) -> Verdict:
        share = 0.3 if some.persons is None else 0.4
        return Verdict(True, "original", {"unit": some.unit, "size": len(some), "share": share})

    found = by_both(check, data, ratios=("share",), worst=lambda measured: measured["share"])
    assert found.measured == {"unit": "person", "size": 3, "share": 0.4, "worst_unit": "person"}
    assert found.holds is True
    alone = data.take([0, 2])
    assert "worst_unit" not in by_both(check, alone, ratios=("share",), worst=lambda _: 0.0).measured


@pytest.mark.parametrize(
    ("by_person", "by_record", "wanted"),
    [
        (True, True, True),
        (False, True, False),
        (True, False, False),
        (True, "not checkable", "not checkable"),
        ("not checkable", False, False),
        (False, "not checkable", False),
    ],
)
def test_both_countings_must_hold(by_person: Any, by_record: Any, wanted: Any) -> None:
    data = Transactions.from_lists([["a"], ["a"]], persons=list("uu"))

    def check(some: Any) -> Verdict:
        return Verdict(by_record if some.persons is None else by_person, "original", {"unit": some.unit})

    assert by_both(check, data, ratios=(), worst=lambda _: 0.0).holds == wanted
