"""Worked examples of Poulis et al., "Select-Organize-Anonymize", 2013, as the definitions have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato import Places, Sga, Trajectories, Zga
from sfumato.methods.base import Run
from sfumato.methods.record_orders import gray_order, z_order
from sfumato.methods.trajectories.klm.unit_order import Organized
from sfumato.mining import FrequentSequences
from sfumato.privacy import KlmAnonymity

# Figure 1a, f and g sensitive; the coordinates are lost with Figure 1b, these agree with Figures 2 and 3
T = {"t1": "dace", "t2": "baec", "t3": "adef", "t4": "bdec", "t5": "dgc", "t6": "de"}
WHERE = {"a": (3, 0), "b": (5, 1), "c": (5, 5), "d": (3, 3), "e": (3, 5), "f": (9, 9), "g": (9, 8)}


def trajectories(rows: list[str] | None = None) -> Trajectories:
    return Trajectories.from_lists(rows or list(T.values()), places=Places.planar(WHERE).with_sensitive("fg"))


def in_gray_order(method: Any) -> tuple[list[str], dict[str, str]]:
    """The trajectories in Gray order, and their keys, the most significant bit first."""
    data = trajectories()
    organized = Organized(data, np.array([name in "fg" for name in data.names]))
    offsets, ones = method.select(organized, Run())
    longest = int(ones.max()) + 1
    keys = {
        name: "".join(str(int(bit in ones[offsets[at] : offsets[at + 1]])) for bit in range(longest - 1, -1, -1))
        for at, name in enumerate(T)
    }
    return [list(T)[at] for at in gray_order(offsets, ones, organized.by_content())], keys


def published(release: Any) -> list[str]:
    """Every published trajectory, a generalized location as its members in braces."""
    shown = {label: "{" + "".join(members) + "}" for label, members in release.data.members.items()}
    return [" ".join(shown.get(label, label) for label in row) for row in release.data.to_lists()]


def test_figure_1b_z_order_with_y_as_the_higher_bit() -> None:
    """Figure 2's order; the text of Example 5 has b before d."""
    assert ["abcde"[at] for at in z_order(np.array([WHERE[name] for name in "abcde"], dtype=float))] == list("adbec")


def test_figures_2a_and_2b_keys_and_gray_order_of_zga() -> None:
    order, keys = in_gray_order(Zga(k=2, l=2, m=2, clusters=2))
    assert keys == {"t1": "11011", "t2": "11101", "t3": "01011", "t4": "11110", "t5": "10010", "t6": "01010"}
    assert order == ["t6", "t3", "t1", "t4", "t2", "t5"]


def test_figure_2c_output_of_zga() -> None:
    release = Zga(k=2, l=2, m=2, clusters=2).anonymize(trajectories())
    one = "{acde}"
    assert sorted(published(release)) == sorted(
        [
            f"{one} {one}",
            f"{one} {one} {one} f",
            f"{one} {one} {one} {one}",
            "{abd} {abd} e c",
            "{abd} {abd} e c",
            "{abd} g c",
        ]
    )
    assert release.holds
    assert release.counts["suppressed_visits"] == 0


def test_figure_3a_frequent_subtrajectories() -> None:
    rows = ["".join(x for x in row if x not in "fg") for row in T.values()]
    found = FrequentSequences(top=6).mine(Trajectories.from_lists(rows))
    supports = {"".join(pattern): support for pattern, _, support in found.rows()}
    assert supports == {"d": 5, "e": 5, "c": 4, "de": 4, "a": 3, "ae": 3}  # (d,c), also 3, comes after a by name
    assert next(iter(supports)) == "d"


def test_figures_3b_and_3c_keys_and_gray_order_of_sga() -> None:
    order, keys = in_gray_order(Sga(k=2, l=2, m=2, clusters=2, top=2))
    assert keys == {"t1": "11", "t2": "10", "t3": "11", "t4": "11", "t5": "01", "t6": "11"}
    assert order == ["t5", "t1", "t3", "t4", "t6", "t2"]


def test_figure_3d_output_of_sga() -> None:
    release = Sga(k=2, l=2, m=2, clusters=2, top=2).anonymize(trajectories())
    one = "{acde}"
    assert sorted(published(release)) == sorted(
        [
            f"{one} g {one}",
            f"{one} {one} {one} {one}",
            f"{one} {one} {one} f",
            "{abd} {abd} e c",
            "{abd} e",
            "{abd} {abd} e c",
        ]
    )
    assert release.holds


def test_example_7_and_figure_4_lm_anon_on_one_cluster() -> None:
    release = Zga(k=2, l=2, m=2, clusters=1).anonymize(trajectories([T["t4"], T["t2"], T["t5"]]))
    assert sorted(published(release)) == ["{abd} g c", "{abd} {abd} e c", "{abd} {abd} e c"]


def test_example_3_the_dataset_is_2_2_1_anonymous_but_not_2_2_2_anonymous() -> None:
    """c and d, which the example leaves out, are as safe: g is with one of four and f with one of five."""
    assert KlmAnonymity(k=2, l=2, m=1).check(trajectories()).holds is True
    verdict = KlmAnonymity(k=2, l=2, m=2).check(trajectories())
    assert verdict.holds is False
    assert {"pattern": ["a", "d"], "support": 1} in verdict.witnesses


def test_the_guarantee_below_definition_3_and_not_its_condition_ii() -> None:
    """Everybody who was at a was at f.  As printed, sup(f) = 2 <= l would do."""
    rows = ["af", "af", "b", "b"]
    verdict = KlmAnonymity(k=2, l=2, m=1).check(trajectories(rows))
    assert verdict.holds is False
    assert verdict.measured["worst_association"] == {
        "pattern": ["a"], "sensitive": "f", "support": 2, "together": 2, "probability": 1.0,
    }  # fmt: skip


def test_diversity_is_not_monotone_under_merging() -> None:
    """(d,d,g), (d,a), (g,a): (d) and (a) are safe, and what they become together is not."""
    data = trajectories(["ddg", "da", "ga"])
    assert KlmAnonymity(k=2, l=2, m=1).check(data).holds is True
    merged = trajectories(["ddg", "dd", "gd"])
    assert KlmAnonymity(k=2, l=2, m=1).check(merged).holds is False
