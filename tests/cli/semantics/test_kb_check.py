"""`sfumato kb check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

PAPERS = Path(__file__).parents[2] / "papers" / "baquara"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.load(PAPERS / "broken.ttl")
    return tmp_path / "kb"


def test_what_breaks_a_rule_is_counted_and_written(broken: Path, tmp_path: Path, run) -> None:
    out = tmp_path / "list.csv"
    done = run("kb", "check", str(broken), "--out", str(out))
    assert done.code == 1
    assert "✗ 29 rules: 12 violations" in done.out
    assert "A father covers its children in time." in done.out
    assert "v04_child" not in done.out
    assert out.read_text("utf-8").count("\n") == 13
    assert out.stat().st_mode & 0o077 == 0
    facts = json.loads(run("kb", "check", str(broken), "--json").out)
    assert (facts["violations"], facts["warnings"], facts["checks"]) == (12, 0, 29)


def test_good_data_pass_with_warnings(tmp_path: Path, run) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.load(PAPERS / "world.ttl")
    done = run("kb", "check", str(tmp_path / "kb"))
    assert done.code == 0
    assert "✓ 29 rules: no violation, 2 warnings" in done.out


def test_mistakes_of_the_caller_are_one_sentence(broken: Path, tmp_path: Path, run) -> None:
    assert "found '.txt'" in run("kb", "check", str(broken), "--out", str(tmp_path / "list.txt")).err
    assert "wanted a knowledge base" in run("kb", "check", str(tmp_path)).err
