"""What to run instead of a run with near-total loss: both alternatives lose less, by the same measure."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from sfumato import Policy, Table, Taxonomy, Trajectories
from sfumato.catalogue import GENERATORS, METHODS, method_class
from sfumato.methods.alternatives import explained_losses
from sfumato.prepare.policies import every_set
from sfumato.utility.heavy_losses import HeavyLoss, losses


@cache
def walks() -> Trajectories:
    return GENERATORS.load("checkins")(trajectories=80, locations=300, mean_length=8, zipf=0.2).make(seed=1)


@cache
def town() -> Trajectories:
    return GENERATORS.load("checkins")(trajectories=2_000, locations=150).make(seed=1)


@cache
def drives() -> Any:
    return GENERATORS.load("roads")(vehicles=1_000, nodes=60, distance_km=20).make(seed=1)


@cache
def visits() -> Any:
    return GENERATORS.load("semantic")(trajectories=100, places=150).make(seed=1)


@cache
def baskets(records: int = 150) -> Any:
    made = GENERATORS.load("baskets")(records=records, items=400, mean_size=8, patterns=100).make(seed=1)
    return replace(made, taxonomy=Taxonomy({"all": None} | dict.fromkeys(made.names, "all")))


@cache
def patients() -> Any:
    return GENERATORS.load("mixed")(people=120, codes=100).make(seed=1)


def protected() -> Any:
    """Items that may share no label at all."""
    return baskets().with_policies(every_set(2), Policy([[name] for name in baskets().names]))


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "seqanon": (walks, {"k": 35, "m": 2}),
    "seqanon-f": (walks, {"k": 35, "m": 2}),
    "apriori": (baskets, {"k": 20, "m": 3}),
    "lra": (baskets, {"k": 20, "m": 3}),
    "vpa": (baskets, {"k": 20, "m": 3}),
    "coat": (protected, {"k": 30, "suppression": 1.0}),
    "pcta": (protected, {"k": 30, "suppression": 1.0}),
    "disassociate": (baskets, {"k": 100, "m": 2, "max_cluster_size": 150}),
    "ngrams": (town, {"epsilon": 0.1}),
    "cast": (visits, {"c": 0.1, "group_size": 20}),
    "icba": (drives, {"k": 5}),
    "incognito": (lambda: patients().table, {"k": 5}),
    "top-down": (lambda: patients().table, {"k": 5}),
    "bottom-up": (lambda: patients().table, {"k": 5}),
    "cluster": (lambda: patients().table, {"k": 60}),
    "local": (lambda: patients().table, {"k": 60}),
    "r-first": (patients, {"k": 5, "m": 2}),
    "t-first": (patients, {"k": 5, "m": 2}),
    "rum-bound": (patients, {"k": 5, "m": 2, "delta": 0.5}),
    "tum-bound": (patients, {"k": 5, "m": 2, "delta": 1.0}),
}


@pytest.mark.parametrize("name", CASES)
def test_alternatives_lose_less(name: str) -> None:
    make, parameters = CASES[name]
    data = make()
    release = method_class(name)(**parameters).anonymize(data, seed=1)
    assert release.heavy_losses, [(one.subject, one.measure, one.value) for one in losses(data, release)]
    for loss in release.heavy_losses:
        assert loss.cause
        assert 1 <= len(loss.alternatives) <= 2
        for alternative in loss.alternatives:
            other = alternative.anonymize(data, seed=1)
            assert other.holds
            assert same(loss, losses(data, other)).value < loss.value, (loss, alternative)
            assert not alternative.tried or not same(loss, losses(data, other)).heavy, (loss, alternative)


def same(loss: HeavyLoss, found: tuple[HeavyLoss, ...]) -> HeavyLoss:
    """The loss by the same measure; none if everything is published under its own name."""
    named = [one for one in found if one.measure == loss.measure and one.subject == loss.subject]
    return named[0] if named else replace(loss, value=0.0)


def test_the_alternatives_of_the_quoted_cases() -> None:
    loss = method_class("seqanon")(k=35, m=2).anonymize(walks()).heavy_losses[0]
    assert [(one.method, one.parameters, one.kind) for one in loss.alternatives] == [
        ("seqanon", {"k": 35, "m": 1}, "trajectories"),
        ("seqanon", {"k": 7, "m": 2}, "trajectories"),
    ], "disassociate puts all items into term chunks"
    assert "of the places occur with fewer than 35 records" in loss.cause
    assert str(loss) == f"{loss.sentence} ({loss.cause})"
    assert json.loads(json.dumps(loss.to_json()))["alternatives"][0]["method"] == "seqanon"
    (loss,) = method_class("r-first")(k=5, m=2).anonymize(patients(), seed=1).heavy_losses
    assert loss.sentence == "diagnoses: 97 items -> 1 label"
    assert [one.parameters["transaction"] for one in loss.alternatives] == ["coat", "pcta"]


def test_side_knowledge_that_is_missing_rules_an_alternative_out() -> None:
    rows = Trajectories.from_lists([[f"p{at}"] for at in range(150)])
    method = method_class("bf-p2ka")(k=4)
    nothing = Trajectories.from_lists([])
    (loss,) = explained_losses(method, rows, nothing)
    assert loss.sentence == "100 % of the visits are not published"
    from sfumato.methods.alternatives import _alternatives

    assert [one.method for one in _alternatives(loss, method, rows)] == ["disassociate", "bf-p2ka"]
    assert loss.alternatives == (), "every visit is unique: neither run publishes more"


def test_a_column_that_is_nearly_a_key_has_no_alternative_that_fails() -> None:
    days = [f"day {number}" for number in range(60)]
    release = method_class("cluster")(k=3).anonymize(Table({"age": list(range(60)), "day": days}))
    (loss,) = release.heavy_losses
    assert loss.alternatives == (), "k=2 publishes the same label"
    assert "100 % of the values of day occur once and have no hierarchy" in loss.cause
    assert loss.cause.endswith("give hierarchies")
    assert release.loss_sentences == (str(loss),)


def test_items_that_a_utility_policy_keeps_apart() -> None:
    apart = patients().with_policies(None, Policy([[name] for name in patients().items.names]))
    (loss,) = method_class("r-first")(k=5, m=2).anonymize(apart, seed=1).heavy_losses
    assert loss.alternatives
    for alternative in loss.alternatives:
        assert alternative.tried
        assert not alternative.utility_policy
        assert alternative.anonymize(apart, seed=1).holds


def test_large_data_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.methods.alternative_trials._LARGEST", 10)
    loss = method_class("incognito")(k=5).anonymize(patients().table).heavy_losses[0]
    assert [(one.method, one.tried) for one in loss.alternatives] == [("cluster", False), ("local", False)]


def test_a_value_that_the_method_refuses_is_no_alternative() -> None:
    (loss,) = explained_losses(method_class("ngrams")(epsilon=2), town(), Trajectories.from_lists([]))
    assert [one.parameters["epsilon"] for one in loss.alternatives] == [20], "200 is too much"


def test_a_loss_is_private() -> None:
    release = method_class("incognito")(k=5).anonymize(patients().table)
    assert "heavy_losses" in release.report()
    assert "heavy" not in json.dumps(release.to_json())
    assert "near-total loss" in release._repr_html_()
    fine = method_class("cluster")(k=2).anonymize(Table({"age": [30, 30, 31, 31]}))
    assert "heavy_losses" not in fine.report()


def test_every_method_has_alternatives_for_a_loss_of_everything() -> None:
    lost = HeavyLoss("items", "suppressed", 1.0, "all")
    assert lost.heavy
    from sfumato.methods.alternatives import _alternatives

    for name in METHODS.built_in:
        declared = method_class(name)
        values = {one.name: one.at_least or one.above or 1 for one in declared.parameters() if one.required}
        values |= {key: 10 for key in ("k", "group_size") if key in values} | ({"c": 0.5} if "c" in values else {})
        values |= {"epsilon": 0.5} if "epsilon" in values else {}
        assert list(_alternatives(lost, declared(**values), walks())), name
