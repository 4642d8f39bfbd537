"""Histograms before and after."""

from __future__ import annotations

from dataclasses import replace

from sfumato.data import Mixed, Table, Trajectories
from sfumato.experiments.profile import profile


def test_long_records_share_a_bar_and_short_ones_may_be_missing() -> None:
    walks = Trajectories.from_lists([["a"] * length for length in (2, 2, 30, 40)])
    bars = profile(walks, walks)[0]["bars"]
    assert bars[0] == ["2", 2, 2]
    assert bars[-1] == ["17+", 2, 2]
    assert sum(bar[1] for bar in bars) == 4


def test_how_much_labels_stand_for() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["c"]])
    merged = replace(Trajectories.from_lists([["g", "g"], ["c"]]), members={"g": ("a", "b")})
    assert profile(walks, merged)[1]["bars"] == [["1", 3, 1], ["2", 0, 2]]


def test_nothing_published() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["c"]])
    lengths, sizes = profile(walks, Trajectories.from_lists([]))
    assert lengths["bars"] == [["1", 1, 0], ["2", 1, 0]]
    assert sizes["bars"] == [["1", 3, 0]]


def test_tables_and_mixed_records() -> None:
    before = Table.from_frame({"age": [30, 30, None], "job": ["x", "y", "z"]}, quasi_identifiers=("age",))
    after = Table.from_frame({"age": ["30", "*", "*"], "job": ["x", "y", "z"]}, quasi_identifiers=("age",))
    (ages,) = profile(before, after)
    assert ages["bars"] == [["*", 0, 2], ["30", 2, 1]]
    patients = Mixed.from_frame({"age": [31, 44], "codes": ["401 250", ""]}, items="codes", quasi_identifiers=("age",))
    assert profile(patients, patients)[0]["title"].startswith("age:")
    assert len(profile(patients, patients)) == 3
