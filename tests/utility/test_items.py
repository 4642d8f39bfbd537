"""Measures of generalized items."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from sfumato import AprioriAnon, Lra, Taxonomy, Transactions
from sfumato.errors import DataError
from sfumato.utility.items import ItemCertaintyPenalty, UtilityLoss
from twins.merging import utility_loss

TREE = Taxonomy.balanced("abcdefgh", 2)


def some_release(method: type, **more: Any) -> tuple[Transactions, Any]:
    chance = Random(8)
    rows = [sorted({chance.choice("abcdefgh") for _ in range(chance.randint(0, 4))}) for _ in range(60)]
    data = Transactions.from_lists(rows, taxonomy=TREE)
    return data, method(k=3, m=2, **more).anonymize(data)


def literal_ncp(original: Transactions, release: Any) -> float:
    """Every occurrence with the label of its own published record."""
    homes = {}
    for at, source in enumerate(release.origin.tolist()):
        homes[int(original.record_of_element()[source])] = int(release.data.record_of_element()[at])
    costs = []
    for number, record in enumerate(original.to_lists()):
        labels = release.data.labels(homes[number]) if number in homes else ()
        for item in record:
            sizes = [len(members) for label in labels if item in (members := release.data.members.get(label, (label,)))]
            costs.append(1.0 if not sizes else (sizes[0] / len(TREE.leaves) if sizes[0] > 1 else 0.0))
    return sum(costs) / len(costs)


@pytest.mark.parametrize(("method", "more"), [(AprioriAnon, {}), (Lra, {"parts": 4})])
def test_ncp_is_that_of_every_occurrence(method: type, more: dict[str, Any]) -> None:
    data, release = some_release(method, **more)
    assert ItemCertaintyPenalty()(data, release).value == pytest.approx(literal_ncp(data, release))


def test_ncp_of_local_recoding_needs_the_run() -> None:
    data, release = some_release(Lra, parts=4)
    files = SimpleNamespace(data=release.data, origin=None)
    with pytest.raises(DataError, match=r"item-ncp: items are published under several labels .* needs the run"):
        ItemCertaintyPenalty()(data, files)


def test_what_is_not_published_costs_all() -> None:
    data = Transactions.from_lists([["a", "b"], ["a"]])
    files = SimpleNamespace(data=Transactions.from_lists([["a"], ["a"]]), origin=None)
    assert ItemCertaintyPenalty()(data, files).value == pytest.approx(1 / 3)
    assert UtilityLoss()(data, files).value == 0.0


def test_utility_loss_is_the_papers_formula() -> None:
    published = Transactions.from_lists([["g", "h", "x"], ["g"], ["x", "y"]])
    published = replace(published, members={"g": ("a", "b"), "h": ("c", "d", "e")})
    expected = ((2**2 - 1 + 2**3 - 1) / (2**6 - 1) + 1 + 0) / 3
    assert UtilityLoss()(published, SimpleNamespace(data=published, origin=None)).value == pytest.approx(expected)


@pytest.mark.parametrize("method", [AprioriAnon, Lra])
@pytest.mark.parametrize("intact", ["free", "printed"])
def test_utility_loss_is_that_of_the_twin(method: type, intact: str) -> None:
    data, release = some_release(method)
    published = release.data
    sizes = [[len(published.members.get(label, (label,))) for label in record] for record in published.to_lists()]
    expected = utility_loss(sizes, printed=intact == "printed")
    assert UtilityLoss(intact=intact)(data, release).value == pytest.approx(expected)


def test_the_printed_formula_charges_an_intact_item() -> None:
    data = Transactions.from_lists([["x"], ["x", "y"], []])
    untouched = SimpleNamespace(data=data, origin=None)
    assert UtilityLoss()(data, untouched).value == 0
    assert UtilityLoss(intact="printed")(data, untouched).value == pytest.approx((1 + 2 / 3 + 0) / 3)
    weighted = UtilityLoss(intact="printed", weights="y=0")(data, untouched).value
    assert weighted == pytest.approx((1 + 1 / 3) / 3)


def test_large_labels_stay_within_numbers() -> None:
    published = Transactions.from_lists([["g", "h"]])
    published = replace(published, members={"g": tuple(map(str, range(5000))), "h": tuple(map(str, range(5000, 9999)))})
    value = UtilityLoss()(published, SimpleNamespace(data=published, origin=None)).value
    assert 0 <= value < 1e-300


def test_empty_data_lose_nothing() -> None:
    nothing = Transactions.from_lists([[]])
    empty = SimpleNamespace(data=nothing.published()[0], origin=None)
    assert ItemCertaintyPenalty()(nothing, empty).value == 0.0
    assert UtilityLoss()(nothing, empty).value == 0.0
