"""Epsilon: the verifier reads the ledger, and a ledger that spent too much is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Table, Trajectories
from sfumato.errors import Bug, DataError, ParameterError, PromiseBroken
from sfumato.privacy import Epsilon, KmAnonymity
from sfumato.privacy.noise.budget import WHOLE, PrivacyBudget, Spends
from twins.ledger import epsilon_holds


def spends(parents: list[int], splits: list[tuple[int, int]], **more: Any) -> Spends:
    branches, shares = (np.array([split[at] for split in splits], dtype=np.int64) for at in (0, 1))
    return Spends(np.array(parents), branches, shares, **{"epsilon": 1.0, "at_most": 3, "largest": 3, **more})


HALF = WHOLE // 2
# a root with two children; the first one has a child of its own
PATHS = [-1, 0, 0, 1]


def test_spends_add_up_along_a_path_and_not_across_siblings() -> None:
    verdict = Epsilon(epsilon=1.0).check_spends(spends(PATHS, [(0, HALF), (1, HALF), (2, HALF)]))
    assert verdict.holds is True
    assert verdict.checked_from == "ledger"
    assert verdict.measured == {"spent": 1.0, "branches": 4, "contributions": 3, "contributions_allowed": 3}
    assert verdict.to_published_json() == {"holds": True, "checked_from": "ledger", "measured": {}, "witnesses": []}


@pytest.mark.parametrize(
    "splits",
    [
        [(0, HALF), (1, HALF), (3, 1)],  # one part in 2^40 too much, at the end of a path
        [(0, HALF), (1, HALF + 1)],
        [(0, WHOLE), (2, 1)],
        [(0, HALF), (0, HALF), (1, 1)],  # a branch that is split twice pays twice
        [(1, HALF), (0, HALF), (1, 1)],
    ],
)
def test_a_ledger_that_overspends_is_refused(splits: Any) -> None:
    verdict = Epsilon(epsilon=1.0).check_spends(spends(PATHS, splits))
    assert verdict.holds is False
    assert verdict.witnesses
    assert all(witness["spent"] >= 1 for witness in verdict.witnesses)


def test_other_lies_are_refused() -> None:
    good = spends(PATHS, [(0, HALF)])
    assert Epsilon(epsilon=0.5).check_spends(good).holds is True
    assert Epsilon(epsilon=0.49999).check_spends(good).holds is False
    assert Epsilon(epsilon=0.5).check_spends(replace(good, epsilon=1.1)).holds is False
    assert Epsilon(epsilon=0.5).check_spends(replace(good, largest=4)).holds is False
    assert Epsilon(epsilon=0.5).check_spends(spends(PATHS, [(0, HALF), (1, -HALF)])).holds is False
    with pytest.raises(Bug, match="comes before its parent"):
        Epsilon(epsilon=1.0).check_spends(spends([-1, 1], [(0, 1)]))


@settings(max_examples=300, deadline=None)
@given(draw=st.data())
def test_the_verdict_is_that_of_the_twin(draw: Any) -> None:
    number = draw.draw(st.integers(1, 7))
    parents = [-1] + [draw.draw(st.integers(0, branch - 1)) for branch in range(1, number)]
    part = st.sampled_from([1, WHOLE // 3, WHOLE // 3 + 1, HALF, WHOLE, 0])
    splits = draw.draw(st.lists(st.tuples(st.integers(0, number - 1), part), max_size=6))
    recorded = spends(
        parents, splits, largest=draw.draw(st.integers(0, 4)), epsilon=draw.draw(st.sampled_from([0.1, 1.0]))
    )
    model = Epsilon(epsilon=draw.draw(st.sampled_from([0.1, 0.3, 1.0])))
    assert model.check_spends(recorded).holds is epsilon_holds(model, recorded)


def test_files_alone_cannot_tell() -> None:
    walks = Trajectories.from_lists([["a"]])
    verdict = Epsilon(epsilon=1.0).check(walks, walks)
    assert (verdict.holds, verdict.checked_from) == ("not checkable", "ledger")
    assert "files cannot show" in verdict.reason
    assert Epsilon(epsilon=1.0).check(Table({"age": [1]})).holds == "not checkable"


def test_a_run_is_judged_by_its_own_ledger() -> None:
    walks = Trajectories.from_lists([["a"]])
    model, ledger = Epsilon(epsilon=1.0), PrivacyBudget(seed=1)
    assert model.check_run(walks, walks, ledger).holds is False  # nothing was drawn
    assert model.check_run(walks, walks, ledger).reason == "no noise was drawn"
    ledger.open(walks, records=np.array([0]), epsilon=1.0, at_most=1)
    assert model.check_run(walks, walks, ledger).holds is True
    assert model.check_run(walks, Trajectories.from_lists([["a"]]), ledger).holds is False
    for _ in range(2):
        told = ledger.split(np.array([0]), np.array([0]), sizes=np.array([1]), shares=np.array([WHOLE]))
    assert told.branch.tolist() == [2]
    assert model.check_run(walks, walks, ledger).holds is False
    assert KmAnonymity(k=2, m=1).check_run(walks, walks, ledger).holds is False  # other models look at the data


def test_a_release_of_an_overspent_ledger_is_not_written(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato import NGrams

    split = PrivacyBudget.split

    def twice(self: PrivacyBudget, branches: Any, cells: Any, **more: Any) -> Any:
        more["shares"] = more["shares"] * 2
        return split(self, branches, cells, **more)

    monkeypatch.setattr(PrivacyBudget, "split", twice)
    release = NGrams(epsilon=1.0, l_max=3, n_max=1).anonymize(
        Trajectories.from_lists(["ab"] * 9, places={"a": (0, 0), "b": (1, 0)})
    )
    assert not release.holds
    assert release.verdicts[0][1].measured["spent"] == 2.0
    with pytest.raises(PromiseBroken, match="does not hold on this release"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_epsilon_must_be_above_0() -> None:
    with pytest.raises(ParameterError, match="Epsilon: epsilon must be a number above 0, got 0"):
        Epsilon(epsilon=0)


def test_a_kind_it_does_not_know_is_refused() -> None:
    class Odd:
        kind = "road-trajectories"

    with pytest.raises(DataError, match="epsilon: wanted trajectories, transactions, table or mixed, got"):
        Epsilon(epsilon=1.0).check(Odd())
