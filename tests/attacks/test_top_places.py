"""Home, work and the most visited places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.attacks import (
    AttackSetting,
    Exposed,
    HomeWork,
    TopPlaces,
)
from sfumato.data import Places, Trajectories
from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
from twins.attacks_fits import top_places

brief = settings(max_examples=25, deadline=None)


rows_of = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=6)


@brief
@given(rows=rows_of, n=st.integers(1, 3))
def test_top_places_as_the_twin(rows: list[list[str]], n: int) -> None:
    units = [at // 2 for at in range(len(rows))]
    walks = Trajectories.from_lists(rows, persons=units)
    assert TopPlaces(n=n).run(AttackSetting.of(walks)).successes.tolist() == pytest.approx(top_places(rows, units, n))


def test_home_and_work_by_night_and_by_day() -> None:
    day = 86_400
    frame = {
        "trajectory": [1, 1, 1, 2, 2, 3, 3],
        "location": ["flat", "desk", "park", "desk", "flat", "flat", "desk"],
        "time": [3600, 36_000, 2 * day + 36_000, 3600, 36_000, 3600, 36_000],  # the third day is a Saturday
    }
    walks = Trajectories.from_frame(frame)
    assert HomeWork().run(AttackSetting.of(walks)).successes.tolist() == [0.5, 1.0, 0.5]
    # without times, which of the two is home is not known
    assert HomeWork().run(AttackSetting.of(replace(walks, times=None))).successes.tolist()[1:] == pytest.approx(
        [1 / 3, 1 / 3]
    )
    release = SeqAnon(k=3, m=2).anonymize(
        replace(walks, places=Places.planar({"flat": (0, 0), "desk": (1, 0), "park": (2, 0)}))
    )
    assert HomeWork().run(AttackSetting.of(walks, release)).worst == pytest.approx(1 / 3)


def test_guessing_counts_persons_as_the_attack_does() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["a", "b"], ["a", "b"], ["a", "b"]], persons=["u", "u", "u", "v"])
    published = walks.published()[0]
    known = TopPlaces(n=2).run(AttackSetting(walks, (Exposed(published, walks.published()[1]),)))
    assert (known.successes.tolist(), known.baseline, known.facts["anonymity_set_unit"]) == ([0.5, 0.5], 0.5, "person")
    # the persons of the records are not known: three of the four may be u's
    unknown = TopPlaces(n=2).run(AttackSetting(walks, (Exposed(published),)))
    assert (unknown.successes.tolist(), unknown.baseline, unknown.at_most) == ([0.75, 0.25], 0.5, True)


def test_pieces_of_one_record_count_once() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["a", "c"]])
    pieces = replace(Trajectories.from_lists([["a"], ["a", "b"], ["a", "c"]]), ids=None)
    found = TopPlaces(n=1).run(AttackSetting(walks, (Exposed(pieces, np.array([0, 0, 1])),)))
    assert (found.successes.tolist(), found.facts["smallest_anonymity_set"]) == ([0.5, 0.5], 2)
