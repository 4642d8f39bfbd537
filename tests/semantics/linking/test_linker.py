"""Links of a movement: Algorithm 1 on the small world, random worlds against the listing, events, moves, refusals."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from semantics.linking import small_world
from sfumato.errors import DataError, ParameterError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.linking.linker import Linker, link
from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import Targets
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.vocabulary import BQ
from twins.linking import jaro_winkler, links, metres

SETTINGS = sorted({row[:2] for row in small_world.ALGORITHM_1})


@pytest.mark.parametrize("first", ["near", "similar"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_algorithm_1(first: str, setting: tuple[int, float]) -> None:
    order = list(np.random.default_rng(2).permutation(9))  # the order of rows does not matter
    movement = small_world.movement(order)
    linked = link(movement, small_world.resources(), tau_s=setting[0], tau_t=setting[1], first=first)
    posts = movement.objects["object"].gather(movement.positions["object"])
    rows = sorted(
        (posts[target], value, away, round(similar, 4))
        for target, value, away, similar in linked.links.select("target", "value", "metres", "similarity").iter_rows()
    )
    wanted = []
    for tau_s, tau_t, post, *row in small_world.ALGORITHM_1:
        if (tau_s, tau_t) == setting:
            swapped = small_world.SWAPPED.get((tau_s, tau_t, post)) if first == "similar" else None
            wanted.append((f"p{post}", *(swapped or row)))
    assert rows == sorted(wanted)


def random_world(seed: int) -> tuple[Movement, Resources, list[tuple[int, str, float, float]]]:
    """A movement, places and every pair with its distance and similarity; few names and spots, so that ties occur."""
    rng = np.random.default_rng(seed)
    names = ["lapa", "lapa club", "clube lapa", "rio", "riio"]
    spots = rng.uniform(0, 0.002, (6, 2)).round(4)
    x, y = spots[rng.integers(0, 6, 12)].T
    texts = rng.choice(names, 12)
    movement = Movement.of(
        {"object": ["a"]},
        {"object": [0] * 12, "begin": np.arange(12.0), "x": x, "y": y},
        annotations=pl.DataFrame(
            {"target_kind": "position", "target": range(12), "property": BQ + "ppText", "kind": "text", "value": texts}
        ),
    )
    iris = [f"urn:r{number}" for number in range(8)]
    places = spots[rng.integers(0, 6, 8)]
    labels = [(iri, label) for iri in iris for label in rng.choice(names, 2)]
    resources = Resources.of(
        pl.DataFrame({"resource": iris, "wkt": [f"POINT({x} {y})" for x, y in places.tolist()]}),
        pl.DataFrame(labels, schema=["resource", "label"], orient="row").with_columns(language=pl.lit(None, pl.String)),
    )
    pairs = [
        (
            target,
            iri,
            metres((x[target], y[target]), tuple(place)),
            round(max(jaro_winkler(texts[target], label) for owner, label in labels if owner == iri), 12),
        )
        for target in range(12)
        for iri, place in zip(iris, places, strict=True)
    ]
    return movement, resources, pairs


@pytest.mark.parametrize("first", ["near", "similar"])
@pytest.mark.parametrize("seed", range(3))
def test_random_worlds_as_in_the_listing(first: str, seed: int) -> None:
    movement, resources, pairs = random_world(seed)
    for tau_s, tau_t in [(0, 0.0), (60, 0.8), (150, 0.9), (400, 1.0), (400, 0.0)]:
        near = [pair for pair in pairs if pair[2] <= tau_s and pair[3] >= tau_t]
        linked = link(movement, resources, tau_s=tau_s, tau_t=tau_t, first=first)
        assert linked.links.select("target", "value").rows() == links(near, first)
        assert linked.counts["candidates"] == len(near)
        every = link(movement, resources, tau_s=tau_s, tau_t=tau_t, first="all").links
        assert every.select("target", "value").rows() == sorted((pair[0], pair[1]) for pair in near)


def test_a_link_is_an_annotation_with_its_scores_and_source() -> None:
    movement = small_world.movement()
    linked = link(movement, small_world.resources())
    added = linked.movement.annotations.filter(pl.col("kind") == "resource")
    assert added.row(0, named=True) == {
        "target_kind": "position",
        "target": 0,
        "property": BQ + "visits",
        "kind": "resource",
        "value": "rio:sc_pub",
        "number": None,
        "language": None,
        "metres": 10.008,
        "similarity": 1.0,
        "source": "link tau_s=16 tau_t=0.9 first=near names=place compare=names",
    }
    assert len(movement.annotations) == 9  # the movement itself is unchanged
    assert linked.counts == {
        "targets": 9, "with_texts": 9, "resources": 18, "candidates": 7, "linked": 5, "several": 1, "visits": 6,
    }  # fmt: skip


def walk() -> Movement:
    """A stop at the pub, a move, and a stop at the market; names in tags."""
    x = [-43.2205] * 2 + [-43.2205, -43.2205] + [-43.2205] * 2
    y = [-22.8993, -22.89925, -22.899, -22.8985, -22.898, -22.89803]
    tags = [(0, "SC Pub"), (1, "beer"), (4, "sc market"), (5, "rio"), (5, "SC market")]
    return Movement.of(
        {"object": ["ana"]},
        {"object": [0] * 6, "begin": [0, 1800, 2400, 3000, 3600, 7200], "x": x, "y": y},
        {
            "object": ["ana"] * 4,
            "type": ["TRAIL", "STOP", "MOVE", "STOP"],
            "first": [0, 0, 2, 4],
            "last": [5, 1, 3, 5],
        },
        annotations=[
            {"target_kind": "position", "target": row, "property": BQ + "tag", "kind": "tag", "value": tag}
            for row, tag in tags
        ],
    )


def events() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "resource": ["urn:festival", "urn:touching", "urn:elsewhere", "urn:anywhere"],
            "begin": [5000.0, 7200.0, 0.0, 0.0],
            "end": [9000.0, 9000.0, 9000.0, 9000.0],
            "place": ["rio:sc_market", "rio:sc_market", "rio:sun_hotel", None],
        }
    )


def test_stops_by_tags_with_events_and_the_ends_of_moves() -> None:
    movement = walk()
    linked = link(movement, small_world.resources(events=events()), on="stops", names="tags", tau_s=30)
    rows = linked.links.select("target", "property", "value").rows()
    assert rows == [
        (1, BQ + "visits", "rio:sc_pub"),
        (3, BQ + "visits", "rio:sc_market"),
        (3, BQ + "takesPartIn", "urn:festival"),
        (2, BQ + "comesFrom", "rio:sc_pub"),
        (2, BQ + "goesTo", "rio:sc_market"),
    ]
    assert set(linked.links["target_kind"]) == {"segment"}
    stops = 2 + 18  # two sets of tags, eighteen of labels
    rare = math.log(1 + stops / 1)
    both = math.log(1 + stops / 3)  # the pub's tag and its two labels
    assert linked.links["similarity"][0] == pytest.approx(both / math.hypot(both, rare))
    plain = link(movement, small_world.resources(events=events()), on="stops", names="tags", tau_s=30,
                 events=False, moves=False, near_property="isAt")  # fmt: skip
    assert plain.links["property"].to_list() == [BQ + "isAt"] * 2


def test_distance_alone_and_names_that_are_far() -> None:
    movement = small_world.movement()
    near = link(movement, small_world.resources(), names="none", tau_s=16)
    assert near.links["similarity"].null_count() == len(near.links)
    assert near.counts["linked"] == 7
    far = link(movement, small_world.resources(), tau_s=16, far_property="mentions")
    mentions = far.links.filter(pl.col("property") == BQ + "mentions")
    assert mentions.select("target", "value").rows() == [(1, "rio:sc_market"), (7, "rio:ipanema_beach")]
    assert mentions["metres"].null_count() == 2
    assert far.counts["mentions"] == 2


def test_languages_of_labels() -> None:
    tables = small_world.frames()
    portuguese = Resources.of(tables["geometries"], tables["labels"], languages=["pt"])
    linked = link(small_world.movement(), portuguese, tau_s=1024, tau_t=0.9)
    assert linked.links["value"].to_list() == [
        "rio:sc_restaurant_2",
        "rio:lapa_club",
        "rio:lapa_club_way",
        "dbr:Maracanã",
    ]
    with pytest.raises(DataError, match=r"languages: wanted labels in 'fi', found labels in en, pt$"):
        Resources.of(tables["geometries"], tables["labels"], languages=["pt", "fi"])


@pytest.mark.parametrize(
    ("stages", "text"), [("stem", "the Beaches of Rio"), ("frequent-words", "at Beach in the Rio")]
)
def test_stages_also_change_labels(stages: str, text: str) -> None:
    """A text and a label that a stage makes equal are equal; so are those that were equal before."""
    if stages == "stem":
        pytest.importorskip("snowballstemmer")
    label = "the beach of Rio"
    resources = Resources.of(
        pl.DataFrame({"resource": ["beach"], "wkt": ["POINT(0 0)"]}),
        pl.DataFrame({"resource": ["beach"], "label": [label], "language": ["en"]}),
    )
    texts = pl.DataFrame({"owner": [0, 1], "text": [text, label]})
    targets = Targets("position", np.arange(2), np.zeros((2, 2)), np.zeros(2), np.zeros(2), texts)
    linked = {
        name: Linker(tau_t=1, stages=name).candidates(targets, resources)["target"].to_list() for name in ("", stages)
    }
    assert linked == {"": [1], stages: [0, 1]}


def test_a_knowledge_base_without_places(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    refused = pytest.raises(DataError, match="wanted places with a geometry in the knowledge base, found none")
    with KnowledgeBase.create(tmp_path / "kb") as kb, refused:
        link(small_world.movement(), kb)


def test_texts_of_a_property_and_stages() -> None:
    movement = small_world.movement()
    assert len(link(movement, small_world.resources(), names="ppText").links) == 6
    assert len(link(movement, small_world.resources(), names="bq:ppText", stages="clean,frequent-words").links) > 0
    for names in ("tags", "text", "bq:title"):
        with pytest.raises(DataError, match=f"wanted texts of '{names}' to compare with labels, found texts of place$"):
            link(movement, small_world.resources(), names=names)
    bare = Movement.of({"object": ["a"]}, {"object": [0], "begin": [0], "x": [0.0], "y": [0.0]})
    with pytest.raises(DataError, match=r"wanted texts of 'place' to compare with labels, found no texts$"):
        link(bare, small_world.resources())
    with pytest.raises(ParameterError, match="no stage is called 'cleen'; did you mean 'clean'"):
        link(movement, small_world.resources(), stages="cleen")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tau_s": -1}, "tau_s must be a number of at least 0"),
        ({"tau_t": 1.5}, "tau_t must be a number of at least 0 and at most 1"),
        ({"first": "far"}, "first must be one of 'near', 'similar', 'all'"),
    ],
)
def test_parameters_are_checked(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Linker(**wrong)  # type: ignore[arg-type]


def test_positions_on_a_plane_are_refused() -> None:
    flat = Movement.of({"object": ["a"]}, {"object": [0], "begin": [0], "x": [0.0], "y": [0.0]}, geographic=False)
    with pytest.raises(DataError, match="wanted positions in longitude and latitude"):
        link(flat, small_world.resources(), names="none")


def test_a_movement_without_stops_has_no_stops_to_link() -> None:
    with pytest.raises(DataError, match="link: wanted stops, found a movement without stops"):
        link(small_world.movement(), small_world.resources(), on="stops", names="none")


def test_an_empty_movement_and_an_empty_knowledge_base() -> None:
    tables = small_world.frames()
    empty = Resources.of(tables["geometries"].clear(), tables["labels"].clear())
    assert link(small_world.movement(), empty).links.is_empty()
    nothing = Movement.of({"object": []}, None)
    assert link(nothing, small_world.resources()).counts["targets"] == 0


def test_a_linked_place_shares_the_class_that_is_stated() -> None:
    movement = small_world.movement()
    stated = [
        {"target_kind": "position", "target": row, "property": BQ + "placeKind", "kind": "resource", "value": kind}
        for row, kind in [(0, "lgdo:Pub"), (3, "lgdm:Way"), (3, "lgdo:Hotel"), (6, "lgdo:Hotel")]
    ]
    movement = movement.annotated(stated)
    linked = link(movement, small_world.resources(), kinds="placeKind")
    rows = linked.links.select("target", "value").rows()
    assert rows == [(0, "rio:sc_pub"), (2, "rio:sc_restaurant_2"), (3, "rio:lapa_club_way"), (8, "rio:sc_pub")]
    with pytest.raises(DataError, match="wanted annotations with a class under the property 'kind', found none"):
        link(movement, small_world.resources(), kinds="kind")
