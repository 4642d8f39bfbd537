"""Several measures of one release: failures stay with the measure that fails."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from datasets import build
from sfumato import AprioriAnon, BfP2ka, Incognito, SeqAnon, Table, Taxonomy, Trajectories, Transactions, evaluate
from sfumato.catalogue import MEASURES, measure_class, method_class
from sfumato.errors import DataError, MissingKnowledge
from sfumato.utility.base import Score
from sfumato.utility.measuring import misfit, require_measures, take_measures
from sfumato.utility.patterns.top_itemsets import TopKDeviation
from sfumato.utility.places.generalization import Displacement, IntactLocations
from sfumato.utility.tables import Frequencies


class Refusing(IntactLocations):
    def score(self, original: Any, release: Any) -> Score:  # noqa: ARG002
        raise MissingKnowledge("refusing: needs a taxonomy")


class Broken(IntactLocations):
    def score(self, original: Any, release: Any) -> Score:  # noqa: ARG002
        return Score(1 / 0)


WALKS = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places={name: (0, at) for at, name in enumerate("abc")})


def test_a_measure_that_fails_costs_nothing_but_its_figure() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    taken = take_measures({"refusing": Refusing(), "broken": Broken(), "intact": IntactLocations()}, WALKS, release)
    assert taken.scores == {"intact": IntactLocations()(WALKS, release)}
    assert taken.failed == {
        "refusing": "refusing: needs a taxonomy",
        "broken": "broken: failed with ZeroDivisionError; this is a bug in sfumato, please report it",
    }
    assert set(taken.to_json()) == {"measures", "unmeasured"}
    assert set(take_measures({"intact": IntactLocations()}, WALKS, release).to_json()) == {"measures"}


def test_a_measure_of_another_kind_is_refused_before_the_run() -> None:
    with pytest.raises(DataError, match="intact: wanted trajectories"):
        require_measures([IntactLocations()], Incognito(k=2))
    with pytest.raises(DataError, match="a release of bf-p2ka, which has none"):
        require_measures([IntactLocations(), Displacement()], BfP2ka(k=2))


@pytest.mark.parametrize("name", ["apriori", "coat", "disassociate", "diffpart", "incognito", "r-first", "bf-p2ka"])
def test_a_measure_has_a_value_if_and_only_if_it_fits(name: str) -> None:
    chance = Random(5)
    rows = [[chance.choice("abcdef") for _ in range(chance.randint(1, 4))] for _ in range(40)]
    declared = method_class(name)
    least = {p.name: 1.0 if p.type is float else int(p.at_least or 1) for p in declared.parameters() if p.required}
    method = declared.from_json(least)
    full = build(declared.kind, rows)
    bare = replace(full, taxonomy=None) if declared.kind in ("transactions", "trajectories") else full
    release = method.anonymize(full, seed=1)
    for measure in (measure_class(wanted)() for wanted in MEASURES if wanted != "guessed-places"):
        for original in (full, bare):
            taken = take_measures({"it": measure}, original, release)
            assert bool(misfit(measure, method, original)) is bool(taken.failed), measure.name


def test_a_measure_without_its_side_knowledge_is_refused_before_the_first_one_is_computed() -> None:
    baskets = Transactions.from_lists([["a", "b"]] * 4)
    release = AprioriAnon(k=2, m=1).anonymize(replace(baskets, taxonomy=Taxonomy({"*": None, "a": "*", "b": "*"})))
    with pytest.raises(MissingKnowledge, match="tkd-ml2: needs a taxonomy, these data carry none"):
        evaluate(baskets, release, [Slow(), "tkd-ml2"])
    with pytest.raises(DataError, match="tlost: wanted published chunks, found transactions"):
        evaluate(baskets, release, [Slow(), "tlost"])
    with pytest.raises(DataError, match="frequencies: wanted a quasi-identifier, found 'town'"):
        Frequencies(column="town").require_data(Table({"age": [1]}))


class Slow(TopKDeviation):
    def score(self, original: Any, release: Any) -> Score:  # noqa: ARG002
        raise AssertionError("the measures are checked first")
