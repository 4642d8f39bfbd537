"""What to run instead of a run with near-total loss: both alternatives lose less, by the same measure."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from sfumato import Policy, Table, Taxonomy, Trajectories
from sfumato.catalogue import GENERATORS, METHODS, measure_class, method_class
from sfumato.methods.alternative import Alternative, Figure
from sfumato.methods.alternative_trials import Trials
from sfumato.methods.alternatives import _alternatives, _Case, _is_worth_it, explained_losses
from sfumato.prepare.policies import every_set
from sfumato.utility.heavy_losses import HeavyLoss, losses
from sfumato.utility.places.generalization import Displacement


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
            if alternative.near_total:  # the loss at a little suppression is told in any case
                assert "suppression" in alternative.parameters
                assert alternative.near_total == tuple(
                    sorted({one.subject for one in losses(data, other) if one.heavy})
                )
                continue
            assert same(loss, losses(data, other)).value < loss.value, (loss, alternative)
            assert not alternative.tried or not same(loss, losses(data, other)).heavy, (loss, alternative)


def same(loss: HeavyLoss, found: tuple[HeavyLoss, ...]) -> HeavyLoss:
    """The loss by the same measure; none if everything is published under its own name."""
    named = [one for one in found if one.measure == loss.measure and one.subject == loss.subject]
    return named[0] if named else replace(loss, value=0.0)


def test_the_alternatives_of_the_quoted_cases() -> None:
    loss = method_class("seqanon")(k=35, m=2).anonymize(walks()).heavy_losses[0]
    assert [(one.method, one.parameters, one.kind) for one in loss.alternatives] == [
        ("km-split", {"k": 35, "m": 2}, "trajectories"),
        ("seqanon", {"k": 35, "m": 1}, "trajectories"),
    ], "suppression and grids displace visits hardly less"
    assert "of the places occur with fewer than 35 records" in loss.cause
    assert str(loss) == f"{loss.sentence} ({loss.cause})"
    assert json.loads(json.dumps(loss.to_json()))["alternatives"][0]["method"] == "km-split"
    (loss,) = method_class("r-first")(k=5, m=2).anonymize(patients(), seed=1).heavy_losses
    assert loss.sentence == "diagnoses: 97 items -> 1 label"
    assert [one.parameters["transaction"] for one in loss.alternatives] == ["coat", "pcta"]


def test_suppression_and_grids_are_tried_and_offered_only_if_visits_are_displaced_clearly_less() -> None:
    """Two towns of 200 places each, and a lonely mill between them that some people visit: a label of everything."""
    rng = np.random.default_rng(3)
    places = {
        f"{town}{at:03}": (1000.0 * (town == "x") + rng.normal(), rng.normal()) for town in "ax" for at in range(200)
    }
    places["mill"] = (500.0, 0.0)
    names = sorted(places)
    rows = [[names[at] for at in rng.integers(0, 200, 2) + 200 * (person % 2)] for person in range(60)]
    rows[0], rows[1] = [*rows[0], "mill"], [*rows[1], "mill"]
    data = Trajectories.from_lists(rows, places=places)
    method = method_class("seqanon")(k=20, m=2)
    release = method.anonymize(data)
    (loss,) = release.heavy_losses
    case = _Case.of(loss, method, data)
    fewer, *coarser = [one for one in _alternatives(case) if one.preparation or "suppression" in one.parameters]
    assert fewer.parameters == {"k": 20, "m": 2, "suppression": 0.5}
    assert [one.preparation for one in coarser] == [("grid:cells=20",), ("grid:cells=10",)]
    trials = Trials(data, release, [loss], 60.0)
    by_name = {figure.name: figure for figure in trials.result(fewer).figures}
    assert by_name["displacement"].after < 0.5 * by_name["displacement"].before
    assert by_name["lost visits"].after == fewer.anonymize(data).counts["suppressed_visits"] > 0
    for one in coarser:
        prepared = one.anonymize(data)
        (figure,) = [figure for figure in trials.result(one).figures if figure.name == "displacement"]
        assert figure.after == pytest.approx(Displacement()(data, one.seen(data, prepared)).value)
        assert _is_worth_it(trials.result(one)) == (figure.after <= 0.9 * figure.before)


def test_side_knowledge_that_is_missing_rules_an_alternative_out() -> None:
    rows = Trajectories.from_lists([[f"p{at}"] for at in range(150)])
    method = method_class("bf-p2ka")(k=4)
    nothing = Trajectories.from_lists([])
    (loss,) = explained_losses(method, rows, nothing)
    assert loss.sentence == "100 % of the visits are not published"
    assert [one.method for one in _alternatives(_Case.of(loss, method, rows))] == ["disassociate", "bf-p2ka"]
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


def test_what_takes_longer_than_the_limit_is_not_tried() -> None:
    release = method_class("incognito")(k=5).anonymize(patients().table)
    loss = release.explained_losses(seconds=0)[0]
    assert [(one.method, one.tried, one.limit_s) for one in loss.alternatives] == [
        ("incognito", False, 0),
        ("cluster", False, 0),
    ]
    assert loss.alternatives[0].outcome == "not tried on these data"
    assert replace(loss.alternatives[0], limit_s=10.0).outcome.endswith("; a trial takes longer than 10 s")


def test_the_time_of_a_trial_on_many_records_is_estimated_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    run = Alternative.anonymize

    def counted(self: Alternative, data: Any, **options: Any) -> Any:
        tried.append(len(data))
        return run(self, data, **options)

    monkeypatch.setattr(Alternative, "anonymize", counted)
    people = GENERATORS.load("mixed")(people=2_500, codes=100).make(seed=1).table
    release = method_class("incognito")(k=400).anonymize(people)
    monkeypatch.setattr("sfumato.methods.alternative_trials.extrapolated", lambda *_: 1e9)
    for loss in release.explained_losses(seconds=60):
        assert all(not one.tried and one.limit_s == 60 for one in loss.alternatives)
    assert set(tried) == {500, 1_500}
    monkeypatch.undo()
    monkeypatch.setattr(Alternative, "anonymize", counted)
    release.explained_losses(seconds=60)
    assert set(tried) == {500, 1_500, 2_500}


def test_one_row_that_ruins_a_table() -> None:
    """A row without any value: a missing value shares a label with others under the root alone."""
    rows = {"age": [30, 31, 40, 41] * 25, "town": ["Rome", "Bari"] * 50}
    whole = Table({name: [*values, None] for name, values in rows.items()})
    for name in ("incognito", "top-down", "bottom-up"):
        release = method_class(name)(k=5).anonymize(whole)
        for loss in release.heavy_losses:
            first = loss.alternatives[0]
            assert first.parameters == {"k": 5, "suppression": 0.02}
            assert (first.tried, first.near_total) == (True, ())
            other = first.anonymize(whole, seed=1)
            assert other.holds
            ncp = [measure_class("ncp")()(whole, one).value for one in (release, other)]
            assert first.figures == (Figure("ncp", *ncp), Figure("suppressed rows", 0, 1))
            assert first.outcome == f"less loss: ncp 1 -> {ncp[1]:.3g}, suppressed rows 0 -> 1"
    for name in ("cluster", "local"):
        assert not method_class(name)(k=5).anonymize(whole, seed=1).heavy_losses, "only the group of the row suffers"


def test_a_suppression_that_does_not_help_is_told_all_the_same() -> None:
    ages = Table({"age": [20, 90] * 2, "town": ["a", "b", "c", "d"]}, hierarchies={})
    loss = method_class("top-down")(k=3).anonymize(ages).heavy_losses[0]
    assert loss.alternatives[0].outcome == "no less loss: ncp 1 -> 1, still near-total of age, town"
    close = Table({**ages.frame.to_dict(as_series=False), "ill": list("xyxy")}, sensitive=("ill",))
    loss = method_class("top-down")(k=3, t=0.5).anonymize(close).heavy_losses[0]
    assert not any("suppression" in one.parameters for one in loss.alternatives), "t forbids suppression"


def test_apriori_that_collapses_in_mixed_data() -> None:
    """The proposed run was tried, and its figures are those of a run that follows the proposal."""
    for name, more in (("r-first", {}), ("rum-bound", {"delta": 0.5}), ("tum-bound", {"delta": 1.0}), ("t-first", {})):
        data = patients()
        release = method_class(name)(k=5, m=2, **more).anonymize(data, seed=1)
        for loss in release.heavy_losses:
            first = loss.alternatives[0]
            assert (first.parameters["transaction"], first.privacy_policy, first.tried) == ("coat", "all:2", True)
            other = first.anonymize(data, seed=1)
            *measured, cover = first.figures
            for measure, figure in zip(("ul", "ncp"), measured, strict=True):
                values = [measure_class(measure)()(data, one).value for one in (release, other)]
                assert figure == Figure(measure, *values)
            assert cover.name == "label cover"
            assert cover.after < 0.5 * cover.before or loss.subject != "items"


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
    from sfumato.methods.alternatives import _alternatives, _Case

    for name in METHODS.built_in:
        declared = method_class(name)
        values = {one.name: one.at_least or one.above or 1 for one in declared.parameters() if one.required}
        values |= {key: 10 for key in ("k", "group_size") if key in values} | ({"c": 0.5} if "c" in values else {})
        values |= {"epsilon": 0.5} if "epsilon" in values else {}
        assert list(_alternatives(_Case.of(lost, declared(**values), walks()))), name
