"""Baquara (2013) and Baquara2 (2015): every query of the two papers on a small world, with checked answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from papers.baquara_world import FOLDER, QUERIES, build, expected, query
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(build(tmp_path_factory.mktemp("world") / "kb")) as base:
        yield base


@pytest.mark.parametrize("name", QUERIES)
def test_every_query_gives_the_checked_answer_in_under_a_second(world: KnowledgeBase, name: str) -> None:
    start = time.process_time()  # of this process alone: the machine may be busy
    answer = world.answer(query(name))
    assert time.process_time() - start < 1
    assert answer.to_csv() == expected(name)
    assert len(answer) == expected(name).count("\r\n") - 1
    assert answer.columns == expected(name).partition("\r\n")[0].split(",")


def test_there_are_as_many_queries_as_answers() -> None:
    answers = {path.stem for path in (FOLDER / "expected").glob("*.csv")}
    assert answers == {*QUERIES, "check_segments_broken", "b15_mpc_variants"}
    assert len(QUERIES) == 34


def test_the_pattern_category_on_days_that_miss_one_condition_each(tmp_path: Path) -> None:
    with KnowledgeBase.open(build(tmp_path / "kb", "variants.ttl")) as base:
        assert base.answer(query("b15_mpc")).to_csv() == expected("b15_mpc_variants")


def test_every_rule_of_segments_is_found_broken(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load(FOLDER / "broken.ttl")
        assert base.answer(query("check_segments")).to_csv() == expected("check_segments_broken")


def test_loading_does_what_the_first_two_steps_do(tmp_path: Path) -> None:
    steps = [(FOLDER / "prepare" / name).read_text("utf-8") for name in ("1_shortcuts.ru", "2_sameas.ru")]
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load(FOLDER / "world.ttl")
        before = len(base)
        for step in steps:
            base.update(step)
        assert len(base) == before


def test_the_ontology_changes_no_answer(tmp_path: Path) -> None:
    with KnowledgeBase.open(build(tmp_path / "kb", ontology=True)) as base:
        for name in ("b13_query1", "b13_by_bus", "b15_facet_rollup", "b15_msc", "b15_query1", "b15_query3"):
            assert base.answer(query(name)).to_csv() == expected(name)
