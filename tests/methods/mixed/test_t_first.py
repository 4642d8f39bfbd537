"""TFIRST: the groups of the transaction method, their rows under common labels."""

from __future__ import annotations

import pytest

from mixed_people import people
from sfumato import RFirst, TFirst
from sfumato.errors import Infeasible
from sfumato.utility.items import UtilityLoss


def test_parts_of_lra_are_the_groups() -> None:
    data = people(80)
    release = TFirst(k=3, m=2, transaction={"method": "lra", "parts": 4}).anonymize(data)
    assert release.holds
    assert 1 < release.counts["clusters"] <= 4


@pytest.mark.parametrize("transaction", ["apriori", "vpa", "coat", "pcta"])
def test_other_methods_make_one_group_of_all(transaction: str) -> None:
    release = TFirst(k=3, m=2, transaction=transaction).anonymize(people(40))
    assert release.counts["clusters"] == 1
    assert len(release.data.table.frame.unique()) == 1
    assert release.holds


def test_items_lose_less_than_with_rows_first() -> None:
    data = people(80)
    ul = UtilityLoss()
    items_first = ul(data, TFirst(k=4, m=2, transaction="apriori").anonymize(data)).value
    assert items_first < ul(data, RFirst(k=4, m=2).anonymize(data, seed=1)).value


def test_groups_that_tell_a_secret_are_joined() -> None:
    data = people(80, items=2).with_sensitive(["hiv"])
    release = TFirst(k=3, m=1, l=3, transaction={"method": "lra", "parts": 20}).anonymize(data)
    assert release.holds


def test_a_secret_of_too_many_is_refused() -> None:
    with pytest.raises(Infeasible, match="too large for these data"):
        TFirst(k=2, m=1, l=9).anonymize(people(30).with_sensitive(["flu"]))


def test_without_items_only_the_rows_are_hidden() -> None:
    release = TFirst(k=3, m=2).anonymize(people(10, items=0))
    assert release.holds
    assert release.data.items.names == ()
