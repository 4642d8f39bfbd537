"""Releases of prepared data, as seen from the data before: what is true of each visit, and how far it moved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Places, SeqAnon, Trajectories
from sfumato.data import Persons
from sfumato.methods.prepared_release import seen_from_original
from sfumato.prepare import Grid, SplitByDay, prepare
from sfumato.utility.places.appearance import VisitsKept
from sfumato.utility.places.generalization import Displacement

NAMES = [f"p{number:02}" for number in range(12)]
PLACES = Places.planar({name: (number % 4 + 0.1 * number, 3.0 * (number // 4)) for number, name in enumerate(NAMES)})


def weeks(seed: int, persons: int = 8) -> Trajectories:
    """Two records a person, over several days."""
    rng = np.random.default_rng(seed)
    rows = [[NAMES[at] for at in rng.integers(0, 12, rng.integers(1, 8))] for _ in range(2 * persons)]
    frame: dict[str, list[Any]] = {"trajectory": [], "location": [], "person": [], "time": []}
    for record, row in enumerate(rows):
        start = 86_400 * (3 * (record % 2)) + rng.integers(0, 80_000)
        for step, place in enumerate(row):
            frame["trajectory"].append(record)
            frame["location"].append(place)
            frame["person"].append(f"u{record // 2}")
            frame["time"].append(int(start + 20_000 * step))
    return Trajectories.from_frame(frame, places=PLACES)


@pytest.mark.parametrize(
    "steps", [(Grid(cells=2),), (Grid(cells=3),), (SplitByDay(),), (Grid(cells=3), SplitByDay())], ids=str
)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 500), share=st.sampled_from([0.0, 0.4]))
def test_every_published_label_is_true_of_the_original_visit(steps: Any, seed: int, share: float) -> None:
    data = weeks(seed)
    ready = prepare(data, *steps)
    release = SeqAnon(k=2, m=2, suppression=share).anonymize(ready.data)
    seen = seen_from_original(release, data, ready, steps)
    for published, original in zip(seen.data.codes, seen.origin, strict=True):
        label = seen.data.names[published]
        assert data.names[data.codes[original]] in seen.data.members.get(label, (label,))
    assert len(set(seen.origin.tolist())) == len(seen.origin)
    assert seen.data.names == tuple(sorted(set(seen.data.names)))
    before: Persons = data.persons  # type: ignore[assignment]
    assert seen.persons is not None
    assert release.persons is not None
    assert seen.persons.names.gather(seen.persons.codes).to_list() == (
        release.persons.names.gather(release.persons.codes).to_list()
    )
    assert set(seen.persons.names.to_list()) <= set(before.names.to_list())
    kept = VisitsKept()(data, seen).value
    assert kept == pytest.approx(100 * len(release.origin) / len(data.codes))


def test_the_rounding_to_cells_counts_as_displacement() -> None:
    """Nothing is merged, so that a cell with two places at a distance of 1 displaces each of them by a half."""
    places = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (9.0, 0.0)}
    walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places=places)
    steps = [Grid(cells=2)]
    ready = prepare(walks, *steps)
    release = SeqAnon(k=2, m=1).anonymize(ready.data)
    assert Displacement()(ready.data, release).value == 0
    assert Displacement()(walks, seen_from_original(release, walks, ready, steps)).value == pytest.approx(0.25)


def test_visits_merged_in_a_cell_are_not_kept_and_their_places_stay_below_it() -> None:
    places = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (9.0, 0.0)}
    walks = Trajectories.from_lists([["a", "b", "c"], ["a", "b", "c"]], places=places)
    steps = [Grid(cells=2)]
    ready = prepare(walks, *steps)
    seen = seen_from_original(SeqAnon(k=2, m=2).anonymize(ready.data), walks, ready, steps)
    assert seen.data.members == {"label1": ("a", "b")}
    assert VisitsKept()(walks, seen).value == pytest.approx(100 * 4 / 6)


def test_a_place_that_is_called_like_a_label_is_not_taken_for_one() -> None:
    places = {"label1": (0.0, 0.0), "b": (1.0, 0.0), "c": (9.0, 0.0)}
    walks = Trajectories.from_lists([["label1"], ["b"], ["c"], ["c"]], places=places)
    ready = prepare(walks, Grid(cells=2))
    seen = seen_from_original(SeqAnon(k=2, m=1).anonymize(ready.data), walks, ready, [Grid(cells=2)])
    assert seen.data.members == {"label_1": ("b", "label1")}
    assert "c" in seen.data.names
