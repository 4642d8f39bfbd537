"""Crowds in a release, equal to trying everything: re-identification, composition, inference, places, times."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import build
from sfumato.attacks import (
    Composition,
    Exposed,
    Finding,
    HomeWork,
    Inference,
    Reidentify,
    Scene,
    TimedVisits,
    TopPlaces,
)
from sfumato.attacks.timed_visits import with_times_as_places
from sfumato.attacks.view.published_view import Knowledge
from sfumato.data import Chunks, Mixed, Places, Table, Trajectories, Transactions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
from sfumato.remedies import Sentence
from twins.attacks_fits import all_patterns, crowd_after_composition, fits_known, smallest_crowds, top_places

brief = settings(max_examples=25, deadline=None)
ONE = {"g1": ("a", "b"), "g2": ("c", "d")}
TWO = {"h1": ("b", "c"), "h2": ("a", "d")}
rows_of = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=6)


def through(labels: dict[str, tuple[str, ...]], rows: list[list[str]], which: list[bool]) -> list[list[str]]:
    """Rows in labels, those of `which` only: a local recoding."""
    label_of = {member: label for label, group in labels.items() for member in group}
    return [[label_of[leaf] for leaf in row] if moved else row for row, moved in zip(rows, which, strict=True)]


def seen_as(kind: Any, rows: list[list[str]], labels: dict[str, tuple[str, ...]]) -> Any:
    data = kind.from_lists(rows)
    return replace(data, ids=None, members={label: group for label, group in labels.items() if label in data.names})


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_who_fits_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    published = through(ONE, rows, flags[: len(rows)])
    original = kind.from_lists([*rows, list("abcd")])
    seen = Scene(original, (Exposed(seen_as(kind, published, ONE)),)).seen
    for row in rows:
        for known in (1, 2, 3):
            for pattern in all_patterns(row, known, ordered=ordered):
                codes = tuple(original.names.index(piece) for piece in pattern)
                twin = [at for at, one in enumerate(published) if fits_known(one, ONE, pattern, ordered=ordered)]
                assert seen.fitting(Knowledge(codes, ordered)).tolist() == twin


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=12, max_size=12))
def test_composition_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    first = through(ONE, rows, flags[: len(rows)])
    second = through(TWO, rows, flags[6 : 6 + len(rows)])
    if not ordered:
        first, second = ([sorted(set(row)) for row in part] for part in (first, second))
    scene = Scene(kind.from_lists(rows), (Exposed(seen_as(kind, first, ONE)), Exposed(seen_as(kind, second, TWO))))
    # all pieces are known: nothing is left to chance
    found = Composition(known=3, tries=1).run(scene, seed=1)
    twin = []
    for row in rows:
        known = row if ordered else sorted(set(row))
        crowd = crowd_after_composition(known, (first, ONE), (second, TWO), ordered=ordered)
        twin.append(1 / crowd if crowd else 0.0)
    assert found.successes.tolist() == pytest.approx(twin)


def test_composition_narrows_by_what_both_releases_show() -> None:
    people = Table({"age": [31, 33, 45, 47], "ill": ["flu", "hiv", None, "cold"]}, sensitive=("ill",))
    one = Table({"age": ["[31:45]"] * 3 + ["47"], "ill": ["flu", None, "hiv", "cold"]}, sensitive=("ill",))
    two = Table({"age": ["31"] + ["[33:47]"] * 3, "ill": ["flu", "cold", None, "hiv"]}, sensitive=("ill",))
    found = Composition().run(Scene.of(people, one, two), seed=1)
    assert found.successes.tolist() == [1.0, 0.5, 0.5, 1.0]
    assert found.facts["smallest_crowd"] == 1
    assert found.facts["alone_worst"] == 1.0
    alone = Composition().run(Scene.of(people, one, one), seed=1)
    assert alone.successes.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0])
    with pytest.raises(DataError, match="wanted two releases"):
        Composition().run(Scene.of(people, one))
    assert "two releases of the same people; give two" in str(Composition().unfit(Scene.of(people, one)))


def test_composition_of_mixed_records_and_of_suppressed_ones() -> None:
    people = Mixed.from_frame({"age": [30, 31], "items": ["a b", "a c"]})
    one = Mixed.from_frame({"age": ["[30:31]", "[30:31]"], "items": ["a b", "a c"]})
    found = Composition(known=1).run(Scene.of(people, one, one), seed=1)
    assert found.worst <= 1.0
    walks = Trajectories.from_lists([["a", "b"], ["a", "c"]])
    shorter = replace(Trajectories.from_lists([["a"], ["a", "c"]]), ids=None)
    said = Composition(known=1).run(Scene.of(walks, shorter, shorter), seed=1)
    assert said.sentences[-1].startswith("Not attacked: something was suppressed, split or added")


def test_chunks_count_the_records_that_may_hold_the_items() -> None:
    baskets = Transactions.from_lists([["a", "b"], ["a"], ["a"], ["c"]])
    chunks = Chunks.of([{"size": 4, "chunks": [[["a"], ["a"], ["a"]]], "terms": ["b", "c"]}])
    found = Reidentify(known=2).run(Scene.of(baskets, chunks), seed=1)
    assert found.facts["smallest_crowd"] == 3
    assert found.worst == pytest.approx(1 / 3)


def test_reidentification_counts_persons_and_finds_the_rarest_pieces() -> None:
    walks = Trajectories.from_lists([["a", "b", "c"], ["a", "b"], ["a", "b"]], persons=["ann", "bob", "bob"])
    scene = Scene.of(walks, walks.published()[0])
    found = Reidentify(known=2, tries=1).run(scene, seed=1)
    assert found.successes.tolist() == [1.0, 0.5]
    assert found.facts == {
        "random_mean": pytest.approx(found.facts["random_mean"]),
        "smallest_crowd": 1,
        "crowd_unit": "person",
    }
    assert not found.at_most
    assert found.exact
    # whoever is no longer in the crowd is not found
    gone = replace(Trajectories.from_lists([["a", "b"], ["a", "b"]]), ids=None)
    hidden = Reidentify(known=1).run(Scene.of(walks, Exposed(gone, np.array([1, 2]))), seed=1)
    assert hidden.successes.tolist() == [0.0, 1.0]


def test_reidentification_as_it_is_is_the_audit() -> None:
    rows = [list("ab"), list("abc"), list("b")]
    walks = Trajectories.from_lists(rows)
    found = Reidentify(known=2).run(Scene.of(walks))
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in smallest_crowds(rows, 2, ordered=True)])


@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_reidentification_as_the_twin(kind: Any, rows: list[list[str]], flags: list[bool]) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    published = through(ONE, rows, flags[: len(rows)])
    published = published if ordered else [sorted(set(row)) for row in published]
    exposed = Exposed(seen_as(kind, published, ONE), np.arange(len(rows)))
    # all pieces are known: nothing is left to chance
    found = Reidentify(known=3, tries=1).run(Scene(kind.from_lists(rows), (exposed,)), seed=1)
    twin = [sum(fits_known(one, ONE, row, ordered=ordered) for one in published) for row in rows]
    assert found.successes.tolist() == pytest.approx([1 / crowd for crowd in twin])
    assert found.facts["smallest_crowd"] == min(twin)


@brief
@given(rows=rows_of, flags=st.lists(st.booleans(), min_size=6, max_size=6))
def test_inference_as_the_twin(rows: list[list[str]], flags: list[bool]) -> None:
    rows = [sorted(set(row)) for row in rows]
    published = [sorted(set(row)) for row in through(ONE, rows, flags[: len(rows)])]
    original = Transactions.from_lists([*rows, ["d"]], sensitive=["d"])
    scene = Scene(original, (Exposed(seen_as(Transactions, published, ONE)),))
    found = Inference(known=3, tries=1).run(scene, seed=1)
    assert Inference(known=0).run(scene, seed=1).of == sum("d" in row for row in rows) + 1
    twin = []
    for row in rows:
        if "d" in row and len(row) > 1:  # who has nothing but a secret cannot be known by anything else
            known = [piece for piece in row if piece != "d"]
            crowd = [one for one in published if fits_known(one, ONE, known, ordered=False)]
            told = [one for one in crowd if fits_known(one, ONE, ["d"], ordered=False)]
            twin.append(len(told) / len(crowd) if crowd else 0.0)
    assert found.successes.tolist() == pytest.approx(twin)


def test_secrets_are_not_known_when_the_promise_says_so() -> None:
    shops = Places.from_frame({"location": ["a", "s"], "sensitive": [False, True]})
    walks = Trajectories.from_lists([["a", "s"], ["a"]], places=shops)
    scene = Scene.of(walks, walks.published()[0])
    assert Reidentify(known=2).run(scene, seed=1).worst == 1.0
    assert Reidentify(known=2, secrets=False).run(scene, seed=1).worst == 0.5


def test_inference_of_items_and_places() -> None:
    baskets = Transactions.from_lists([["tea", "hiv"], ["tea"], ["tea"], ["ale"]], sensitive=["hiv"])
    found = Inference(known=1).run(Scene.of(baskets, baskets.published()[0]), seed=1)
    assert found.successes.tolist() == pytest.approx([1 / 3])
    assert found.baseline == pytest.approx(1 / 4)
    assert (found.of, found.exact) == (1, True)
    nothing = Transactions.from_lists([["tea"]])
    unfit = Inference().unfit(Scene.of(nothing, nothing.published()[0]))
    assert isinstance(unfit, Sentence)
    assert unfit.remedy == "name-sensitive"


def test_inference_of_columns() -> None:
    people = Table({"age": [30, 30, 30, 31], "ill": ["a", "a", None, "b"]}, sensitive=("ill",))
    found = Inference().run(Scene.of(people, people.published()[0]), seed=1)
    assert found.successes.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1.0])
    assert found.facts["fewest_values"] == 1
    assert found.facts["largest_shift"] == pytest.approx(0.75)
    assert found.facts["largest_ordered_shift"] is None
    numbers = Table({"age": [30, 30, 31, 31], "pay": [1, 2, 3, 4]}, sensitive=("pay",))
    moved = Inference().run(Scene.of(numbers, numbers.published()[0]), seed=1).facts
    # shares apart 1/4, 1/2, 1/4, 0 when cumulated, over three steps
    assert moved["largest_ordered_shift"] == pytest.approx(1 / 3)
    assert moved["fewest_effective"] == pytest.approx(2.0)


@brief
@given(rows=rows_of, n=st.integers(1, 3))
def test_top_places_as_the_twin(rows: list[list[str]], n: int) -> None:
    units = [at // 2 for at in range(len(rows))]
    walks = Trajectories.from_lists(rows, persons=units)
    assert TopPlaces(n=n).run(Scene.of(walks)).successes.tolist() == pytest.approx(top_places(rows, units, n))


def test_home_and_work_by_night_and_by_day() -> None:
    day = 86_400
    frame = {
        "trajectory": [1, 1, 1, 2, 2, 3, 3],
        "location": ["flat", "desk", "park", "desk", "flat", "flat", "desk"],
        "time": [3600, 36_000, 2 * day + 36_000, 3600, 36_000, 3600, 36_000],  # the third day is a Saturday
    }
    walks = Trajectories.from_frame(frame)
    assert HomeWork().run(Scene.of(walks)).successes.tolist() == [0.5, 1.0, 0.5]
    # without times, which of the two is home is not known
    assert HomeWork().run(Scene.of(replace(walks, times=None))).successes.tolist()[1:] == pytest.approx([1 / 3, 1 / 3])
    release = SeqAnon(k=3, m=2).anonymize(
        replace(walks, places=Places.planar({"flat": (0, 0), "desk": (1, 0), "park": (2, 0)}))
    )
    assert HomeWork().run(Scene.of(walks, release)).worst == pytest.approx(1 / 3)


def test_times_to_a_precision() -> None:
    frame = {"trajectory": [1, 1, 2, 2], "location": ["a", "b", "a", "b"], "time": [0, 3600, 1800, 7300]}
    walks = Trajectories.from_frame(frame)
    for precision, rows in ((3600.0, [["a@0", "b@1"], ["a@0", "b@2"]]), (1.0, [["a0", "b0"], ["a1", "b1"]])):
        twin = [1 / crowd for crowd in smallest_crowds(rows, 2, ordered=False)]
        assert TimedVisits(precision_s=precision).run(Scene.of(walks)).successes.tolist() == twin
    assert TimedVisits(precision_s=86_400).run(Scene.of(walks)).successes.tolist() == [0.5, 0.5]
    bare = replace(walks, times=None)
    assert "these data have none" in str(TimedVisits().unfit(Scene.of(bare)))
    with pytest.raises(MissingKnowledge, match="needs times of visits"):
        with_times_as_places(bare, 60.0)


@pytest.mark.parametrize("kind", ["trajectories", "transactions", "table", "mixed"])
def test_nobody_at_all_is_nobody(kind: str) -> None:
    data = build(kind, [list("ab")], None)
    empty = data.take(np.arange(0))
    for attack in (Reidentify(), Inference()):
        found = attack.run(Scene(data, (Exposed(empty),)), seed=1)
        assert found.worst == 0.0
        assert found.to_json()["attack"] == attack.name


def test_the_spread_is_told_in_words() -> None:
    found = Finding("a", "a", "all", "the right one", np.array([1.0, 0.1, 0.2, 0.1]), of=4)
    assert "Median 10.00%, 99th percentile 20.00%, 25.00% of the records at 100%." in found.sentences
    alone = Finding("a", "a", "all", "the right one", np.array([1.0]), of=1)
    assert not any("half of them" in sentence for sentence in alone.sentences)
