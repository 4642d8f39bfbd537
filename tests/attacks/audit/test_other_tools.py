"""Figures that ARX and sdcMicro state in their own tests, computed here from the same data."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato import Table
from sfumato.attacks import TableAudit
from sfumato.attacks.audit.population_models import (
    individual_risks,
    pitman_parameters,
    pitman_uniques,
    zayatz_uniques,
)

# how many equivalence classes of each size the nine columns of ARX's Adult (30,162 rows) have
ADULT = {
    1: 15512, 2: 2098, 3: 754, 4: 375, 5: 189, 6: 155, 7: 97, 8: 73, 9: 39, 10: 37, 11: 29, 12: 18, 13: 23, 14: 14,
    15: 15, 16: 9, 17: 11, 18: 10, 19: 10, 20: 5, 21: 3, 22: 4, 23: 3, 24: 2, 25: 1, 26: 3, 27: 5, 29: 1, 30: 2, 32: 1,
    34: 1, 35: 1, 36: 1, 45: 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def adult() -> np.ndarray:
    return np.repeat(list(ADULT), list(ADULT.values()))


def test_average_risk_and_uniqueness_of_arx(adult: np.ndarray) -> None:
    table = Table({"class": np.repeat(np.arange(len(adult)), adult)})
    risks = TableAudit().run(table)
    assert risks.prosecutor.average == pytest.approx(0.6465751607983555, rel=1e-14)
    assert risks.unique / len(risks) == pytest.approx(0.5142895033485844, rel=1e-14)


@pytest.mark.parametrize(("fraction", "share"), [(0.1, 0.27684993883653597), (0.01, 0.1446083531167384)])
def test_population_uniques_of_arx_by_pitman(adult: np.ndarray, fraction: float, share: float) -> None:
    size = round(int(adult.sum()) / fraction)
    fitted = pitman_parameters(adult)
    assert fitted is not None
    uniques = pitman_uniques(*fitted, size)
    assert uniques is not None
    assert uniques / size == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize(
    ("fraction", "share"), [(0.1, 0.3207402393466189), (0.2, 0.3577099234829125), (1.0, 0.5142895033485844)]
)
def test_population_uniques_of_arx_by_zayatz(adult: np.ndarray, fraction: float, share: float) -> None:
    size = round(int(adult.sum()) / fraction)
    assert zayatz_uniques(adult, size) / size == pytest.approx(share, rel=1e-12)


def test_distinction_and_separation_of_arx() -> None:
    table = Table(
        {
            "age": [20, 30, 40, 20, 40],
            "sex": ["Female", "Female", "Female", "Male", "Male"],
            "state": ["CA", "CA", "TX", "NY", "CA"],
        }
    )
    risks = TableAudit().run(table)
    shown = {row["column"]: (row["distinction"], row["separation"]) for row in risks.columns.to_dicts()}
    assert shown == {"sex": (0.4, 0.6), "state": (0.6, 0.7), "age": (0.6, 0.8)}


def test_individual_risks_of_sdcmicro() -> None:
    # indivRisk(method = "exact"), for classes in the sample and in the population
    stated = [0.01355297, 0.08579129, 0.17707583, 0.01877883, 0.03931625]
    classes = [(3, 108), (1, 45.5), (1, 17), (2, 100), (1, 123.5)]
    computed = [float(individual_risks(np.array([f]), f / weight)[0]) for f, weight in classes]
    assert computed == pytest.approx(stated, abs=5e-9)


def test_suda_scores_of_sdcmicro() -> None:
    rows = [
        ("Urban", "Female", "Secondary incomplete", "Employed"),
        ("Urban", "Female", "Secondary incomplete", "Employed"),
        ("Urban", "Female", "Primary incomplete", "Non-LF"),
        ("Urban", "Male", "Secondary complete", "Employed"),
        ("Rural", "Female", "Secondary complete", "Unemployed"),
        ("Urban", "Male", "Secondary complete", "Employed"),
        ("Urban", "Female", "Primary complete", "Non-LF"),
        ("Urban", "Male", "Post-secondary", "Unemployed"),
        ("Urban", "Female", "Secondary incomplete", "Non-LF"),
        ("Urban", "Female", "Secondary incomplete", "Non-LF"),
    ]
    names = ["residence", "gender", "education", "labor"]
    risks = TableAudit().run(Table(pl.DataFrame(rows, schema=names, orient="row")))
    sets = {tuple(columns): minimal for columns, _, _, minimal in risks.column_sets.iter_rows() if minimal}
    assert sets == {
        ("education",): 3,
        ("residence",): 1,
        ("gender", "labor"): 2,
        ("gender", "education"): 1,
        ("education", "labor"): 1,
        ("residence", "labor"): 1,
    }
    # a minimal sample unique of k of 4 columns scores (4 - k)!; sdcMicro's scores are 6, 12, 6 and 10
    scores = {1: 6, 2: 2, 3: 1}
    assert sum(scores[len(columns)] * count for columns, count in sets.items()) == 6 + 12 + 6 + 10
    assert np.flatnonzero(risks.uniques.fewest).tolist() == [2, 4, 6, 7]
