"""The small world of Baquara as knowledge bases, with the queries and their checked answers."""

from __future__ import annotations

from pathlib import Path

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

FOLDER = Path(__file__).parent / "baquara"
QUERIES = sorted(path.stem for path in FOLDER.glob("*.rq"))
CANDIDATES = FOLDER / "prepare" / "3_candidates.ru"


def query(name: str) -> str:
    return (FOLDER / f"{name}.rq").read_text("utf-8")


def expected(name: str) -> str:
    with (FOLDER / "expected" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return file.read()


def build(directory: Path, *files: str, ontology: bool = False) -> Path:
    """A knowledge base of the world and more files, with the pairs of posts and places that some queries ask for."""
    with KnowledgeBase.create(directory, ontology=ontology) as base:
        base.load([FOLDER / name for name in ("world.ttl", *files)])
        base.update(CANDIDATES.read_text("utf-8"))
    return directory
