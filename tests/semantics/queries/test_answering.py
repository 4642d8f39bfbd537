"""Descriptions are answered as by direct evaluation on random movements; companions by columns and by SPARQL."""

from __future__ import annotations

import random
from pathlib import Path

from semantics.queries.random_movements import (
    random_category,
    random_movement,
    random_pattern,
    random_world,
    world_triples,
)
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.queries.answering import answer_question
from sfumato.semantics.queries.compiling import compile_pattern
from sfumato.semantics.queries.pattern_category import PatternCategory
from twins.segment_categories import Twin


def test_answers_are_those_of_direct_evaluation(tmp_path: Path) -> None:
    rng = random.Random(3)
    movement, world = random_movement(rng), random_world(rng)
    (tmp_path / "world.nt").write_text(world_triples(world), encoding="utf-8")
    (tmp_path / "movement.nt").write_bytes(movement.to_triples("http://example.org/m/"))
    twin, answered, empty = Twin(movement, world), 0, 0
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load([tmp_path / "world.nt", tmp_path / "movement.nt"])
        for number in range(36):
            pattern = PatternCategory(segment=random_category(rng)) if number % 3 else random_pattern(rng)
            answer = answer_question(base, pattern)
            names = {iri.rpartition(f"/{pattern.answer}/")[2] for iri in answer.frame.to_series().to_list()}
            assert names == twin.answer(pattern), pattern
            if number < 8 and number != 3:  # one query for all is slow
                assert answer.to_csv() == base.answer(compile_pattern(pattern)).to_csv(), pattern
            answered, empty = answered + bool(names), empty + (not names)
    assert min(answered, empty) >= 5
