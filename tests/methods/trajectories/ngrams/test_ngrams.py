"""NGrams: neighbours through the real code path, what is published, persons, places, corners, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import records
from sfumato import NGrams, Places, Trajectories, read, read_places, verify
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.generate import Checkins
from sfumato.methods.base import Run
from sfumato.methods.trajectories.ngrams.exploration_tree import Grams, explore
from sfumato.methods.trajectories.ngrams.ngrams import _grams
from sfumato.prepare import Grid, RegionsOfInterest
from sfumato.privacy import Epsilon
from sfumato.privacy.noise.budget import WHOLE, PrivacyBudget

ABCD = dict.fromkeys("abcd", (0, 0))
Whole = Any


# --- neighbours ------------------------------------------------------------------------------------------------------


class _Heard(PrivacyBudget):
    """A ledger that writes down the true counts of each split and, if it has a script, tells what the script says."""

    def __init__(self, seed: int, script: list[tuple[Whole, Whole]] | None = None) -> None:
        super().__init__(seed)
        self.script = None if script is None else list(script)
        self.told: list[tuple[Whole, Whole]] = []
        self.true: list[tuple[dict[int, int], Whole, Whole]] = []

    def _disturb(self, counts: Whole, rows: Whole, shares: Whole) -> None:
        if self.true and len(self.true) > len(self.told):  # inside _reaching
            super()._disturb(counts, rows, shares)
            return
        self.true.append((dict(enumerate(counts.tolist())), np.array([0, len(counts)]), np.asarray(shares)))
        if self.script is None:
            super()._disturb(counts, rows, shares)
        else:
            counts[:] = self.script.pop(0)[1]
        self.told.append((np.arange(len(counts)), counts.copy()))

    def _reaching(self, slots: Whole, counts: Whole, starts: Whole, shares: Whole, *more: Any) -> tuple[Whole, Whole]:
        self.true.append((dict(zip(slots.tolist(), counts.tolist(), strict=True)), starts, shares))
        heard = super()._reaching(slots, counts, starts, shares, *more) if self.script is None else self.script.pop(0)
        self.told.append(heard)
        return heard


def privacy_loss(method: NGrams, data: Trajectories, unit: int, seed: int) -> float:
    """By how much the logarithm of the probability of what was told would have differed without a unit.

    Everything the tree does is determined by what the ledger tells.  So the tree is grown with the unit; then it is
    grown again without, told the same; and the true counts that the noise had to bridge are compared, split by split.
    """
    longest = min(method.n_max, method.l_max + 1)
    grams, records = _grams(data, data.places, method.l_max, PrivacyBudget(seed).entropy)
    others = data.units[records] != unit

    def grown(ledger: _Heard, kept: Any) -> _Heard:
        ledger.open(data, records=records[kept], epsilon=method.epsilon, at_most=method.l_max)
        some = Grams(grams.symbols, grams.starts[kept], grams.ends[kept], grams.places)
        explore(some, ledger, epsilon=method.epsilon, at_most=method.l_max, longest=longest)
        return ledger

    with_unit = grown(_Heard(seed), slice(None))
    without = grown(_Heard(seed, with_unit.told), others)
    assert without.script == []
    assert np.array_equal(with_unit.spends.parents, without.spends.parents)
    assert np.array_equal(with_unit.spends.shares, without.spends.shares)
    loss = 0.0
    for (one, starts, shares), (other, _, _) in zip(with_unit.true, without.true, strict=True):
        for slot in one.keys() | other.keys():
            rate = with_unit._rate(int(shares[np.searchsorted(starts, slot, side="right") - 1]))
            loss += abs(one.get(slot, 0) - other.get(slot, 0)) * float(rate)
    return loss


@settings(max_examples=120, deadline=None)
@given(
    rows=records("abcd"),
    who=st.data(),
    epsilon=st.sampled_from([0.1, 1.0, 5.0, 30.0]),
    l_max=st.integers(2, 8),
    n_max=st.integers(1, 5),
    seed=st.integers(0, 3),
)
def test_no_neighbour_changes_any_probability_by_more_than_epsilon(
    rows: Any, who: Any, epsilon: float, l_max: int, n_max: int, seed: int
) -> None:
    persons = who.draw(st.none() | st.lists(st.sampled_from("uvw"), min_size=len(rows), max_size=len(rows)))
    data = Trajectories.from_lists(rows * 3, persons=None if persons is None else persons * 3, places=ABCD)
    unit = who.draw(st.integers(0, len(set(data.units.tolist())) - 1))
    assert privacy_loss(NGrams(epsilon=epsilon, l_max=l_max, n_max=n_max), data, unit, seed) <= epsilon * (1 + 1e-9)


def test_the_bound_is_reached_so_that_the_test_above_can_fail() -> None:
    """One person whose every gram is told spends all there is, nearly."""
    data = Trajectories.from_lists([["a"] * 9] * 200, places=ABCD)
    loss = privacy_loss(NGrams(epsilon=4.0, l_max=10, n_max=3), data, 0, seed=1)
    assert 0.9 * 4 < loss <= 4.0


def outcomes(data: Trajectories, runs: int, seed: int) -> np.ndarray:
    """How many records, and how many visits to b, each of many releases has."""
    method = NGrams(epsilon=1.0, l_max=2, n_max=2)
    found = []
    for number in range(runs):
        released = method.transform(data, Run(seed * runs + number)).data
        found.append((len(released), int(np.sum(released.codes == 1))))
    return np.array(found)


def largest_excess(with_unit: Any, without: Any, epsilon: float) -> float:
    """By how many standard deviations an event is more likely than exp(epsilon) times its chance next door."""
    worst = -np.inf
    n = len(with_unit)
    for column, at_least in [(column, number) for column in (0, 1) for number in range(12)]:
        for p, q in ((with_unit, without), (without, with_unit)):
            for reverse in (False, True):
                one, other = (np.mean((side[:, column] >= at_least) ^ reverse) for side in (p, q))
                spread = np.sqrt((one * (1 - one) + np.exp(2 * epsilon) * other * (1 - other)) / n + 1e-9)
                worst = max(worst, (one - np.exp(epsilon) * other) / spread)
    return float(worst)


def test_many_releases_of_neighbours_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    places = dict.fromkeys("ab", (0, 0))
    everybody = Trajectories.from_lists([["a"], ["b"], ["b"]], persons=["u", "v", "v"], places=places)
    without_v = everybody.take(np.array([0]))
    runs = 250
    assert largest_excess(outcomes(everybody, runs, 1), outcomes(without_v, runs, 2), 1.0) < 4
    # the same check sees noise that is too small
    rate = PrivacyBudget._rate
    monkeypatch.setattr(PrivacyBudget, "_rate", lambda self, share: 8 * rate(self, share))
    assert largest_excess(outcomes(everybody, runs, 3), outcomes(without_v, runs, 4), 1.0) > 6


# --- what is published -----------------------------------------------------------------------------------------------


def walks(**more: Any) -> Trajectories:
    return Trajectories.from_lists(["ab"] * 60 + ["cba"] * 30, places=ABCD, **more)


def test_with_a_large_epsilon_the_release_looks_like_the_original() -> None:
    release = NGrams(epsilon=100.0, l_max=5, n_max=5).anonymize(walks(), seed=1)
    published = ["".join(row) for row in release.data.to_lists()]
    assert (len(published), set(published)) == (90, {"ab", "cba"})
    assert abs(published.count("ab") - 60) < 4.5 * np.sqrt(20)
    assert release.origin is None
    assert release.persons is None


def test_the_certificate_says_nothing_about_the_private_data(tmp_path: Path) -> None:
    method = NGrams(epsilon=1.0, l_max=4, n_max=2)
    certificates = []
    for name, rows in (("one", ["ab"] * 60), ("two", ["c"]), ("three", [list("dcba")] * 999)):
        method.anonymize(Trajectories.from_lists(rows, places=ABCD)).write(tmp_path / name)
        certificate = json.loads((tmp_path / name / "certificate.json").read_text())
        assert set(certificate["records"]) == {"published"}
        certificates.append({key: value for key, value in certificate.items() if key not in ("records", "files")})
        assert sorted(path.name for path in (tmp_path / name).iterdir()) == ["certificate.json", "data.csv"]
    assert certificates[0] == certificates[1] == certificates[2]
    assert certificates[0]["seeded"] is False
    assert certificates[0]["guarantees"] == [
        {
            "model": "epsilon",
            "parameters": {"epsilon": 1.0},
            "verdict": {"holds": True, "checked_from": "ledger", "measured": {}, "witnesses": []},
        }
    ]
    said = " ".join(limit["text"] for limit in certificates[0]["not_covered"])
    assert "every published trajectory is synthetic" in said
    assert "each record is protected separately" in said
    assert "seed" not in said


def test_a_seeded_release_says_so() -> None:
    one, two = (NGrams(epsilon=1.0).anonymize(walks(), seed=3).certificate() for _ in range(2))
    assert one == two
    assert one.seeded is True
    assert any(limit["key"] == "seed-known" for limit in one.not_covered)


def test_runs_without_a_seed_differ() -> None:
    texts = {NGrams(epsilon=0.5, l_max=3).anonymize(walks()).to_polars().write_csv() for _ in range(4)}
    assert len(texts) == 4


def test_the_private_report_has_the_ledger_and_the_files_verify(tmp_path: Path) -> None:
    release = NGrams(epsilon=1.0, l_max=4, n_max=2).anonymize(walks(persons=range(90)), seed=1)
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["ledger"][0] == {
        "branches": 1,
        "cells": 5,
        "sensitivity": 4,
        "epsilon": [0.5] * 2,
        "scale": [8.0] * 2,
    }
    assert report["guarantees"][0]["verdict"]["measured"]["spent"] <= 1
    check = verify(tmp_path / "out", original=release.original)
    assert check.code == 3
    assert [verdict.holds for _, verdict in check.verdicts] == ["not checkable"]
    assert release.certificate().unit == "person"


# --- persons ---------------------------------------------------------------------------------------------------------


def test_a_person_with_a_thousand_records_counts_as_one() -> None:
    rows = [["a", "b"]] * 1000 + [["c"]] * 5
    by_record = Trajectories.from_lists(rows, places=ABCD)
    by_person = Trajectories.from_lists(rows, places=ABCD, persons=["u"] * 1000 + list("vwxyz"))
    method = NGrams(epsilon=50.0, l_max=6, n_max=2)
    many, one = (method.anonymize(data, seed=1) for data in (by_record, by_person))
    assert abs(len(many.data) - 1005) < 20
    assert len(one.data) < 20  # two records of u and one of each other, more or less
    assert (many.budget.spends.largest, one.budget.spends.largest) == (3, 6)
    assert (many.certificate().unit, one.certificate().unit) == ("record", "person")


# --- places ----------------------------------------------------------------------------------------------------------


def test_places_that_nobody_visits_can_be_published() -> None:
    places = dict.fromkeys(["a", *(f"z{number}" for number in range(200))], (0, 0))
    data = Trajectories.from_lists([["a"]] * 5, places=places)
    seen = {name for seed in range(5) for name in NGrams(epsilon=0.2, l_max=2).anonymize(data, seed=seed).data.names}
    assert len(seen - {"a"}) > 5


def test_a_tree_over_very_many_places_stays_small() -> None:
    places = Places.planar(dict.fromkeys([f"p{number:05}" for number in range(50_000)], (0, 0)))
    data = Trajectories.from_lists([["p00001", "p00002"]] * 3000, places=places)
    release = NGrams(epsilon=2.0, l_max=3, n_max=4).anonymize(data, seed=1)
    assert release.holds
    assert release.counts["grams"] < 50_100
    assert sum(row == ["p00001", "p00002"] for row in release.data.to_lists()) > 2000


def test_places_taken_from_the_data_are_refused(tmp_path: Path) -> None:
    sentence = "ngrams: needs a list of places that was not made from the data, .*; give places"
    frame = {"trajectory": [1, 1, 2], "location": ["a", "b", "a"], "x": [0, 1, 0], "y": [0, 0, 0]}
    with pytest.raises(MissingKnowledge, match=sentence):
        NGrams(epsilon=1.0).anonymize(frame)
    file = tmp_path / "visits.csv"
    pl.DataFrame(frame).write_csv(file)
    with pytest.raises(MissingKnowledge, match=sentence):
        NGrams(epsilon=1.0).anonymize(read(file))
    (tmp_path / "places.csv").write_text("location\na\nb\nc\n")
    assert NGrams(epsilon=1.0).anonymize(read(file, places=read_places(tmp_path / "places.csv"))).holds
    with pytest.raises(MissingKnowledge, match="ngrams: needs places"):
        NGrams(epsilon=1.0).anonymize(Trajectories.from_lists([["a"]]))


@pytest.mark.parametrize(
    ("parameters", "public"),
    [
        ({"cells": 2}, False),
        ({"cells": 2, "unvisited": True}, False),
        ({"cells": 2, "west": 0, "south": 0, "east": 9, "north": 9}, False),
        ({"cells": 2, "west": 0, "south": 0, "east": 9, "north": 9, "unvisited": True}, True),
    ],
)
def test_a_grid_is_public_if_the_data_decided_nothing_about_it(parameters: Any, public: bool) -> None:
    visits = Trajectories.from_lists([["a", "b"], ["b"]], places={"a": (1, 1), "b": (8, 8)})
    cells = Grid(**parameters).apply(visits).data
    assert cells.places.derived is not public
    if public:
        assert NGrams(epsilon=1.0).anonymize(cells).holds


def test_regions_of_interest_are_never_public() -> None:
    visits = Trajectories.from_lists([["a", "b"], ["b"]], places={"a": (1, 1), "b": (8, 8)})
    regions = RegionsOfInterest(density=0.1, cells=2, west=0, south=0, east=9, north=9).apply(visits).data
    with pytest.raises(MissingKnowledge, match="not made from the data"):
        NGrams(epsilon=1.0).anonymize(regions)


def test_a_location_that_is_no_place_is_refused() -> None:
    data = Trajectories.from_lists([["a", "x"], ["x@14"]], places=ABCD)
    with pytest.raises(DataError, match=r"never from the data, found none for 2 of 3"):
        NGrams(epsilon=1.0).anonymize(data)
    slots = Trajectories.from_lists([["a@14"]], places=ABCD)
    with pytest.raises(DataError, match="found none for 1 of"):
        NGrams(epsilon=1.0).anonymize(slots)
    unused = replace(Trajectories.from_lists([["a", "x"], ["a"]], places=ABCD)).take(np.array([1]))
    assert NGrams(epsilon=1.0).anonymize(unused).holds


# --- corners, refusals, size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_max", [1, 2, 100])
@pytest.mark.parametrize("l_max", [2, 7])
@pytest.mark.parametrize("make", [lambda: [], lambda: [[], []], lambda: [["a"]], lambda: [["a"] * 9] * 30])
def test_corners(n_max: int, l_max: int, make: Callable[[], Any], tmp_path: Path) -> None:
    for places in ({"a": (0, 0)}, ABCD):
        data = Trajectories.from_lists(make(), places=places)
        for epsilon in (0.05, 100.0):
            release = NGrams(epsilon=epsilon, l_max=l_max, n_max=n_max).anonymize(data, seed=2)
            assert release.holds
            assert int(release.data.lengths.max(initial=0)) < l_max
            release.write(tmp_path / f"{len(places)}-{epsilon}")
            assert verify(tmp_path / f"{len(places)}-{epsilon}").code == 3


def test_budgets_are_spent_whole_along_the_longest_path() -> None:
    release = NGrams(epsilon=3.0, l_max=4, n_max=4).anonymize(walks(), seed=1)
    spends = release.budget.spends
    assert Epsilon(epsilon=3.0).check_spends(spends).measured["spent"] > 2.99
    assert spends.shares[0] == WHOLE // 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"epsilon": 0}, "NGrams: epsilon must be a number of at least 0.001 and at most 100, got 0"),
        ({"epsilon": 101}, "NGrams: epsilon must be a number of at least 0.001 and at most 100, got 101"),
        ({"epsilon": 1, "l_max": 1}, "NGrams: l_max must be a whole number of at least 2 and at most 10000, got 1"),
        ({"epsilon": 1, "n_max": 0}, "NGrams: n_max must be a whole number of at least 1 and at most 100, got 0"),
    ],
)
def test_parameters_are_refused_in_one_sentence(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        NGrams(**values)
    assert str(refusal.value) == message


def test_a_seed_below_0_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^seed: wanted a whole number of 0 or more, got -1$"):
        NGrams(epsilon=1.0).anonymize(walks(), seed=-1)


def test_noise_that_would_fill_the_memory_is_refused_whatever_the_data_are() -> None:
    with pytest.raises(Infeasible, match="noise of the scale 100,000,000, wanted at most 1,000,000; raise eps"):
        NGrams(epsilon=0.001, l_max=10_000, n_max=10).anonymize(walks())


def test_check_ins_as_large_as_the_papers_take_seconds() -> None:
    town = Checkins(trajectories=20_000, locations=662).make(seed=1)
    release = NGrams(epsilon=1.0).anonymize(town, seed=1)
    assert abs(len(release.data) - 20_000) < 2000
    assert sum(release.seconds.values()) < 20
