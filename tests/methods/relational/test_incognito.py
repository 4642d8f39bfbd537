"""Incognito against every combination of levels tried by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import BottomUp, Incognito, Table, Taxonomy, TopDown
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.relational.information_loss import LOSSES
from sfumato.utility.tables import Ncp
from tabled import numbers, people, tables
from twins.tables import full_domain


@settings(max_examples=60, deadline=None)
@given(
    table=tables() | numbers(),
    k=st.integers(2, 4),
    share=st.sampled_from([0.0, 0.1, 0.34, 1.0]),
    measure=st.sampled_from(LOSSES),
)
def test_the_best_of_all_combinations(table: Table, k: int, share: float, measure: str) -> None:
    limit = int(share * len(table) + 1e-9)
    method = Incognito(k=k, suppression=share, minimize=measure)
    if len(set(table.units.tolist())) < k:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    safe, best = full_domain(table, k, limit, measure)
    release = method.anonymize(table)
    assert release.holds
    least = {node for node in safe if not any(tuple(np.subtract(node, step)) in safe for step in np.eye(3, dtype=int))}
    assert {tuple(found.values()) for found in method.minimal(table)} == least
    chosen = tuple(int(part.split()[-3]) for part in release.notes[0].removeprefix("levels chosen: ").split(", "))
    assert chosen in safe
    assert release.counts["suppressed_records"] == best[1]
    assert chosen == best[2]


def test_a_table_worked_out_by_hand() -> None:
    """Two joiners and two turners, in Rome and Bari, are four smallest classes of one."""
    table = people([("joiner", "Rome", "f"), ("turner", "Bari", "f"), ("joiner", "Bari", "f"), ("turner", "Rome", "f")])
    assert Incognito(k=2).minimal(table) == [{"job": 0, "town": 1, "sex": 0}, {"job": 1, "town": 0, "sex": 0}]
    release = Incognito(k=2).anonymize(table)  # 2 of 4 leaves of job cost less than 2 of 3 of town
    assert release.data.frame.rows() == [("wood", "Bari", "f")] * 2 + [("wood", "Rome", "f")] * 2
    assert release.data.members == {"job": {"wood": ("joiner", "turner")}}
    assert release.origin.tolist() == [1, 2, 0, 3]
    assert release.counts == {"suppressed_records": 0, "generalized_cells": 4}
    assert release.notes == ("levels chosen: job 1 of 3, town 0 of 2, sex 0 of 1",)


def test_suppressed_rows_are_no_class() -> None:
    table = people([("joiner", "Rome", "f")] * 3 + [("poet", "Oslo", "m")])
    release = Incognito(k=2, suppression=0.25).anonymize(table)
    assert release.data.frame.rows() == [("joiner", "Rome", "f")] * 3
    assert release.certificate().records == {"published": 3, "suppressed": 1, "added": 0, "split": 0}
    assert release.verdicts[0][1].measured["groups"] == 1
    whole = Incognito(k=2, suppression=0.24).anonymize(table)
    assert whole.counts["suppressed_records"] == 0


def test_a_missing_value_is_a_value_of_its_own() -> None:
    table = people([(None, "Rome", "f"), (None, "Rome", "f"), ("poet", "Rome", "f"), ("poet", "Rome", "f")])
    assert Incognito(k=2).anonymize(table).data["job"].to_list() == [None, None, "poet", "poet"]
    table = people([(None, "Rome", "f"), ("poet", "Rome", "f"), ("poet", "Rome", "f")])
    release = Incognito(k=2).anonymize(table)
    assert release.data["job"].to_list() == ["any"] * 3
    assert release.data.members["job"]["any"] == ("joiner", "turner", "smith", "poet", "(missing)")


def test_persons_count_once() -> None:
    table = people([("joiner", "Rome", "f"), ("joiner", "Rome", "f"), ("turner", "Rome", "f")], ["u", "u", "v"])
    assert Incognito(k=2).anonymize(table).data["job"].unique().to_list() == ["wood"]
    with pytest.raises(Infeasible, match=r"^incognito: k=3 needs at least 3 persons, these data have 2$"):
        Incognito(k=3).anonymize(table)


def test_a_shuffled_index_changes_nothing() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]}, index=[3, 3, 0, 1])
    one = Incognito(k=2).anonymize(frame).data.frame
    assert one.equals(Incognito(k=2).anonymize(frame.iloc[[2, 0, 3, 1]]).data.frame)
    assert one.rows() == [("[30:31]", "*")] * 2 + [("[52:53]", "*")] * 2


def test_diverse_and_close() -> None:
    rows = [("joiner", "Rome", "f"), ("joiner", "Rome", "f"), ("turner", "Rome", "f"), ("turner", "Rome", "f")]
    table = people(rows, ill=["flu", "flu", "hiv", "flu"])
    assert Incognito(k=2).anonymize(table).data["job"].to_list() == ["joiner"] * 2 + ["turner"] * 2
    diverse = Incognito(k=2, l=2).anonymize(table)
    assert diverse.data["job"].to_list() == ["wood"] * 4
    assert [model.name for model, _ in diverse.verdicts] == ["k-anonymity", "l-diversity"]
    assert Incognito(k=2, t=0.25).anonymize(table).data["job"].n_unique() == 2  # 1/4 against 0 and 1/2
    assert Incognito(k=2, t=0.24).anonymize(table).data["job"].to_list() == ["wood"] * 4
    with pytest.raises(Infeasible, match=r"^incognito: k=2 and l=3 are too large for these data"):
        Incognito(k=2, l=3).anonymize(table)
    with pytest.raises(MissingKnowledge, match=r"^incognito: l and t are about sensitive columns"):
        Incognito(k=2, l=2).anonymize(people(rows))


def test_with_t_no_row_is_suppressed() -> None:
    rows = [("joiner", "Rome", "f")] * 3 + [("poet", "Oslo", "m")]
    table = people(rows, ill=["flu"] * 4)
    assert len(Incognito(k=2, suppression=0.5).anonymize(table).data) == 3
    assert len(Incognito(k=2, suppression=0.5, t=0.9).anonymize(table).data) == 4


def test_many_columns_take_several_words() -> None:
    """More than 64 bits of leaves, none of which may be lost."""
    rng = np.random.default_rng(3)
    columns = {f"c{at}": rng.integers(0, 500, 40) for at in range(9)}
    columns["c8"] = np.repeat([7, 9], 20)
    release = Incognito(k=20, minimize="class-size").anonymize(
        Table(columns, hierarchies={name: Taxonomy.balanced([str(n) for n in range(500)], 500) for name in columns})
    )
    assert release.data["c8"].to_list() == [7] * 20 + [9] * 20
    assert release.data["c0"].unique().to_list() == ["*"]


def test_refusals() -> None:
    table = people([("joiner", "Rome", "f")] * 2)
    with pytest.raises(Infeasible, match=r"^incognito: k=3 needs at least 3 rows, these data have 2$"):
        Incognito(k=3).anonymize(table)
    with pytest.raises(ParameterError, match="minimize must be one of 'ncp'"):
        Incognito(k=2, minimize="nonsense")
    with pytest.raises(ParameterError, match="suppression must be a number of at least 0 and at most 1, got 2"):
        Incognito(k=2, suppression=2)
    stranger = people([("joiner", "Rome", "f"), ("baker", "Rome", "f")])
    with pytest.raises(
        DataError,
        match=r"^the table, row 2: the hierarchy of 'job' lacks 1 value that occurs in the data, first seen here$",
    ):
        Incognito(k=2).anonymize(stranger)
    wide = Table({f"c{at}": list(range(100)) for at in range(10)})
    with pytest.raises(
        Infeasible, match=r"^incognito: the levels of 10 quasi-identifiers make [\d,]+ combinations, wanted"
    ):
        Incognito(k=2).anonymize(wide)


def test_a_table_without_quasi_identifiers_is_one_class() -> None:
    table = Table({"ill": ["flu", "flu", "hiv"]}, sensitive=("ill",))
    assert Incognito(k=3).anonymize(table).data["ill"].to_list() == ["flu", "flu", "hiv"]


@pytest.mark.parametrize("method", [Incognito, TopDown, BottomUp])
@pytest.mark.parametrize("missing", [0, 12])
def test_intervals_by_quantiles_publish_no_border_but_those_of_published_labels(
    method: Any, missing: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    pay = [int(value) for value in rng.lognormal(7, 1, 200)] + [None] * missing
    release = method(k=10, intervals="quantiles").anonymize(Table({"pay": pay}))
    assert release.holds
    path = release.write(tmp_path / "out").path
    published = {str(label) for label in release.data["pay"].to_list()}
    assert release.certificate().parameters["intervals"] == "quantiles"
    allowed = published | {member for group in release.data.members.get("pay", {}).values() for member in group}
    for file in [*path.rglob("*.csv"), *path.rglob("*.json")]:
        assert set(re.findall(r"\[[-\d]+:[-\d]+\]", file.read_text())) <= allowed
    wide = method(k=10).anonymize(Table({"pay": pay}))
    assert release.data["pay"].n_unique() > wide.data["pay"].n_unique()  # finer where most people are
    assert Ncp()(Table({"pay": pay}), release).value >= 0  # the labels can be read back
