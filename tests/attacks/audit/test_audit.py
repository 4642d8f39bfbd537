"""The audit: exact figures are those of brute force, sampled ones hold them in their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import CORNERS, build, persons, records
from sfumato import Table, Trajectories, Transactions
from sfumato.attacks import Audit
from sfumato.attacks.audit.findings import FIGURES
from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.risks import ExactRisks, sampled_risks
from sfumato.attacks.uniqueness import anonymity_set_sizes
from sfumato.errors import DataError, ParameterError
from sfumato.generate import Checkins


def brute_force(data: Any, known: int, ordered: bool) -> list[tuple[int, float, float, int]]:
    rows = data.to_lists() if ordered else [sorted(set(row)) for row in data.to_lists()]
    found = oracles.risks(rows, data.units.tolist(), known)
    return [found[unit] for unit in sorted(found)]


def rows_of(risks: Any) -> list[tuple[int, float, float, int]]:
    return [
        (int(crowd), pytest.approx(chance), pytest.approx(lone), pytest.approx(patterns))
        for crowd, chance, lone, patterns in zip(
            risks.set_sizes, risks.chances, risks.lone, risks.patterns, strict=True
        )
    ]


@settings(max_examples=200, deadline=None)
@given(
    kind=st.sampled_from(["trajectories", "transactions"]),
    rows=records("abcd"),
    ordered=st.booleans(),
    known=st.integers(1, 6),
    draw=st.data(),
)
def test_exact_figures_are_those_of_brute_force(
    kind: str, rows: list[list[str]], ordered: bool, known: int, draw: Any
) -> None:
    data: Any = build(kind, rows, draw.draw(persons(len(rows))))
    found = Audit(known=known, ordered=ordered).run(data)
    assert [risks.known for risks in found.risks] == list(range(1, max(4, known) + 1))
    for risks in found.risks:
        assert risks.exact
        expected = brute_force(data, risks.known, ordered and kind == "trajectories")
        assert expected == rows_of(risks)
        means = np.mean([(crowd == 1, lone, 1 / crowd, chance) for crowd, chance, lone, _ in expected], axis=0)
        assert [found.figure(name, known=risks.known) for name in FIGURES] == pytest.approx(means.tolist())


@settings(max_examples=100, deadline=None)
@given(rows=records("abcd"), known=st.integers(1, 4), seed=st.integers(0, 5), draw=st.data())
def test_a_sample_that_is_everything_is_exact(rows: list[list[str]], known: int, seed: int, draw: Any) -> None:
    data: Any = build("trajectories", rows, draw.draw(persons(len(rows))))
    found = Audit(known=known, budget=0).run(data, seed=seed)
    for risks in found.risks:
        assert risks.exact
        assert brute_force(data, risks.known, ordered=True) == rows_of(risks)


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("budget", [0, 10**6])
def test_corners(corner: str, budget: int) -> None:
    rows, who, _ = CORNERS[corner]
    data: Any = build("trajectories", rows, who)
    risks = Audit(known=3, budget=budget).run(data).of(3)
    assert brute_force(data, 3, ordered=True) == rows_of(risks)
    assert anonymity_set_sizes(data, 3).tolist() == risks.set_sizes.tolist()


def test_by_hand() -> None:
    data = Trajectories.from_lists([["a", "b"], ["b", "a"], ["b"], []], ids=["w", "x", "y", "z"])
    found = Audit(known=2).run(data)
    # (b) fits three, (a, b) and (b, a) one each, nothing fits all four
    assert found.people.select("trajectory", "patterns", "anonymity_set", "risk_random", "unique_random").rows() == [
        ("w", 1.0, 1, 1.0, 1.0),
        ("x", 1.0, 1, 1.0, 1.0),
        ("y", 1.0, 3, pytest.approx(1 / 3), 0.0),
        ("z", 0.0, 4, 0.25, 0.0),
    ]
    # one known: (a) fits two, so that w is in crowds of 2 and 3
    assert found.of(1).chances[0] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert found.figure("unique_worst") == 0.5
    assert found.figure("risk_worst") == pytest.approx((1 + 1 + 1 / 3 + 1 / 4) / 4)
    without = Audit(known=2, ordered=False).run(data)
    assert without.people["anonymity_set"].to_list() == [2, 2, 3, 4]
    assert found.anonymity_sets.filter(known=2).select("anonymity_set", "smallest", "largest", "value").rows() == [
        ("1", 1, 1, 0.5),
        ("2", 2, 2, 0.0),
        ("3-4", 3, 4, 0.5),
    ]
    assert repr(found) == "<Findings: 4 trajectories, 50.0% unique with 2 known, exact>"


def test_several_records_of_one_person_are_no_crowd() -> None:
    days = [["home", "gym"], ["home", "gym"], ["home", "work"]]
    assert Audit().run(Trajectories.from_lists(days)).people["anonymity_set"].to_list() == [2, 2, 1]
    found = Audit().run(Trajectories.from_lists(days, persons=["ann", "ann", "bob"]))
    assert found.people.select("person", "anonymity_set", "patterns").rows() == [("ann", 1, 1.0), ("bob", 1, 1.0)]


def test_a_short_record_gives_a_person_away_too() -> None:
    data = Trajectories.from_lists([["a", "b", "a"], ["x"], ["a", "b", "a"]], persons=["ann", "ann", "bob"])
    found = Audit(known=2).run(data).people
    assert found.select("anonymity_set", "patterns").rows() == [(1, 4.0), (2, 3.0)]
    assert found["risk_random"][0] == pytest.approx((1 + 3 / 2) / 4)


def test_persons_of_whom_nothing_is_left_are_no_crowd() -> None:
    data = Trajectories.from_lists([["a"], [], ["b"]], persons=["ann", "bob", "eve"]).take(np.array([0, 1]))
    assert Audit().run(data).people.select("person", "anonymity_set").rows() == [("ann", 1), ("bob", 2)]


@pytest.mark.parametrize("shape", [Trajectories, Transactions])
def test_nobody(shape: Any) -> None:
    for budget in (0, 100):
        found = Audit(budget=budget).run(shape.from_lists([]))
        assert found.curve["value"].to_list() == [0.0] * 16
        assert len(found.people) == len(found.anonymity_sets) == 0
        assert found.to_json()["known"][1]["smallest_anonymity_set"] is None


# --- samples ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def town() -> Trajectories:
    """Long trajectories, several a person, so that nobody's patterns can all be looked at."""
    return Checkins(trajectories=900, locations=80, mean_length=7, persons=450).make(seed=3)


def test_intervals_hold_the_truth(town: Trajectories) -> None:
    truth = Audit(known=3).run(town)
    assert all(risks.exact for risks in truth.risks)
    held, narrow = [], []
    for seed in range(8):
        found = Audit(known=3, budget=0).run(town, seed=seed)
        sample = pl.concat(
            [found.curve.rename({"figure": "name"}), found.anonymity_sets.rename({"anonymity_set": "name"})],
            how="diagonal",
        )
        exact = pl.concat(
            [truth.curve.rename({"figure": "name"}), truth.anonymity_sets.rename({"anonymity_set": "name"})],
            how="diagonal",
        )
        both = sample.filter(~pl.col("exact")).join(exact, on=["known", "name"], suffix="_true")
        held += ((both["low"] <= both["value_true"]) & (both["value_true"] <= both["high"])).to_list()
        narrow += (both["high"] - both["low"]).to_list()
        assert (both["low"] <= both["value"]).all()
        assert (both["value"] <= both["high"]).all()
    assert len(held) > 250
    assert np.mean(held) > 0.95
    assert np.mean(narrow) < 0.2


def test_a_sample_is_not_biased(town: Trajectories) -> None:
    pieces = KnowablePoints.of(town, ordered=True)
    truth = ExactRisks(pieces).of(3, 10**9)
    assert truth is not None
    samples = [sampled_risks(pieces, 3, 0, np.random.default_rng(seed)) for seed in range(25)]
    for name in ("chances", "lone"):
        found = [getattr(risks, name).mean() for risks in samples]
        assert np.std(found) > 0
        assert np.mean(found) == pytest.approx(getattr(truth, name).mean(), abs=4 * np.std(found) / np.sqrt(len(found)))


def test_crowds_of_a_sample_are_no_smaller_than_the_truth(town: Trajectories) -> None:
    truth, risks = Audit(known=3).run(town).of(3), Audit(known=3, budget=0).run(town, seed=1).of(3)
    assert len(risks) == 200
    assert 0 < risks.whole.sum() < 200
    assert (risks.set_sizes >= truth.set_sizes[risks.units]).all()
    assert (risks.set_sizes == truth.set_sizes[risks.units])[risks.settled].all()
    assert risks.chances[risks.whole] == pytest.approx(truth.chances[risks.units][risks.whole])
    assert risks.patterns[risks.whole] == pytest.approx(truth.patterns[risks.units][risks.whole])


def test_the_budget_decides_and_a_seed_repeats(town: Trajectories) -> None:
    pairs = Audit(known=2, budget=60_000).run(town, seed=1)
    assert [risks.exact for risks in pairs.risks] == [True, True, False, False]
    assert pairs.curve.filter(pl.col("exact"))["low"].null_count() == 8
    assert pairs.curve.equals(Audit(known=2, budget=60_000).run(town, seed=1).curve)
    assert not pairs.curve.equals(Audit(known=2, budget=60_000).run(town, seed=2).curve)
    assert any("exceeds the budget: 200 of 381 persons" in note for note in pairs.notes)


def test_long_records_are_looked_up_as_short_ones_are_read() -> None:
    rng = np.random.default_rng(2)
    walks = [[f"p{place:02}" for place in rng.integers(0, 40, length)] for length in [3, 20, 40, 80] * 6]
    data = Trajectories.from_lists(walks, persons=[at // 2 for at in range(len(walks))])
    pieces = KnowablePoints.of(data, ordered=True)
    truth, found = ExactRisks(pieces).of(2, 10**9), sampled_risks(pieces, 2, 0, rng)
    assert truth is not None
    assert (found.set_sizes >= truth.set_sizes).all()
    alone = KnowablePoints.of(data.with_persons(None), ordered=True)
    counted = ExactRisks(alone).of(2, 10**9)
    assert counted is not None
    assert sampled_risks(alone, 2, 0, rng).patterns == pytest.approx(counted.patterns)  # a number for every pattern
    # 1,000 draws of one person's patterns: their mean is that of all of them
    draws = [sampled_risks(pieces, 2, 0, np.random.default_rng(seed)).chances for seed in range(10)]
    spread = np.std(draws, axis=0) / np.sqrt(len(draws)) + 1e-9
    assert (np.abs(np.mean(draws, axis=0) - truth.chances) < 6 * spread).all()


def test_very_long_records_end_in_time() -> None:
    """10^4 visits have 4 x 10^14 patterns of 4: they are numbered, not listed."""
    rng = np.random.default_rng(1)
    walks = [[f"p{place}" for place in rng.integers(0, 500, 10_000)] for _ in range(3)]
    found = Audit(known=4, budget=10_000).run(Trajectories.from_lists(walks), seed=1)
    assert [len(risks) for risks in found.risks] == [3, 3, 3, 3]
    assert not found.of(4).exact
    assert (found.of(4).patterns > 1e10).all()


# --- what comes out, and what is refused -----------------------------------------------------------------------------


def test_nothing_about_anybody_but_in_people() -> None:
    data = build("trajectories", [["a", "b"], ["c"]], ["person-u", "person-v"])
    found = Audit().run(data)
    said = str(found.to_json()) + repr(found) + found.curve.write_csv() + found.anonymity_sets.write_csv()
    assert "person-" not in said
    assert "private-id" not in said
    assert "person-u" in found.people.write_csv()


def test_the_input_is_untouched() -> None:
    data = Trajectories.from_lists([["b", "a", "b"], ["a"]])
    before = data.to_lists()
    Audit(ordered=False, budget=0).run(data)
    assert data.to_lists() == before


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    Audit(known=5).run(Trajectories.from_lists([["a", "b"]]), progress=lambda *said: told.append(said))
    assert told[0] == ("1 known", 0, 5)
    assert len(told) == 5


def test_refusals() -> None:
    with pytest.raises(
        ParameterError, match=r"Audit: known must be a whole number of at least 1 and at most 20, got 0"
    ):
        Audit(known=0)
    with pytest.raises(ParameterError, match=r"Audit: budget must be a whole number of at least 0, got -1"):
        Audit(budget=-1)
    with pytest.raises(DataError, match=r"^Audit: fits trajectories and transactions, got table$"):
        Audit().run(Table(pl.DataFrame({"age": [1]})))
    found = Audit().run(Trajectories.from_lists([["a"]]))
    with pytest.raises(ParameterError, match=r"^Findings: known must be 1 to 4, got 5$"):
        found.of(5)
    with pytest.raises(
        ParameterError, match=r"^Findings: no figure is called 'unique_wurst'; did you mean 'unique_worst'\?$"
    ):
        found.figure("unique_wurst")
