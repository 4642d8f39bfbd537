"""ARE, KL divergence and counts of subtrajectories, computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.data import Mixed, Table, Transactions
from sfumato.data.queries import Query
from sfumato.errors import DataError
from sfumato.utility.queries import Are
from sfumato.utility.supports import KlDivergence
from sfumato.utility.workload import Workload

# b and c become one label, so that each is expected in half of the three visits to it
WALKS = Trajectories.from_lists(["ab", "ab", "ac", "a"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})


class Unchanged:
    """A release that publishes the original."""

    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


@pytest.fixture
def release() -> Any:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    return release


def test_are_by_hand(release: Any, tmp_path: Path) -> None:
    asked = Workload(tuple(Query(locations=tuple(text)) for text in ("a", "b", "c", "ab", "ba")))
    asked.save(tmp_path / "w.json")
    score = Are(workload=str(tmp_path / "w.json"))(WALKS, release)
    # a: 4 and 4; b: 2 and 1.5; c: 1 and 1.5; ab: 2 and 1.5; ba: 0 and 0
    assert score.value == pytest.approx((0 + 0.25 + 0.5 + 0.25 + 0) / 5)


def test_a_query_without_answers_divides_by_one(tmp_path: Path, release: Any) -> None:
    data = Trajectories.from_lists(["cb", "bc"], places=WALKS.places)
    Workload((Query(locations=("b", "b")),)).save(tmp_path / "w.json")
    both = SeqAnon(k=2, m=2).anonymize(data)
    expected = both.data.expected_count(Query(locations=("b", "b")))
    assert Are(workload=str(tmp_path / "w.json"))(data, both).value == pytest.approx(expected)
    Workload((Query(locations=("z",)),)).save(tmp_path / "w.json")
    with pytest.raises(DataError, match="wanted a location of the data"):
        Are(workload=str(tmp_path / "w.json"))(WALKS, release)


@pytest.mark.parametrize(
    "data",
    [
        WALKS,
        Transactions.from_lists(["ab", "c"]),
        Table({"age": [1, 2, 3]}),
        Mixed.from_frame({"age": [1, 2], "items": ["a", "b c"]}),
    ],
    ids=lambda data: data.kind,
)
def test_what_is_published_unchanged_loses_nothing(data: Any) -> None:
    assert Are()(data, Unchanged(data)).value == 0
    if data.kind in KlDivergence.kinds:
        assert KlDivergence()(data, Unchanged(data)).value == 0


def test_a_seed_repeats() -> None:
    other = SeqAnon(k=2, m=2).anonymize(WALKS)
    assert Are(seed=3, queries=7)(WALKS, other) == Are(seed=3, queries=7)(WALKS, other)
