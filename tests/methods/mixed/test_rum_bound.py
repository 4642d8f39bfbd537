"""Rum-BOUND: the bound, the literal merging, the baselines, and the refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from mixed_people import people
from sfumato import AprioriAnon, Cluster, Lra, Mixed, RFirst, RumBound, Table, TFirst
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.base import Run
from sfumato.methods.mixed.merge_candidates import Merging
from sfumato.methods.mixed.row_losses import ROW_LOSSES
from sfumato.utility.items import UtilityLoss
from sfumato.utility.tables import AverageClassSize, Discernibility, Ncp
from twins.merging import rmerge, rmerge_steps, utility_loss
from twins.merging import row_loss as literal_loss


def lost(release: Any) -> float:
    """NCP of a release by the measure, which reads its labels alone."""
    return Ncp()(release.original, release).value


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("delta", [0.3, 0.5, 0.8, 1.0])
def test_the_rows_lose_at_most_delta(merge: str, delta: float) -> None:
    for chance in range(4):
        release = RumBound(k=3, m=2, delta=delta, merge=merge, relational="local").anonymize(
            people(60, chance=chance), seed=1
        )
        assert lost(release) <= delta + 1e-9
        assert release.holds


@pytest.mark.parametrize("row_loss", ROW_LOSSES)
@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("chance", range(3))
def test_merging_agrees_with_the_twin(merge: str, chance: int, row_loss: str) -> None:
    data = people(40, chance=chance)
    delta = {"ncp": 0.6, "norm-2": 0.7, "norm-max": 0.9, "discernibility": 0.3, "class-size": 0.25}[row_loss]
    method = RumBound(k=3, m=2, delta=delta, merge=merge, row_loss=row_loss)
    job = method.job(data)
    clusters = method.formed(job, Run(3))
    begun = [rows.tolist() for rows in clusters.rows]
    assert clusters.total == pytest.approx(literal_loss(job.data, begun, row_loss))
    merging = Merging(clusters, job.data.items, job.recoder, merge, True)
    while (pair := merging.next(delta)) is not None:
        merging.merge(*pair)
    found = [clusters.rows[number].tolist() for number in clusters.numbers]
    assert len(found) < len(begun)
    assert clusters.total == pytest.approx(literal_loss(job.data, found, row_loss))
    assert sorted(found) == sorted(sorted(rows) for rows in rmerge(job.data, begun, delta, merge, row_loss))


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("relational", ["local", {"method": "incognito", "suppression": 0.2}])
def test_every_measure_of_rows_is_bounded(merge: str, relational: Any) -> None:
    data = people(60, chance=2)
    for delta in (0.5, 0.8):
        for row_loss, measured in {"discernibility": Discernibility(), "class-size": AverageClassSize()}.items():
            method = RumBound(k=3, m=2, delta=delta, merge=merge, row_loss=row_loss, relational=relational)
            release = method.anonymize(data, seed=1)
            largest = measured(data, _nothing(release)).value
            assert measured(data, release).value <= delta * largest + 1e-9
            assert release.counts["merges"] > 0
            assert release.holds


def _nothing(release: Any) -> Mixed:
    """The same release without any of its rows."""
    return release.data.take(np.arange(0))


@pytest.mark.parametrize("delta", [0.7, 0.9])
def test_norms_are_those_of_the_published_rows(delta: float) -> None:
    data = people(60, chance=2)
    for row_loss in ("norm-2", "norm-max"):
        release = RumBound(k=3, m=2, delta=delta, row_loss=row_loss, relational="local").anonymize(data, seed=1)
        rows = release.data.table
        each = [Ncp()(data.table, Table(pl.concat([rows.frame[[at]]] * len(data)))).value for at in range(len(rows))]
        norm = max(each) if row_loss == "norm-max" else (sum(loss**2 for loss in each) / len(each)) ** 0.5
        assert norm <= delta + 1e-9
        assert release.holds


def test_clusters_under_equal_labels_are_one_class() -> None:
    """Two clusters may both span all ages: discernibility counts them as one class, as a reader does."""
    table = {"age": [1, 9] * 4, "items": ["flu"] * 8}
    data = Mixed.from_frame(table, taxonomy=people(1).taxonomy)
    job = RumBound(k=2, m=1, delta=1).job(data)
    ones, nines = (np.flatnonzero(job.data.table["age"].to_numpy() == age) for age in (1, 9))
    groups = [np.array([one, nine]) for one, nine in zip(ones, nines, strict=True)]
    assert job.clusters(groups, "discernibility").total == 1.0
    assert job.clusters(groups, "class-size").total == 1.0
    assert job.clusters([ones, nines], "discernibility").total == 0.5
    clusters = job.clusters([ones, nines[:2], nines[2:]], "class-size")
    assert clusters.total == 0.5
    assert clusters.with_each(0, np.array([1, 2]))[1].tolist() == [0.5, 0.5]
    assert clusters.with_each(1, np.array([0, 2]))[1].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("intact", ["free", "printed"])
def test_losses_by_merge_are_those_of_the_twin(merge: str, intact: str) -> None:
    data = people(40, chance=1)
    method = RumBound(k=3, m=2, delta=0.8, merge=merge, intact=intact)
    found = method.losses_by_merge(data, seed=3)
    job = method.job(data)
    begun = [rows.tolist() for rows in method.formed(job, Run(3)).rows]
    expected = [_ul(job, clusters, intact) for clusters in rmerge_steps(job.data, begun, 0.8, merge)]
    assert found == pytest.approx(expected)
    release = method.anonymize(data, seed=3)
    assert release.counts["merges"] == len(found) - 1 > 2
    everything_kept = release.counts["suppressed_items"] == 0
    assert not everything_kept or found[-1] == pytest.approx(UtilityLoss(intact=intact)(data, release).value)


def _ul(job: Any, clusters: list[list[int]], intact: str) -> float:
    """UL after each cluster is recoded; a record that loses all its items counts 1."""
    lost = 0.0
    for rows in clusters:
        part = job.recoder.recoded(np.sort(np.array(rows)))
        for row in rows:
            sizes = [len(part.groups[label]) for label in part.label[part.record == row]]
            gone = not sizes and len(job.data.items.labels(row)) > 0
            lost += 1.0 if gone else utility_loss([sizes], printed=intact == "printed")
    return lost / sum(map(len, clusters))


def test_without_btd_candidates_are_recoded() -> None:
    data = people(40)
    for merge in ("t", "rt"):
        one, two = (
            RumBound(k=3, m=1, delta=0.7, merge=merge, btd=btd, relational="local").anonymize(data)
            for btd in (True, False)
        )
        assert one.holds
        assert two.holds
        assert lost(two) <= 0.7
    assert one.counts["merges"] > 0


def test_weights_move_the_bound() -> None:
    data = people(40)
    plain = RumBound(k=3, m=2, delta=0.5, merge="r", relational="local").anonymize(data)
    towns = RumBound(k=3, m=2, delta=0.5, merge="r", relational="local", weights="age=0.01").anonymize(data)
    ranges = [label for label in towns.data.table["age"].to_list() if label is not None and label.startswith("[")]
    assert towns.counts["clusters"] != plain.counts["clusters"]
    assert Ncp(weights="age=0.01")(data, towns).value <= 0.5
    assert len(set(ranges)) < len(set(plain.data.table["age"].to_list()))


@pytest.mark.parametrize("relational", ["cluster", "local", "incognito", "top-down", "bottom-up"])
@pytest.mark.parametrize("transaction", ["apriori", "lra", "vpa", "coat", "pcta"])
def test_any_relational_with_any_transaction_method(relational: str, transaction: str) -> None:
    method = RumBound(k=3, m=2, delta=1, merge="t", relational=relational, transaction=transaction)
    assert method.anonymize(people(30, persons=20), seed=1).holds
    assert RumBound.from_json(json.loads(json.dumps(method.to_json()))) == method


def test_a_part_may_be_given_as_a_method_or_with_parameters() -> None:
    named = RumBound(k=3, m=2, delta=1, transaction={"method": "lra", "parts": 2})
    given = RumBound(k=3, m=2, delta=1, transaction=Lra(k=3, m=2, parts=2), relational=Cluster(k=3))
    assert named == given
    assert given.to_json()["transaction"] == {"method": "lra", "parts": 2}
    assert given.to_json()["relational"] == "cluster"
    assert RumBound(k=3, m=2, delta=1, transaction=AprioriAnon(k=3, m=2)).to_json()["transaction"] == "apriori"


def test_with_l_no_cluster_tells_a_secret() -> None:
    data = people(60, items=2).with_sensitive(["hiv"])
    release = RumBound(k=3, l=3, m=2, delta=1, merge="t").anonymize(data, seed=2)
    assert [model.name for model, _ in release.verdicts] == ["klm-diversity"]
    assert release.holds
    assert "hiv" in release.data.items.names


def test_items_of_too_few_are_suppressed_and_counted() -> None:
    frame = {"age": [20, 20, 20, 70, 70, 70], "items": ["flu gout", "", "", "flu", "flu", "flu"]}
    data = Mixed.from_frame(frame, taxonomy=people(1).taxonomy)
    release = RumBound(k=3, m=1, delta=0.5).anonymize(data, seed=1)
    assert release.counts["suppressed_items"] == 2
    assert release.to_polars().rows() == [(20, "")] * 3 + [(70, "flu")] * 3


def test_labels_never_hold_blanks() -> None:
    from sfumato import Taxonomy

    ills = Taxonomy({"all of them": None, "the lung": "all of them", "flu": "the lung", "cough": "the lung"})
    data = Mixed.from_frame({"age": [1, 1, 1, 1], "items": ["flu", "flu", "flu", "cough"]}, taxonomy=ills)
    release = RumBound(k=2, m=1, delta=1).anonymize(data)
    assert release.data.items.members == {"the_lung": ("flu", "cough")}


def test_groups_of_items_get_one_name_each() -> None:
    release = RumBound(k=3, m=2, delta=0.4, transaction="coat", relational="local").anonymize(people(60))
    groups = list(release.data.items.members.values())
    assert len(set(groups)) == len(groups)
    assert sorted(release.data.items.members) == sorted(f"g{number}" for number in range(1, len(groups) + 1))


def test_a_bound_that_cannot_be_met_says_what_was_reached() -> None:
    with pytest.raises(
        Infeasible, match=r"^rum-bound: delta=0.01 cannot be met, the best loss reached is 0\.\d+ \(NCP"
    ):
        RumBound(k=3, m=2, delta=0.01).anonymize(people(30), seed=1)


@pytest.mark.parametrize("delta", [-0.1, 1.1, float("nan")])
def test_delta_is_a_share(delta: float) -> None:
    with pytest.raises(ParameterError, match=r"^RumBound: delta must be a number of at least 0 and at most 1, got"):
        RumBound(k=2, m=2, delta=delta)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"relational": "apriori"},
            r"RumBound: relational must be a method for tables \(.*\), by name .*got 'apriori'",
        ),
        ({"transaction": "diffpart"}, "RumBound: transaction must be a method for sets of items .*got 'diffpart'"),
        ({"transaction": {"method": "lra", "parts": 0}}, "RumBound: transaction: Lra: parts must be a whole number"),
        ({"transaction": {"method": "lra", "k": 7}}, "RumBound: k of lra must be that of the whole, 2, got 7; leave"),
        ({"transaction": "{broken"}, "RumBound: transaction must be a method"),
        ({"transaction": "coat", "l": 2}, "RumBound: l=2 needs a transaction method that knows sensitive items"),
        (
            {"weights": "age"},
            "RumBound: wanted weights as name=number, from 0 to 1 and separated by commas, found 'age'",
        ),
        ({"weights": "age=2"}, "RumBound: wanted weights as name=number"),
    ],
)
def test_refusals_of_parameters(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}"):
        RumBound(**{"k": 2, "m": 2, "delta": 0.5, **more})


def test_refusals_of_data() -> None:
    method = RumBound(k=5, m=2, delta=1)
    with pytest.raises(Infeasible, match=r"^rum-bound: k=5 needs at least 5 records, these data have 4$"):
        method.anonymize(people(4))
    with pytest.raises(Infeasible, match=r"^rum-bound: k=5 needs at least 5 persons, these data have 1$"):
        method.anonymize(people(9, persons=1))
    bare = people(9)
    with pytest.raises(MissingKnowledge, match=r"^apriori: needs taxonomy"):
        method.anonymize(replace(bare, items=replace(bare.items, taxonomy=None)))
    with pytest.raises(MissingKnowledge, match=r"^rum-bound: l=2 needs sensitive items"):
        RumBound(k=2, l=2, m=2, delta=1).anonymize(bare)
    with pytest.raises(DataError, match=r"^rum-bound: wanted mixed, got table$"):
        method.anonymize(Table({"age": [1, 2]}))
    with pytest.raises(DataError, match=r"^rum-bound: wanted weights of quasi-identifiers, found 'agee'"):
        RumBound(k=2, m=2, delta=1, weights="agee=1").anonymize(bare)
    with pytest.raises(Infeasible, match=r"^rum-bound: k and l are too large for these data"):
        RumBound(k=2, l=9, m=1, delta=1).anonymize(people(30).with_sensitive(["flu"]))


@pytest.mark.parametrize("method", [RumBound(k=2, m=1, delta=1), RFirst(k=2, m=1), TFirst(k=2, m=1)])
def test_no_column_of_the_release_is_a_key(method: Any) -> None:
    frame = {"age": [30] * 4, "number": [1, 2, 3, 4], "items": ["flu"] * 4}
    data = Mixed.from_frame(frame, taxonomy=people(1).taxonomy, quasi_identifiers=("age",))
    with pytest.raises(Infeasible, match=f"^{method.name}: no two rows share a value of the column 'number'"):
        method.anonymize(data)
    assert replace(method, allow_keys=True).anonymize(data).data.table["number"].to_list() == [1, 2, 3, 4]


def test_the_input_may_come_in_any_order() -> None:
    data = people(50, persons=30)
    order = np.random.default_rng(1).permutation(50)
    one, two = (RumBound(k=3, m=2, delta=0.8).anonymize(given, seed=4) for given in (data, data.take(order)))
    assert one.to_polars().equals(two.to_polars())
