"""Mixed records: diagnoses that depend on age, sex, income and each other."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato.errors import ParameterError
from sfumato.generate import Mixed
from sfumato.generate.people import EDUCATION, MARITAL, draw_people


@pytest.fixture(scope="module")
def town():
    return Mixed(people=20_000).make(seed=1)


def has_group(town, letter: str) -> np.ndarray:
    """Who has at least two diagnoses of a group: one may be there by chance."""
    inside = np.array([name[0] == letter for name in town.items.names])[town.items.codes]
    return np.bincount(town.items.record_of_element()[inside], minlength=len(town)) >= 2


def test_the_shape_is_as_asked(town) -> None:
    assert len(town) == 20_000
    assert town.items.lengths.mean() == pytest.approx(5, rel=0.03)
    assert len(town.items.names) == 600
    assert {name[0] for name in town.items.names} == set("ABCDEFGHIJKLMNOPQRST")
    assert town.items.taxonomy.ancestors("C07") == ("C", "*")
    assert town.table.frame.columns == ["age", "sex", "education", "marital", "income"]
    assert town.table.frame.null_count().sum_horizontal().item() == 0


def test_late_groups_befall_the_old(town) -> None:
    age = town.table["age"].to_numpy()
    for letter in "QRST":
        prone = has_group(town, letter)
        assert prone[age >= 70].mean() > 3 * prone[age < 40].mean()


def test_some_groups_prefer_one_sex(town) -> None:
    woman = (town.table["sex"] == "F").to_numpy()

    def ratio(letter: str) -> float:
        prone = has_group(town, letter)
        return float(prone[woman].mean() / prone[~woman].mean())

    assert all(ratio(letter) > 1.3 for letter in "BEHK")  # every third from B on
    assert all(ratio(letter) < 0.8 for letter in "CFIL")
    assert all(0.8 < ratio(letter) < 1.3 for letter in "ADGJ")


def test_groups_come_together(town) -> None:
    """At one age, whoever has a group has the next one more often; without comorbidity not."""

    def lift(data) -> float:
        age = data.table["age"].to_numpy()
        some = (age >= 45) & (age < 55) & (data.table["sex"] == "F").to_numpy()
        pairs = [(has_group(data, one)[some], has_group(data, other)[some]) for one, other in ("AB", "DE", "GH")]
        return float(np.mean([other[one].mean() / other[~one].mean() for one, other in pairs]))

    assert lift(town) > 1.5
    assert lift(Mixed(people=20_000, comorbidity=1.0).make(seed=1)) == pytest.approx(1, abs=0.2)


def test_the_first_diagnoses_of_a_group_are_the_most_frequent(town) -> None:
    counts = np.bincount(town.items.codes, minlength=len(town.items.names))
    by_name = dict(zip(town.items.names, counts.tolist(), strict=True))
    for letter in "AFKP":
        assert by_name[f"{letter}01"] > by_name[f"{letter}05"] > by_name[f"{letter}30"]


def test_people_are_plausible() -> None:
    people = draw_people(40_000, np.random.default_rng(1))
    frame = people.frame()
    assert frame["sex"].eq("F").mean() == pytest.approx(0.51, abs=0.01)
    assert frame["age"].min() >= 0
    assert frame["age"].max() < 95
    young = frame.filter(pl.col("age") < 16)
    assert set(young["marital"]) == {"single"}
    assert young["income"].max() == 0
    assert set(young["education"]) <= {"none", "primary"}
    middle = dict(
        frame.filter(pl.col("age").is_between(30, 60)).group_by("education").agg(pl.col("income").median()).rows()
    )
    incomes = [middle[level] for level in EDUCATION]
    assert incomes == sorted(incomes)
    assert incomes[3] == pytest.approx(2 * incomes[0], rel=0.1)
    widowed = frame.filter(pl.col("marital") == "widowed")
    assert widowed["age"].mean() > 70
    assert widowed["sex"].eq("F").mean() > 0.6
    assert set(frame["marital"]) == set(MARITAL)


def test_a_seed_repeats_and_another_differs() -> None:
    small = Mixed(people=100)
    assert small.make(seed=1).to_polars().equals(small.make(seed=1).to_polars())
    assert not small.make(seed=1).to_polars().equals(small.make(seed=2).to_polars())


@pytest.mark.parametrize(
    "values", [{"people": 1}, {"mean_codes": 0.0}, {"groups": 1, "codes": 2, "mean_codes": 0.5}, {"groups": 26}]
)
def test_the_smallest_towns(values: dict[str, float]) -> None:
    data = Mixed.from_json({"people": 40, **values}).make(seed=1)
    assert len(data) == len(data.items) == values.get("people", 40)
    if values.get("mean_codes") == 0:
        assert len(data.items.codes) == 0


def test_the_mean_is_met_at_both_ends() -> None:
    for mean in (0.5, 19.0):
        assert Mixed(people=5000, mean_codes=mean).make(seed=1).items.lengths.mean() == pytest.approx(mean, rel=0.06)


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="Mixed: codes must be at least twice the number of groups, 40, got 30"):
        Mixed(codes=30)
    with pytest.raises(ParameterError, match="Mixed: mean_codes must be at most 19 with 20 groups, got 30"):
        Mixed(mean_codes=30)
