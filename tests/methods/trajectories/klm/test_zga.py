"""Zga against its literal twin, and in the cases that ask for thought; what it shares with Sga is tested here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets import persons
from sfumato import Places, SeqAnon, Sga, Taxonomy, Trajectories, Zga
from sfumato.errors import Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.base import Run
from sfumato.methods.record_orders import gray_order
from sfumato.methods.trajectories.klm.clustering import in_clusters
from sfumato.methods.trajectories.klm.soa import _ground
from sfumato.methods.trajectories.klm.unit_order import Organized
from sfumato.threads import use_threads
from sfumato.utility.places.generalization import Displacement, GeneralizedLocations
from twins.soa import Impossible, cluster_labels, soa, soa_clusters

LOCATIONS = "abcdefyz"
WHERE = {name: (index % 3, index // 3) for index, name in enumerate(LOCATIONS)}  # a lattice: distances tie
PLACES = Places.planar(WHERE).with_sensitive("yz")
SECRET = frozenset("yz")


def recoded(release: Any) -> list[list[tuple[str, ...]]]:
    """The published records as members, sorted."""
    members = release.data.members
    return sorted([tuple(sorted(members.get(label, (label,)))) for label in row] for row in release.data.to_lists())


def plain(rows: list[list[frozenset[str]]]) -> list[list[tuple[str, ...]]]:
    return sorted([tuple(sorted(label)) for label in row] for row in rows if row)


def records() -> st.SearchStrategy[list[list[str]]]:
    """Sensitive visits are rarer than others, or nothing could be promised."""
    location = st.sampled_from("aabbccddeeffyz")
    return st.lists(st.lists(location, max_size=4), min_size=4, max_size=14)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=records(), k=st.integers(2, 3), l=st.integers(2, 3), m=st.integers(1, 3), draw=st.data())
def test_the_output_is_that_of_the_literal_twin(rows: Any, k: int, l: int, m: int, draw: Any) -> None:  # noqa: E741
    who = draw.draw(persons(len(rows)))
    clusters, top = draw.draw(st.integers(1, 4)), draw.draw(st.none() | st.integers(1, 6))
    data = Trajectories.from_lists(rows, places=PLACES, persons=who)
    units = list(range(len(rows))) if who is None else who
    hiding = {unit for unit, row in zip(units, rows, strict=True) if set(row) - SECRET}
    common = {"k": k, "l": l, "m": m, "clusters": clusters}
    method = Zga(**common) if top is None else Sga(**common, top=top)
    if len(hiding) < clusters * k:
        with pytest.raises(Infeasible, match=r"nonsensitive"):
            method.anonymize(data)
        return
    try:
        made, others, lost = soa_clusters(rows, units, PLACES, SECRET, **common, top=top)
        expected = [record for part in made for unit in part for record in unit] + others
    except Impossible:
        with pytest.raises(Infeasible, match=rf"l={l} allows .* in at most one of {l}"):
            method.anonymize(data)
        return
    release = method.anonymize(data)
    assert recoded(release) == plain(expected)
    assert release.counts["suppressed_visits"] == lost
    assert (release.counts["clusters"], release.counts["cluster_labels"]) == (len(made), cluster_labels(made))
    per_cluster = GeneralizedLocations(per="cluster")(data, release).value
    assert per_cluster == pytest.approx(cluster_labels(made) / len(made))
    assert release.counts["suppressed_records"] == sum(not row for row in expected)
    assert release.holds


def crowd(seed: int, n: int = 400, n_locations: int = 90) -> Trajectories:
    rng = np.random.default_rng(seed)
    names = [f"p{number:03}" for number in range(n_locations)]
    places = Places.planar({name: tuple(rng.integers(0, 12, 2)) for name in names}).with_sensitive(names[7::18])
    rows = [[names[i] for i in (rng.zipf(1.3, rng.integers(1, 5)) - 1) % n_locations] for _ in range(n)]
    return Trajectories.from_lists(rows, places=places)


@pytest.mark.parametrize("clusters", [1, 3])
def test_larger_data_with_many_merges_agree_with_the_twin(clusters: int) -> None:
    """Enough locations for rows of distances, grown tables and labels of many members."""
    data = crowd(clusters, 120)
    expected, lost = soa(
        data.to_lists(), list(range(len(data))), data.places, data.sensitive, k=3, l=2, m=2, clusters=clusters
    )
    release = Zga(k=3, l=2, m=2, clusters=clusters).anonymize(data)
    assert lost == 0
    assert recoded(release) == plain(expected)


def test_the_number_of_threads_does_not_show() -> None:
    data = crowd(1)
    organized = Organized(data, np.array([name in data.sensitive for name in data.names]))
    method = Zga(k=3, l=2, m=2, clusters=9)
    keys = method.select(organized, Run())
    visits, records = organized.in_order(gray_order(*keys, organized.by_content()))
    with use_threads(1):
        one = in_clusters(_ground(organized, visits, records, method), 9, Run())
    with use_threads(4):
        many = in_clusters(_ground(organized, visits, records, method), 9, Run())
    assert one.bounds.tolist() == many.bounds.tolist()
    for alone, beside in zip(one.recoded, many.recoded, strict=True):
        assert alone.first.tolist() == beside.first.tolist()


def test_auto_displaces_no_more_than_what_it_tried() -> None:
    data = crowd(2)
    found = {
        clusters: Displacement()(data, Zga(k=3, l=2, m=2, clusters=clusters).anonymize(data)).value
        for clusters in ("auto", 1, 2, 4, 8)
    }
    assert found["auto"] <= min(found.values()) + 1e-9


def test_the_same_members_make_the_same_label_in_every_cluster() -> None:
    """Two clusters far apart in Gray order that merge the same two locations."""
    rows = [["a"], ["b"]] * 2 + [["a", "f"], ["b", "f"]] * 2
    release = Zga(k=2, l=2, m=1, clusters=2).anonymize(Trajectories.from_lists(rows, places=PLACES))
    assert len(set(release.data.members.values())) == len(release.data.members)
    assert release.holds


def test_persons_stay_whole_so_that_clusters_count_disjoint_people() -> None:
    """By records, u and w would be in both clusters: each is safe, and together two of three persons share y."""
    rows = [["a", "y"], ["a"], ["a"], ["a", "y"], ["b"], ["b"], ["b"], ["b"]]
    who = list("uvuwvuwx")
    data = Trajectories.from_lists(rows, persons=who, places=PLACES)
    for clusters in (1, 2):
        assert Zga(k=2, l=2, m=2, clusters=clusters).anonymize(data).holds


def test_sensitive_places_and_places_with_a_flag_but_no_visit() -> None:
    data = Trajectories.from_lists([["a", "b"], ["b", "c"], ["c"]], places=PLACES)
    release = Zga(k=2, l=2, m=1, clusters=1).anonymize(data)
    plain_km = SeqAnon(k=2, m=1).anonymize(data)
    assert recoded(release) == recoded(plain_km)  # without sensitive visits it is k^m-anonymity
    with_secrets = Trajectories.from_lists([["a", "y", "b"], ["b", "a"], ["y"], ["z", "y"]], places=PLACES)
    release = Zga(k=2, l=2, m=1, clusters=1).anonymize(with_secrets)
    assert [row for row in release.data.to_lists() if set(row) <= SECRET] == [["y"], ["z", "y"]]
    assert release.holds


def test_flags_of_a_taxonomy_are_published_as_flags_of_places(tmp_path: Any) -> None:
    from sfumato import verify

    tree = Taxonomy({"all": None, "clinics": "all"} | dict.fromkeys("abcdef", "all") | dict.fromkeys("yz", "clinics"),
                    sensitive=["clinics"])  # fmt: skip
    data = Trajectories.from_lists([["a", "y"], ["a"], ["a", "b"], ["b"]], places=WHERE, taxonomy=tree)
    Zga(k=2, l=2, m=1).anonymize(data).write(tmp_path / "out")
    flags = (tmp_path / "out" / "context" / "places.csv").read_text().splitlines()
    assert flags == ["location,sensitive", *(f"{name},{str(name in 'yz').lower()}" for name in LOCATIONS)]
    assert [verdict.holds for _, verdict in verify(tmp_path / "out").verdicts] == [True]


def test_the_origin_leads_back_to_the_visit() -> None:
    data = crowd(3)
    release = Zga(k=3, l=2, m=2, clusters=5).anonymize(data)
    for published, private in zip(release.data.codes, release.origin, strict=True):
        label = release.data.names[published]
        assert data.names[data.codes[private]] in release.data.members.get(label, (label,))
    assert sorted(release.origin.tolist()) == list(range(len(data.codes)))


def test_unsafe_clusters_join_their_neighbours() -> None:
    """Everybody in the first of three clusters was at y: alone it can promise nothing about it."""
    rows = [["a", "y"]] * 2 + [["b"]] * 2 + [["c"]] * 2
    release = Zga(k=2, l=2, m=1, clusters=3).anonymize(Trajectories.from_lists(rows, places=PLACES))
    assert release.data.members == {"g1": ("a", "b")}
    assert release.holds


def test_visits_are_suppressed_fewest_first_where_merging_cannot_help() -> None:
    """Of four who have two visits, three were at y; one label is left, so y is hidden where it costs one visit."""
    rows = [["a", "b", "y", "y"], ["b", "a", "y"], ["a", "b"], ["a", "a", "y", "y"]] + [["b"]] * 4
    release = Zga(k=2, l=2, m=2, clusters=1).anonymize(Trajectories.from_lists(rows, places=PLACES))
    assert release.counts["suppressed_visits"] == 1
    assert sorted(map(len, release.data.to_lists())) == [1, 1, 1, 1, 2, 2, 4, 4]
    assert release.holds


def test_visits_beyond_what_k_have_are_suppressed() -> None:
    data = Trajectories.from_lists([["a", "b", "y"], ["c"], ["c"], ["d"]], places=PLACES)
    release = Zga(k=2, l=2, m=2, clusters=1).anonymize(data)
    assert release.counts["suppressed_visits"] == 1
    assert release.data.to_lists() == [["g1"], ["g1"], ["g1"], ["g1", "y"]]
    assert release.holds


def test_diversity_that_a_later_merge_breaks_is_repaired() -> None:
    """(d,d,y), (d,a), (y,a) with k = l = m = 2: one sweep over the sizes would end unsafe."""
    data = Trajectories.from_lists([["d", "d", "y"], ["d", "a"], ["y", "a"], ["a"]], places=PLACES)
    assert Zga(k=2, l=2, m=2, clusters=1).anonymize(data).holds


@pytest.mark.parametrize("method", [Zga, Sga])
def test_refusals_are_one_sentence(method: Any) -> None:
    name = method.name
    data = Trajectories.from_lists([["a", "y"], ["a"], ["b"], ["b", "y"], ["a", "y"]], places=PLACES)
    for values, given_data, error, message in [
        (
            {"clusters": 3},
            data,
            Infeasible,
            f"{name}: clusters=3 of at least k=2 records need 6 records with a nonsensitive visit, these data have 5; "
            "take at most 2 clusters, or auto",
        ),
        (
            {"k": 6},
            data,
            Infeasible,
            f"{name}: k=6 needs at least 6 records with a nonsensitive visit, these data have 5",
        ),
        (
            {},
            data,
            Infeasible,
            f"{name}: l=2 allows the same sensitive location in at most one of 2 records, these data have it in 3 of "
            "5; flag other locations",
        ),
        (
            {},
            Trajectories.from_lists([["y"], ["z"]], places=PLACES),
            Infeasible,
            f"{name}: wanted visits to nonsensitive locations for k=2 records to share, found sensitive ones only; "
            "flag fewer locations as sensitive",
        ),
        (
            {},
            Trajectories.from_lists([["a"], ["b"]], places=WHERE),
            MissingKnowledge,
            f"{name}: needs sensitive locations, these data carry none; give places with a sensitive column, "
            "or name them",
        ),
    ]:
        with pytest.raises(error) as refusal:
            method(**{"k": 2, "l": 2, "m": 1, **values}).anonymize(given_data)
        assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"l": 1}, "Zga: l must be a whole number of at least 2, got 1"),
        ({"clusters": 0}, "Zga: clusters must be a whole number of at least 1, or 'auto', got 0"),
        ({"clusters": "five"}, "Zga: clusters must be a whole number of at least 1, or 'auto', got 'five'"),
    ],
)
def test_parameters_are_refused_in_one_sentence(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Zga(**{"k": 2, "l": 2, "m": 1, **values})
    assert str(refusal.value) == message


def test_places_of_sensitive_locations_need_no_neighbourhood() -> None:
    """Coordinates of sensitive locations are never looked at."""
    far = replace(PLACES, frame=PLACES.frame.with_columns(x=PLACES.frame["x"] * 1.0))
    rows = [["a", "y"], ["a"], ["b"], ["b"]]
    moved = Places.planar({**WHERE, "y": (1e9, -1e9)}).with_sensitive("yz")
    one, other = (Zga(k=2, l=2, m=1).anonymize(Trajectories.from_lists(rows, places=places)) for places in (far, moved))
    assert recoded(one) == recoded(other)
