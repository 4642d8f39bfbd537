"""Figures 8, 9, 10, 12 and 13 on the small world, as they were checked by hand."""

from __future__ import annotations

import polars as pl
import pytest

from semantics.linking import small_world
from sfumato.semantics.linking.ambiguity import ambiguity, links_per_target, most_linked
from sfumato.semantics.linking.linker import Linker


def candidates() -> pl.DataFrame:
    linker = Linker(tau_s=1024, tau_t=0, first="all")
    return linker.candidates(linker.targets(small_world.movement()), small_world.resources())


def test_figures_8_9_and_12() -> None:
    table = ambiguity(candidates(), len(small_world.POSTS), [1, 16, 128, 1024], [0.0, 0.8, 0.9, 1.0])
    for tau_s, tau_t, percent, mean, several, links, surplus, refined, _ in table.iter_rows():
        wanted = small_world.FIGURES_8_9_12[tau_s, tau_t]
        assert percent == pytest.approx(wanted[0], abs=0.005)
        for value, other in zip((mean, several, links, surplus, refined), wanted[1:], strict=True):
            assert value == (None if other is None else pytest.approx(other, abs=0.0005))


def test_figure_10() -> None:
    pairs = candidates()
    for (tau_s, tau_t), wanted in small_world.FIGURE_10.items():
        assert links_per_target(pairs, tau_s, tau_t).rows() == wanted
    assert links_per_target(pairs, 1, 0.9).rows() == []


def test_figure_13() -> None:
    linked = Linker(tau_s=16, tau_t=0.9).link(small_world.movement(), small_world.resources())
    links = linked.links.select("target", resource="value")
    rows = most_linked(links, small_world.frames()["classes"]).rows()
    assert sorted(rows) == sorted(small_world.FIGURE_13)
    assert rows == sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def test_a_share_after_refinement() -> None:
    table = ambiguity(candidates(), len(small_world.POSTS), [1024], [1.0], first="similar")
    assert table["refined_several"].to_list() == [pytest.approx(1 / 6)]
