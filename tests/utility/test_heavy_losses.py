"""Near-total loss: the figures by brute force, the thresholds, and what is named."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from sfumato import Chunks, Cluster, Incognito, Mixed, Table, Trajectories, Transactions
from sfumato.utility.base import PublishedOnly
from sfumato.utility.heavy_losses import THRESHOLDS, HeavyLoss, heavy_losses, losses
from sfumato.utility.tables import Ncp


def of(found: tuple[HeavyLoss, ...], measure: str) -> HeavyLoss:
    return next(loss for loss in found if loss.measure == measure)


@pytest.mark.parametrize("seed", range(8))
def test_labels_and_cover_by_brute_force(seed: int) -> None:
    chance = Random(seed)
    rows = [[chance.choice("abcdefghij") for _ in range(chance.randint(1, 5))] for _ in range(30)]
    group = {name: f"g{chance.randrange(3)}" for name in "abcdefghij"}
    lone = {name for name in group if list(group.values()).count(group[name]) == 1}
    label = {name: name if name in lone else group[name] for name in group}
    members = {
        text: tuple(n for n in group if label[n] == text) for text in set(label.values()) if text in group.values()
    }
    published = [[label[name] for name in row if chance.random() < 0.7] for row in rows]
    original = Trajectories.from_lists(rows)
    release = replace(Trajectories.from_lists(published), members=members)
    values = {name for row in rows for name in row}
    visits = [text for row in published for text in row]
    covered = [len(values & set(members.get(text, (text,)))) for text in visits]
    found = losses(original, release)
    assert of(found, "labels").value == pytest.approx(1 - len(set(visits)) / len(values))
    expected = np.mean([number / len(values) if number > 1 else 0 for number in covered])
    assert of(found, "cover").value == pytest.approx(expected)
    assert of(found, "suppressed").value == pytest.approx(1 - len(visits) / sum(map(len, rows)))


def test_a_dummy_is_no_published_visit() -> None:
    original = Trajectories.from_lists([["a"] * 20])
    release = PublishedOnly(Trajectories.from_lists([["a"] * 20]))
    object.__setattr__(release, "origin", np.array([0] + [-1] * 19))
    loss = of(losses(original, release), "suppressed")
    assert loss.value == pytest.approx(0.95)
    assert loss.sentence == "95 % of the visits are suppressed"


@pytest.mark.parametrize(("labels", "heavy"), [(1, True), (2, True), (3, False)])
def test_one_label_for_a_hundred_places_is_near_total(labels: int, heavy: bool) -> None:
    names = [f"p{number:03}" for number in range(200)]
    original = Trajectories.from_lists([names])
    members = {f"g{number}": tuple(names[number::labels]) for number in range(labels)}
    release = replace(Trajectories.from_lists([[f"g{at % labels}" for at in range(200)]]), members=members)
    assert [loss.sentence for loss in heavy_losses(original, release)] == (
        [f"200 places -> {labels} label{'s' if labels > 1 else ''}"] if heavy else []
    )


def test_a_label_over_half_of_the_places_is_near_total() -> None:
    names = list("abcdefgh")
    release = replace(Trajectories.from_lists(["g" * 6 + "gh"]), members={"g": tuple("abcdefg")})
    (loss,) = heavy_losses(Trajectories.from_lists([names]), release)
    assert loss.sentence == "8 places -> 2 labels; a label stands for 77 % of the places on average"
    assert loss.measure == "cover"
    assert loss.value == pytest.approx(7 / 8 * 7 / 8)


@pytest.mark.parametrize(("kept", "heavy"), [(10, False), (9, True), (0, True)])
def test_suppressed_visits(kept: int, heavy: bool) -> None:
    original = Trajectories.from_lists([["a", "b"] * 50])
    found = heavy_losses(original, Trajectories.from_lists([["a"] * kept]))
    assert [loss.sentence for loss in found] == ([f"{100 - kept} % of the visits are not published"] if heavy else [])


def test_items_of_a_record_may_share_a_label_without_being_suppressed() -> None:
    original = Transactions.from_lists([["a", "b", "c"]] * 4)
    release = replace(Transactions.from_lists([["g"]] * 4), members={"g": ("a", "b", "c")})
    assert of(losses(original, release), "suppressed").value == 0
    assert [loss.sentence for loss in heavy_losses(original, release)] == ["3 items -> 1 label"]
    gone = replace(Transactions.from_lists([["a"]] * 4), members={})
    assert of(losses(original, gone), "suppressed").value == pytest.approx(2 / 3)


def test_columns_by_ncp() -> None:
    chance = Random(3)
    people = Table(
        {"age": [chance.randrange(90) for _ in range(60)], "town": [chance.choice("abc") for _ in range(60)]},
        quasi_identifiers=("age", "town"),
    )
    release = Incognito(k=20).anonymize(people)
    found = {loss.subject: loss.value for loss in losses(people, release) if loss.measure == "column"}
    assert np.mean(list(found.values())) == pytest.approx(Ncp()(people, release).value)
    by_name = {loss.subject: loss.sentence for loss in heavy_losses(people, release)}
    for column, value in found.items():
        assert (column in by_name) == (value > THRESHOLDS["column"])
    starred = Table({"age": people["age"], "town": ["*"] * 60}, members={"town": {"*": ("a", "b", "c")}})
    shown = heavy_losses(people, starred)
    assert [loss.sentence for loss in shown if loss.subject == "town"] == ["column town: every value is '*'"]


def test_where_rows_are_suppressed_the_columns_are_not_named_one_by_one() -> None:
    people = Table({"age": list(range(100)), "town": list("ab") * 50})
    release = Table({"age": [3], "town": ["b"]})
    assert [loss.sentence for loss in heavy_losses(people, release)] == ["99 % of the rows are suppressed"]


def test_items_of_mixed_records_carry_the_name_of_their_column() -> None:
    table = Table({"age": [30, 31, 30, 31]})
    items = Transactions.from_lists([["a", "b"], ["c"], ["d"], ["a"]])
    published = replace(Transactions.from_lists([["*"]] * 4), members={"*": ("a", "b", "c", "d")})
    found = heavy_losses(Mixed(table, items, "diagnoses"), Mixed(table, published, "diagnoses"))
    assert [loss.sentence for loss in found] == ["diagnoses: 4 items -> 1 label"]


def test_items_in_term_chunks() -> None:
    original = Transactions.from_lists([["a", "b", "c", "d"]] * 5)
    apart = Chunks.of([{"size": 5, "chunks": [[["a"]]], "terms": ["b", "c", "d"]}])
    (loss,) = heavy_losses(original, apart)
    assert loss.sentence == "95 % of the items are in term chunks, which state no counts"
    together = Chunks.of([{"size": 5, "chunks": [[["a", "b", "c", "d"]] * 5]}])
    assert not heavy_losses(original, together)


def test_unchanged_data_and_empty_data_lose_nothing() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["c"]])
    assert not heavy_losses(walks, walks)
    empty = Trajectories.from_lists([])
    assert not heavy_losses(empty, empty)
    people = Table({"age": [30, 30, 31, 31]})
    assert not heavy_losses(people, Cluster(k=2).anonymize(people))
