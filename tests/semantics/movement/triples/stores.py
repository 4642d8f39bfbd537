"""A store in memory that answers as a knowledge base does."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pyoxigraph as ox

from sfumato.semantics import Movement
from sfumato.semantics.movement.frames import FRAMES, fitted

FOLDER = Path(__file__).parents[3] / "papers" / "baquara"


class Memory:
    """Triples of movements, of bytes (N-Triples) or of Turtle files."""

    def __init__(self, *sources: Movement | bytes | Path) -> None:
        self.store = ox.Store()
        for source in sources:
            if isinstance(source, Path):
                self.store.load(path=str(source))
            else:
                content = source.to_triples() if isinstance(source, Movement) else source
                self.store.load(content, format=ox.RdfFormat.N_TRIPLES)

    def answer(self, sparql: str) -> SimpleNamespace:
        return SimpleNamespace(content=self.store.query(sparql).serialize(format=ox.QueryResultsFormat.TSV))

    def broken_rules(self) -> set[tuple[str, str]]:
        """What the query over triples finds: number of the rule and subject."""
        rows = self.store.query((FOLDER / "check_segments.rq").read_text("utf-8"))
        return {(row["rule"].value[:2], row["subject"].value) for row in rows}


def unchecked(frames: dict[str, object]) -> Movement:
    """A movement whose constraints nothing has checked."""
    movement = object.__new__(Movement)
    for name in FRAMES:
        object.__setattr__(movement, name, fitted(name, frames.get(name)))
    object.__setattr__(movement, "geographic", True)
    return movement
