"""What an advisor has to try: every method that keeps the promise, over declared grids."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import Mixed, Table, Taxonomy, Trajectories, Transactions
from sfumato.catalogue import METHODS, method_class, model_class
from sfumato.data import Policy
from sfumato.errors import DataError
from sfumato.experiments.advice.candidates import candidates_for
from sfumato.params import Value
from sfumato.privacy import (
    Epsilon,
    KAnonymity,
    KkmAnonymity,
    KmAnonymity,
    LDiversity,
    LmDiversity,
    PolicyProtection,
    ProjectionSafety,
    ReconstructionAnonymity,
    TCloseness,
)

TREE = Taxonomy({"all": None, "ale": "all", "tea": "all"})
BASKETS = Transactions.from_lists([["ale"], ["tea"]], taxonomy=TREE)
WALKS = Trajectories.from_lists([["a"], ["b"]], places={"a": (0, 0), "b": (1, 0)})
PEOPLE = Table({"age": [1, 2], "ill": ["x", "y"]}, sensitive=("ill",))


def methods(promise: Any, data: Any) -> set[str]:
    return {one.method.name for one in candidates_for(promise, data).found}


@pytest.mark.parametrize("name", METHODS)
def test_every_value_of_a_grid_is_one_that_the_parameter_takes(name: str) -> None:
    for parameter in method_class(name).parameters():
        for value in parameter.grid:
            checked = parameter.check(name, value)
            assert (checked.to_json() if isinstance(checked, Value) else checked) == value
        assert len(set(parameter.grid)) == len(parameter.grid) != 1
        if parameter.grid and not parameter.required:
            assert parameter.default in parameter.grid, "what is usual is tried"


def test_the_promise_decides_its_own_parameters() -> None:
    for one in candidates_for(KmAnonymity(k=7, m=3), BASKETS).found:
        assert (one.method.k, getattr(one.method, "m", one.policy_size)) == (7, 3)
        guarantees = one.method.guarantees_on(one.fitted(BASKETS))
        assert any(guarantee.implies(one.instead or KmAnonymity(k=7, m=3)) for guarantee in guarantees)
    assert methods(KmAnonymity(k=7, m=3), BASKETS) == {"apriori", "lra", "vpa", "coat", "pcta", "disassociate"}


def test_methods_that_keep_another_promise_against_the_same_attacker() -> None:
    km, chunks = KmAnonymity(k=7, m=3), ReconstructionAnonymity(k=7, m=3)
    for asked, other, keeping in (
        (km, chunks, {"apriori", "lra", "vpa", "coat", "pcta"}),
        (chunks, km, {"disassociate"}),
    ):
        found = candidates_for(asked, BASKETS).found
        assert {one.method.name for one in found if one.instead is None} == keeping
        assert {one.instead for one in found} == {None, other}
    assert not any(one.instead for one in candidates_for(ReconstructionAnonymity(k=7, m=3, l=2), BASKETS).found)
    assert not any(one.instead for one in candidates_for([km, chunks], BASKETS).found)
    assert not any(one.instead for one in candidates_for(km, WALKS).found)


def test_a_policy_of_all_sets_is_a_way_to_keep_km() -> None:
    """Without a policy the advisor adds all:m; one that the data carry must protect as much."""
    promise = KmAnonymity(k=2, m=2)
    assert {one.policy_size for one in candidates_for(promise, BASKETS).found if one.method.name == "coat"} == {2}
    larger = candidates_for(promise, BASKETS.with_policies(privacy=Policy(size=3)))
    assert {one.policy_size for one in larger.found if one.method.name == "coat"} == {0}
    for other in (Policy(size=1), Policy([["ale"]])):
        found = candidates_for(promise, BASKETS.with_policies(privacy=other))
        assert not {"coat", "pcta"} & {one.method.name for one in found.found}
        assert [sentence.partition(":")[0] for sentence in found.lacking] == ["coat", "pcta"]


def test_several_promises_take_the_strongest_value_of_a_parameter() -> None:
    found = candidates_for([KAnonymity(k=3), LDiversity(l=4), TCloseness(t=0.3), KAnonymity(k=5)], PEOPLE).found
    assert {(one.method.k, one.method.l, one.method.t) for one in found} == {(5, 4, 0.3)}
    assert {one.verified for one in found} == {()}
    unlike = candidates_for([KAnonymity(k=3), LDiversity(l=2, variant="entropy")], PEOPLE).found
    assert {one.verified for one in unlike} == {(LDiversity(l=2, variant="entropy"),)}


def test_what_is_lacking_is_named_with_its_remedy() -> None:
    found = candidates_for(KmAnonymity(k=2, m=1), WALKS)
    assert {one.method.name for one in found.found} == {"seqanon", "seqanon-f", "km-suppress", "km-split"}
    assert [sentence.partition(":")[0] for sentence in found.lacking] == ["sd-seqanon", "u-seqanon"]
    assert [sentence.remedy for sentence in found.lacking] == ["give-taxonomy", "give-constraints"]


def test_a_promise_that_a_parameter_switches_on_is_found() -> None:
    """Methods for tables promise l-diversity and t-closeness beside k-anonymity, if they are asked to."""
    everyone = {"incognito", "cluster", "local", "top-down", "bottom-up"}
    assert methods(KAnonymity(k=3), PEOPLE) == everyone
    assert methods(LDiversity(l=3), PEOPLE) == everyone
    assert methods(TCloseness(t=0.2), PEOPLE) == everyone
    for one in candidates_for(LDiversity(l=3), PEOPLE).found:
        assert (one.method.k, one.method.l) == (2, 3), "k must be something: the least"


def test_no_method_keeps_another_variant() -> None:
    with pytest.raises(
        DataError,
        match="no method keeps l-diversity with variant=entropy on table; promises that methods keep there: k-",
    ):
        candidates_for(LDiversity(l=2, variant="entropy"), PEOPLE)


def test_a_promise_content_with_less_than_a_method_gives() -> None:
    """A diversity promise for k = 1 is kept by methods that want k = 2."""
    found = candidates_for(LmDiversity(l=2, m=1), BASKETS).found
    assert {one.method.k for one in found} == {2}
    assert {one.method.l for one in found} == {2}


def test_what_a_promise_leaves_open_is_tried_over_the_grid() -> None:
    data = BASKETS.with_policies(privacy=Policy([["ale"]]), utility=Policy([["ale"], ["tea"]]))
    open_ = {one.method.suppression for one in candidates_for(PolicyProtection(k=2), data).found}
    assert open_ == {0.0, 0.1, 0.3}
    said = {one.method.suppression for one in candidates_for(PolicyProtection(k=2, suppression=0.2), data).found}
    assert said == {0.2}
    freely = BASKETS.with_policies(privacy=Policy([["ale"]]))  # any items may share a label: none is suppressed
    assert {one.method.suppression for one in candidates_for(PolicyProtection(k=2), freely).found} == {0.1}


def test_names_and_options() -> None:
    found = {one.name: one for one in candidates_for(KmAnonymity(k=5, m=2), BASKETS).found}
    own = [name for name, one in found.items() if one.instead is None]
    assert own == ["apriori", "lra, parts=2", "lra, parts=4", "lra, parts=8", "vpa, parts=2", "vpa, parts=4",
                   "vpa, parts=8", "coat, suppression=0.1", "pcta, suppression=0.1"]  # fmt: skip
    assert found["lra, parts=2"].options == {"k": "5", "m": "2", "parts": "2"}
    assert found["lra, parts=4"].options == {"k": "5", "m": "2"}
    assert found["coat, suppression=0.1"].options == {"privacy_policy": "all:2", "k": "5"}
    assert [found[name].usual for name in own] == [True, *[False, True, False] * 2, True, True]


def test_methods_of_methods() -> None:
    people = Mixed.from_frame({"age": [1, 2], "items": ["ale", "tea"]}, taxonomy=TREE)
    names = [one.name for one in candidates_for(KkmAnonymity(k=2, m=1), people).found]
    assert names[:2] == ["r-first, transaction=apriori", "r-first, transaction=coat"]
    assert "rum-bound, transaction=coat, merge=rt, delta=0.25" in names
    bare = candidates_for(KkmAnonymity(k=2, m=1), Mixed.from_frame({"age": [1, 2], "items": ["ale", "tea"]}))
    assert {str(one.method.transaction) for one in bare.found} == {"coat"}, "which needs no hierarchy"
    assert any(sentence.startswith("apriori: needs taxonomy") for sentence in bare.lacking)


KEPT = {
    "km": {"transactions", "trajectories"},
    "klm": {"trajectories"},
    "projection": {"trajectories"},
    "c-safety": {"trajectories"},
    "sequence-k": {"trajectories"},
    "k-anonymity": {"table"},
    "l-diversity": {"table"},
    "t-closeness": {"table"},
    "lm": {"transactions"},
    "reconstruction": {"transactions"},
    "kkm": {"mixed"},
    "klm-diversity": {"mixed"},
    "policy": {"transactions"},
    "epsilon": {"transactions", "trajectories"},
}


@pytest.mark.parametrize("name", KEPT)
def test_every_model_may_be_asked_for(name: str) -> None:
    """There are candidates or something is lacking where methods keep it; elsewhere a sentence says that none does."""
    numbers = {"epsilon": 1.0, "c": 0.5, "t": 0.5, "threshold": 0.5}
    values = {p.name: numbers.get(p.name, 2) for p in model_class(name).parameters() if p.required}
    promise = model_class(name).from_json(values)
    for data in (BASKETS, WALKS, PEOPLE, Mixed.from_frame({"age": [1, 2], "items": ["a", "b"]})):
        if data.kind in KEPT[name]:
            found = candidates_for(promise, data)
            assert found.found or found.lacking
        else:
            with pytest.raises(DataError, match=f"advise: no method keeps {name} on {data.kind}"):
                candidates_for(promise, data)


def test_combinations_that_differ_in_nothing_that_was_promised() -> None:
    assert methods(Epsilon(epsilon=0.5), WALKS) == {"ngrams"}
    with pytest.raises(DataError, match="no method keeps projection on transactions"):
        candidates_for(ProjectionSafety(threshold=0.5), BASKETS)
