"""SeqAnon against its literal twin, and in the cases that ask for thought."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import LOCATIONS, PLACES, persons, records
from sfumato import Places, SeqAnon, SeqAnonF, Trajectories
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding

GLOBE = Places.from_frame(
    {"location": list(LOCATIONS), "lat": [40, 40.5, 41, 41, -3.2, 40], "lon": [10, 10, 10, 179.9, -179.9, 11]}
)


def recoded(release: Any) -> list[list[frozenset[str]]]:
    """The published records as sets of members, in some order."""
    members = release.data.members
    return [[frozenset(members.get(label, (label,))) for label in row] for row in release.data.to_lists()]


def same(one: list[list[frozenset[str]]], other: list[list[frozenset[str]]]) -> bool:
    def plain(rows: list[list[frozenset[str]]]) -> list[list[tuple[str, ...]]]:
        return sorted([tuple(sorted(label)) for label in row] for row in rows if row)

    return plain(one) == plain(other)


@pytest.mark.parametrize(("method", "apriori"), [(SeqAnon, True), (SeqAnonF, False)])
@pytest.mark.parametrize("places", [PLACES, GLOBE], ids=["lattice", "globe"])
@settings(max_examples=150, deadline=None)
@given(rows=records(), k=st.integers(2, 4), m=st.integers(1, 3), draw=st.data())
def test_the_output_is_that_of_the_literal_twin(
    method: Any, apriori: bool, places: Places, rows: Any, k: int, m: int, draw: Any
) -> None:
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    data = Trajectories.from_lists(rows, places=places, persons=who)
    if len({unit for unit, row in zip(units, rows, strict=True) if row}) < k:
        with pytest.raises(Infeasible, match=f"k={k} needs at least {k}"):
            method(k=k, m=m).anonymize(data)
        return
    expected, suppressed = oracles.seqanon(rows, units, places, k, m, apriori=apriori)
    release = method(k=k, m=m).anonymize(data)
    assert same(recoded(release), expected)
    assert release.counts["suppressed_visits"] == suppressed
    assert release.counts["suppressed_records"] == sum(not row for row in expected)


@pytest.mark.parametrize("seed", range(3))
def test_larger_data_with_many_merges_agree_with_the_twin(seed: int) -> None:
    """Enough locations for rows of distances, grown tables and labels of many members."""
    rng = np.random.default_rng(seed)
    names = [f"p{number:03}" for number in range(90)]
    places = Places.planar({name: tuple(rng.integers(0, 12, 2)) for name in names})
    rows = [[names[i] for i in (rng.zipf(1.3, rng.integers(1, 5)) - 1) % 90] for _ in range(150)]
    data = Trajectories.from_lists(rows, places=places)
    expected, _ = oracles.seqanon(rows, list(range(len(rows))), places, 3, 2)
    assert same(recoded(SeqAnon(k=3, m=2).anonymize(data)), expected)


@settings(max_examples=60, deadline=None)
@given(rows=records(), who=st.data(), size=st.integers(1, 3))
def test_supports_are_kept_up_to_date_through_merges(rows: Any, who: Any, size: int) -> None:
    units = who.draw(persons(len(rows)))
    data = Trajectories.from_lists(rows, places=PLACES, persons=units)
    recoding = Recoding(data)
    recoding.count(1, size)
    chosen = list(range(len(rows))) if units is None else units
    label = {name: name for name in data.names}
    while len(recoding.active) > 1:
        one, other = int(recoding.active[0]), int(recoding.active[-1])
        merged = {data.names[one], data.names[other]}
        recoding.merge(one, other)
        kept = data.names[int(recoding.active[np.isin(recoding.active, (one, other))][0])]
        label = {name: kept if now in merged else now for name, now in label.items()}
        expected = oracles.supports([[label[name] for name in row] for row in rows], chosen, size)
        keys, counts, *_ = recoding._table
        found = {
            tuple(data.names[code] for code in key if code >= 0): int(count)
            for key, count in zip(keys.tolist(), counts, strict=True)
            if key[0] >= 0 and count > 0
        }
        assert found == expected


def test_the_origin_leads_back_to_the_visit() -> None:
    rows = ["dace", "baec", "ade", "bdec", "dc", "de"]
    data = Trajectories.from_lists(rows, places=PLACES, persons=list("uvuwxy"))
    release = SeqAnon(k=2, m=2).anonymize(data)
    for published, private in zip(release.data.codes, release.origin, strict=True):
        label = release.data.names[published]
        assert data.names[data.codes[private]] in release.data.members.get(label, (label,))
    assert sorted(release.origin.tolist()) == list(range(len(data.codes)))


def test_persons_not_records_are_counted() -> None:
    rows = [["a", "b"]] * 3 + [["c"]] * 3
    alone = ["u", "u", "u", "v", "w", "x"]
    by_record = SeqAnon(k=3, m=2).anonymize(Trajectories.from_lists(rows, places=PLACES))
    by_person = SeqAnon(k=3, m=2).anonymize(Trajectories.from_lists(rows, places=PLACES, persons=alone))
    assert by_record.data.members == {}
    assert by_person.data.members == {"g1": ("a", "b", "c")}
    assert by_person.holds


def test_a_location_called_like_a_label_keeps_its_name() -> None:
    places = {"g1": (0, 0), "x": (1, 0), "y": (9, 0), "g2": (9, 1)}
    data = Trajectories.from_lists([["g1"], ["x"], ["y"], ["g2"]], places=places)
    release = SeqAnon(k=2, m=1).anonymize(data)
    assert release.data.members == {"gg1": ("g1", "x"), "gg2": ("g2", "y")}


def test_locations_that_nobody_visits_are_left_alone() -> None:
    data = Trajectories.from_lists([["a"], ["b"], ["c", "c"]], places=PLACES).take(np.array([0, 1]))
    release = SeqAnon(k=2, m=1).anonymize(data)
    assert release.data.members == {"g1": ("a", "b")}


def test_frames_come_in_and_go_out() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {"trajectory": [1, 1, 2, 2], "location": list("abab"), "x": [0, 1, 0, 1], "y": 0}, index=[9, 9, 3, 1]
    )
    release = SeqAnon(k=2, m=2).anonymize(frame)
    assert release.to_pandas().columns.tolist() == ["trajectory", "location"]
    assert release.to_polars()["location"].to_list() == ["a", "b", "a", "b"]


def test_the_phases_are_timed_and_watched() -> None:
    seen: list[tuple[str, int, int]] = []
    data = Trajectories.from_lists([["a", "b"], ["b", "c"], ["c", "a"]], places=PLACES)
    release = SeqAnon(k=2, m=2).anonymize(data, progress=lambda *said: seen.append(said))
    assert {phase for phase, _, _ in seen} == set(release.seconds)
    assert "verifying" in release.seconds


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k": 1, "m": 2}, "SeqAnon: k must be a whole number of at least 2, got 1"),
        ({"k": 2, "m": 0}, "SeqAnon: m must be a whole number of at least 1, got 0"),
        ({"k": 2.5, "m": 1}, "SeqAnon: k must be a whole number of at least 2, got 2.5"),
        ({"k": "five", "m": 1}, "SeqAnon: k must be a whole number of at least 2, got 'five'"),
        ({"k": True, "m": 1}, "SeqAnon: k must be a whole number of at least 2, got True"),
    ],
)
def test_parameters_are_refused_in_one_sentence(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        SeqAnon(**values)
    assert str(refusal.value) == message


def test_what_the_data_lack_is_said() -> None:
    with pytest.raises(MissingKnowledge, match="seqanon: needs places"):
        SeqAnon(k=2, m=1).anonymize(Trajectories.from_lists([["a"], ["a"]]))
    named = Places.from_frame({"location": ["a"], "owner": ["shop"]})
    with pytest.raises(MissingKnowledge, match="wanted coordinates"):
        SeqAnon(k=2, m=1).anonymize(Trajectories.from_lists([["a"], ["a"]], places=named))
    with pytest.raises(DataError, match="found none for 1 of 2"):
        SeqAnon(k=2, m=1).anonymize(Trajectories.from_lists([["a"], ["z"]], places=PLACES))
    with pytest.raises(Infeasible, match="seqanon: k=3 needs at least 3 records with a visit, these data have 2"):
        SeqAnon(k=3, m=1).anonymize(Trajectories.from_lists([["a"], ["a"], []], places=PLACES))
