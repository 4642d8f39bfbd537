"""One person dominates the records: a ratio that holds in persons fails in records, the refusal says so and how to go
on, and what it says helps."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import Mixed, Places, Taxonomy, Trajectories, Transactions
from sfumato.catalogue import method_class
from sfumato.data import Persons
from sfumato.errors import Infeasible
from sfumato.prepare import LimitRecords

WHO = list("uuuvwx")  # u alone has the secret, in three of six records
ITEMS = Taxonomy({"any": None, "tea": "any", "ale": "any", "hiv": "any"})
ROWS = [["tea", "hiv"], ["tea", "hiv"], ["ale", "hiv"], ["tea"], ["ale"], ["tea"]]
PLACES = Places.planar({"tea": (0, 0), "ale": (1, 0), "hiv": (2, 0)}).with_sensitive(["hiv"])
WALKS = Trajectories.from_lists(ROWS, persons=WHO, places=PLACES)
SETS = Transactions.from_lists(ROWS, persons=WHO, taxonomy=ITEMS, sensitive=["hiv"])
PEOPLE = (
    Mixed.from_frame({"age": [30, 31, 32, 33, 34, 35], "items": [" ".join(row) for row in ROWS]}, taxonomy=ITEMS)
    .with_sensitive(["hiv"])
    .with_persons(Persons.of(WHO))
)
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "zga": (WALKS, {}),
    "sga": (WALKS, {}),
    "apriori": (SETS, {}),
    "lra": (SETS, {}),
    "vpa": (SETS, {}),
    "r-first": (PEOPLE, {}),
    "t-first": (PEOPLE, {}),
    "rum-bound": (PEOPLE, {"delta": 1.0}),
    "tum-bound": (PEOPLE, {"delta": 1.0}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_refusal_names_the_remedy_and_the_remedy_helps(name: str) -> None:
    data, more = CASES[name]
    method = method_class(name)(k=2, l=3, m=1, **more)
    with pytest.raises(Infeasible, match=r"records.*keep fewer records of each person"):
        method.anonymize(data)
    limited = LimitRecords(records_per_person=1, seed=1).apply(data).data
    assert method.anonymize(limited, seed=1).holds


@pytest.mark.parametrize("name", CASES)
def test_what_persons_do_not_allow_either_is_said_as_before(name: str) -> None:
    """Three of four persons have the secret: fewer records help nobody."""
    data, more = CASES[name]
    method = method_class(name)(k=2, l=3, m=1, **more)
    with pytest.raises(Infeasible, match=r"persons|lower them") as refused:
        method.anonymize(data.with_persons(Persons.of(list("uvwxxx"))))
    assert "prepare limit" not in str(refused.value)


@pytest.mark.parametrize("name", CASES)
def test_without_persons_nothing_is_said_of_them(name: str) -> None:
    data, more = CASES[name]
    method = method_class(name)(k=2, l=3, m=1, **more)
    with pytest.raises(Infeasible) as refused:
        method.anonymize(data.with_persons(None))
    assert "prepare limit" not in str(refused.value)
