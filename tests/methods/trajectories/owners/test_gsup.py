"""Gsup against its literal twin, and what all methods against owners have in common."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owned import (
    PLACES,
    THRESHOLDS,
    assert_same,
    dataset,
    figure_1a,
    owned_rows,
    random_rows,
    shuffles,
    trajectories,
)
from sfumato import Gsup, Lsup, Mix, Places, Split, Trajectories
from sfumato.errors import MissingKnowledge, ParameterError
from sfumato.methods.trajectories.owners.projections import quotas
from twins import projections as twin

METHODS = [Gsup, Lsup, Split, Mix]
every_method = pytest.mark.parametrize("method", METHODS)


@settings(max_examples=120)
@given(given_rows=owned_rows(), threshold=st.sampled_from(THRESHOLDS), batch=st.integers(1, 4))
def test_the_output_is_that_of_the_literal_twin(given_rows: Any, threshold: float, batch: int) -> None:
    rows, who = given_rows
    release = Gsup(threshold=threshold, batch=batch).anonymize(trajectories(rows, who))
    assert_same(release, twin.gsup(dataset(rows, who, threshold), batch))


@pytest.mark.parametrize(("seed", "people"), [(1, 0), (2, 0), (3, 25)])
def test_larger_data_agree_with_the_twin(seed: int, people: int) -> None:
    rows = random_rows(seed, 80)
    who = [f"p{at * 7 % people}" for at in range(len(rows))] if people else None
    release = Gsup(threshold=0.5, batch=3).anonymize(trajectories(rows, who))
    assert release.counts["changes"] > 5
    assert_same(release, twin.gsup(dataset(rows, who, 0.5), 3))


@every_method
@pytest.mark.parametrize("batch", [1, 10])
def test_the_papers_example_becomes_safe(method: Any, batch: int) -> None:
    data = figure_1a()
    assert method(threshold=0.5).guarantees[0].check(data).holds is False
    release = method(threshold=0.5, batch=batch).anonymize(data)
    assert release.holds
    assert release.counts["problems_at_first"] == 19


@every_method
@settings(max_examples=40)
@given(given_rows=owned_rows(), threshold=st.sampled_from(THRESHOLDS[:4]), seed=st.integers(0, 9))
def test_neither_order_nor_names_of_persons_show(method: Any, given_rows: Any, threshold: float, seed: int) -> None:
    rows, who = given_rows
    one = method(threshold=threshold, batch=2).anonymize(trajectories(rows, who))
    other = method(threshold=threshold, batch=2).anonymize(shuffles(rows, who, seed))
    assert one.data.to_lists() == other.data.to_lists()


def test_a_partner_must_be_what_is_left_when_all_visits_to_a_place_go() -> None:
    """(a1 a2 a1) can become a2 or (a1 a1), but not (a1 a2): places go with all their visits."""
    rows = [["a1", "a2", "a1", "b1"], *[["a1", "a2"]] * 3, *[["b1"]] * 3]
    release = Gsup(threshold=0.5).anonymize(trajectories(rows, None))
    assert release.data.to_lists() == [["a1", "a2"]] * 3 + [["b1"]] * 4
    release = Gsup(threshold=0.5).anonymize(trajectories([*rows, ["a1", "a1"]], None))
    assert release.data.to_lists() == [["a1", "a1"], ["a1", "a1", "b1"]] + [["a1", "a2"]] * 3 + [["b1"]] * 3


@every_method
def test_colluding_owners_are_one(method: Any) -> None:
    rows = [["a1", "b1"], ["a2", "b2"], ["a1", "b1", "u1"]]
    apart = method(threshold=0.5).anonymize(trajectories(rows, None))
    together = method(threshold=0.5, collude="A,B").anonymize(trajectories(rows, None))
    assert together.holds
    assert together.method.guarantees[0].collude == "A,B"
    assert ["a2", "b2"] in together.data.to_lists()
    assert ["a2", "b2"] not in apart.data.to_lists()
    with pytest.raises(ParameterError, match="collude"):
        method(threshold=0.5, collude="A")


@every_method
def test_one_owner_of_everything_leaves_nothing_to_protect(method: Any) -> None:
    rows = [["a1", "a2"], ["a3"]]
    release = method(threshold=0.1).anonymize(trajectories(rows, None))
    assert release.data.to_lists() == rows
    assert release.counts["changes"] == 0
    assert release.notes == ("nothing to protect: A owns every visited place",)
    secret = method(threshold=0.5).anonymize(trajectories([["a1", "u1"]], None))
    assert secret.data.to_lists() != [["a1", "u1"]]  # what nobody owns is a secret to the one owner there is


@every_method
def test_safe_data_are_published_as_they_are(method: Any) -> None:
    release = method(threshold=0.5).anonymize(trajectories([["a1", "b1"], ["a1"], ["b1"]], None))
    assert release.data.to_lists() == [["a1"], ["a1", "b1"], ["b1"]]
    assert release.notes == ("no owner can infer visits to places of others: everything is published unchanged",)


@every_method
@pytest.mark.parametrize("who", [None, ["p"] * 6], ids=["records", "one person"])
def test_empty_single_and_equal_records(method: Any, who: Any) -> None:
    for rows in ([[]] * 6, [["a1"]] * 6, [["a1", "b1"]] * 6, [["a1", "b1", "a1", "b1"]] + [[]] * 5):
        release = method(threshold=0.5).anonymize(trajectories(rows, who))
        assert release.holds
        if who is not None:
            assert all(len({label[0] for label in row}) == 1 for row in release.data.to_lists())


def test_trajectories_left_empty_are_counted() -> None:
    release = Gsup(threshold=0.5).anonymize(trajectories([["a1", "b1"], [], ["a2", "b1"]], None))
    assert release.counts["suppressed_records"] == 3 - len(release.data)


def test_many_owners_and_long_trajectories() -> None:
    rng = np.random.default_rng(3)
    names = [f"p{number:02}" for number in range(40)]
    places = Places.from_frame({"location": names, "owner": [f"o{number % 13:02}" for number in range(40)]})
    rows = [[names[at] for at in rng.integers(0, 40, rng.integers(1, 60))] for _ in range(30)]
    for method in METHODS:
        release = method(threshold=0.4, batch=5).anonymize(Trajectories.from_lists(rows, places=places))
        assert release.holds
        assert (release.counts["suppressed_visits"] == 0) == (method is Split)


def test_the_report_and_the_directory(tmp_path: Path) -> None:
    release = Split(threshold=0.5).anonymize(figure_1a())
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    certificate = json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert certificate["records"]["split"] == release.counts["split_records"]
    assert "problems" not in json.dumps(certificate["records"])
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["counts"]["split_points"] == len(release.data) - 8
    data = (tmp_path / "out" / "data.csv").read_text().splitlines()
    assert data[0] == "trajectory,step,location"
    assert len({line.split(",")[0] for line in data[1:]}) == len(release.data)


def test_shares_are_compared_as_fractions() -> None:
    assert quotas(0.3, 11)[10] == 3
    assert quotas(0.6666666666666667, 4).tolist() == [0, 0, 1, 2]
    assert quotas(2 / 3, 4).tolist() == [0, 0, 1, 1]  # by its digits, which are less than two thirds
    assert quotas(1.0, 4).tolist() == [0, 1, 2, 3]
    assert quotas(0.29, 101)[100] == 29  # 0.29 * 100 is 28.999...


@every_method
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"threshold": 0}, "threshold must be a number above 0 and at most 1, got 0"),
        ({"threshold": 1.5}, "threshold must be a number above 0 and at most 1, got 1.5"),
        ({"batch": 0}, "batch must be a whole number of at least 1, got 0"),
    ],
)
def test_parameters_are_refused_in_one_sentence(method: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        method(**values)
    assert str(refusal.value) == f"{method.__name__}: {message}"


@every_method
def test_owners_are_needed(method: Any) -> None:
    with pytest.raises(MissingKnowledge, match=f"{method.name}: needs owners"):
        method().anonymize(Trajectories.from_lists([["a", "b"]]))
    unowned = Places.from_frame({"location": PLACES.frame["location"], "x": range(7), "y": range(7)})
    with pytest.raises(MissingKnowledge, match="owners"):
        method().anonymize(Trajectories.from_lists([["a1", "b1"]], places=unowned))
