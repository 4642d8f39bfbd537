"""Worked examples of Gurung et al., "Traffic information publication with privacy preservation", 2014, as corrected."""

from __future__ import annotations

import pytest

from driving import along, drives, published_rows, town
from sfumato import BfP2ka, Icba, RoadTrajectories
from sfumato.privacy import NoInferenceRoute, StrictKAnonymity
from twins.icba import Cluster, edit_distance, is_path, local_error, local_error_by_roads, offending_intersections

TOWN = town("IA JA KA AB BC BD")
FIGURE_1 = [along(way, TOWN) for way in ("IABC", "JABC", "KABC", "ABD")]


def test_figure_1_four_times_abc() -> None:
    data = RoadTrajectories.from_lists(FIGURE_1, network=TOWN)
    release = Icba(k=3).anonymize(data)
    assert published_rows(release.data) == [("all", ("AB+", "BC+"))] * 4
    assert release.holds
    assert release.counts["dummies"] == release.counts["removed_trajectories"] == 0
    assert release.counts["infrequent_roads"] == 4  # from I, J and K to A, and from B to D


def test_figure_1_the_prefix_tree_leaves_nothing_or_an_inference_route() -> None:
    data = RoadTrajectories.from_lists(FIGURE_1, network=TOWN)
    with pytest.raises(Exception, match="leaves nothing to publish"):
        BfP2ka(k=3).anonymize(data.as_trajectories())
    busy = RoadTrajectories.from_lists([along(way, TOWN) for way in ("ABC", "ABC", "ABC", "AB")], network=TOWN)
    rows = BfP2ka(k=3).anonymize(busy.as_trajectories()).data.to_lists()
    published = RoadTrajectories.from_lists(rows, network=TOWN)
    assert sorted(map(len, rows)) == [1, 2, 2, 2]
    verdict = NoInferenceRoute(k=3).check(published)
    assert (verdict.holds, verdict.witnesses[0]["intersection"]) == (False, "B")
    assert offending_intersections(published, 3) == {("all", "B")}
    assert StrictKAnonymity(k=3).check(published).holds is False


def test_section_4_1_edit_distances_are_4_and_2() -> None:
    for one, two, three in ((("n5", "n2", "n3"), ("n1", "n2", "n4"), ("n1", "n2", "n6")), ("42", "13", "15")):
        assert edit_distance(one, two) == 4
        assert edit_distance(two, three) == 2


TRJ1, TRJ2, TRJ3 = (tuple(along(way, town("12 24 47 78 89"))) for way in ("124789", "1247", "2478"))


def error_of(shown: tuple[str, ...], cluster: Cluster, roads: tuple[str, ...]) -> float:
    """Equation 1 inside a cluster."""
    errors = [abs(cluster.total * (r in shown) - cluster.original(r)) / cluster.original(r) for r in roads]
    return sum(errors) / len(errors)


def test_figure_6_the_errors_are_36_and_34_percent() -> None:
    cluster = Cluster([(TRJ1, 10), (TRJ2, 5), (TRJ3, 6)])
    assert [cluster.original(road) for road in TRJ1] == [15, 21, 21, 16, 10]
    assert round(100 * error_of(TRJ1, cluster, TRJ1)) == 36
    assert round(100 * error_of(TRJ1[:-1], cluster, TRJ1)) == 34
    assert cluster.representative() == TRJ1[:-1]  # n8 to n9 is dropped


def test_figure_6_comes_out_of_the_method() -> None:
    net = town("12 24 47 78 89")
    rows = [along(way, net) for way, number in (("124789", 10), ("1247", 5), ("2478", 6)) for _ in range(number)]
    release = Icba(k=10).anonymize(RoadTrajectories.from_lists(rows, network=net))
    assert published_rows(release.data) == [("all", TRJ1[:-1])] * 21


def test_table_1_the_local_error_is_7_2_by_both_equations() -> None:
    cluster = Cluster([(TRJ1, 10), (TRJ2, 5)])
    assert cluster.representative() == TRJ1  # the ends are travelled by 10 of 15
    trimmed = Cluster([(TRJ1[:-1], 10), (TRJ2, 5), (TRJ1[-1:], 0)])  # the representative that Table I takes
    top, bottom = local_error(trimmed, TRJ3, 6, "cluster")
    assert (edit_distance(TRJ1[:-1], TRJ3), bottom) == (1, 5)
    assert top / bottom == local_error_by_roads(trimmed, TRJ3, 6) == 7.2


@pytest.mark.parametrize(("roads", "error"), [("founder", 7.2), ("cluster", 7.2), ("representative", 9.0)])
def test_table_1_the_trimmed_representative_s_roads_give_9(roads: str, error: float) -> None:
    cluster = Cluster([(TRJ1, 10), (TRJ2, 5), (TRJ1[:-1], 6)])
    assert cluster.representative() == TRJ1[:-1]  # as in Table I
    top, bottom = local_error(cluster, TRJ3, 6, roads)
    assert top / bottom == error


@pytest.mark.parametrize("seed", range(3))
def test_section_4_6_no_inference_route_and_only_paths_on_random_networks(seed: int) -> None:
    data = drives(seed, vehicles=200, nodes=9)
    release = Icba(k=5, interval=1800).anonymize(data)
    assert not offending_intersections(release.data, 5)
    assert all(is_path(row, data.network) for row in release.data.to_lists())
