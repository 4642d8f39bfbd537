"""Descriptions of the papers' questions, in TOML, give the checked answers on the small world."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papers.baquara_world import FOLDER, expected
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.queries.answering import answer_question
from sfumato.semantics.queries.compiling import compile_pattern
from sfumato.semantics.queries.question_files import question_of, read_question

QUESTIONS = Path(__file__).parent / "questions"
SAME = (
    "b13_by_bus",
    "b13_home_to_work",
    "b13_market_first",
    "b13_query2",
    "b13_sport_event_stop",
    "b13_touristic_corcovado",
    "b15_event_presence",
    "b15_meeting",
    "b15_mpc",
    "b15_msc",
    "b15_query1",
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("world") / "kb", ontology=False) as base:
        base.load([FOLDER / "world.ttl"])
        yield base


@pytest.mark.parametrize("name", SAME)
def test_the_description_gives_the_checked_answer(world: KnowledgeBase, name: str) -> None:
    question = read_question(QUESTIONS / f"{name}.toml")
    assert world.answer(compile_pattern(question)).to_csv() == expected(name)
    assert answer_question(world, question).to_csv() == expected(name)


def test_every_question_is_tested() -> None:
    others = {"b15_msc_destination", "b15_query1_users", "b15_query2_all", "b15_query2_shop", "b15_query3"}
    assert {path.stem for path in QUESTIONS.glob("*.toml")} == {*SAME, *others}


def test_the_pattern_category_on_days_that_miss_one_condition_each(tmp_path: Path) -> None:
    question = read_question(QUESTIONS / "b15_mpc.toml")
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load([FOLDER / "world.ttl", FOLDER / "variants.ttl"])
        assert base.answer(compile_pattern(question)).to_csv() == expected("b15_mpc_variants")
        assert answer_question(base, question).to_csv() == expected("b15_mpc_variants")


def test_users_and_counts(world: KnowledgeBase) -> None:
    answers = {path.stem: answer_question(world, read_question(path)) for path in QUESTIONS.glob("b15_query*.toml")}
    assert answers["b15_query1_users"].to_csv().splitlines()[1:] == expected("b15_query1_users").splitlines()[1:]
    counts = f"{len(answers['b15_query2_all'])},{len(answers['b15_query2_shop'])},10"
    assert expected("b15_query2").splitlines()[1] == counts
    cities = answers["b15_query3"].frame.group_by("city").len().sort("len", descending=True)
    rows = [line.split(",") for line in expected("b15_query3").splitlines()[1:]]
    assert [(city, str(trails)) for city, trails in cities.iter_rows()] == [(row[0], row[2]) for row in rows]


def test_a_text_cannot_leave_its_quotation_marks(world: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "question.toml"
    path.write_text(
        "[segment]\ntype = 'STOP'\nannotation = { label = 'x\" ) } SELECT * WHERE { ?a ?b ?c } #\\\\' }\n",
        encoding="utf-8",
    )
    assert len(answer_question(world, read_question(path))) == 0


def test_a_value_may_have_the_name_that_segments_have_otherwise(world: KnowledgeBase) -> None:
    table = {"name": "stop", "type": "STOP", "annotation": {"property": "bq:visits", "name": "segment"}}
    question = question_of({"segment": {**table, "relative": {"relation": "father", "type": "STOP"}}})
    answer = answer_question(world, question)
    assert answer.columns == ["stop", "segment"]
    assert len(answer) > 0
    assert answer.to_csv() == world.answer(compile_pattern(question)).to_csv()
