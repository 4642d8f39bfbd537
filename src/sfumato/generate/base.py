"""What a generator is: parameters, and one function that makes synthetic data."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.params import Declared

__all__ = ["Generator"]


@dataclass(frozen=True, kw_only=True)
class Generator(Declared):
    """A source of synthetic data.  A subclass names itself, declares its parameters and implements `make`."""

    name: ClassVar[str]
    writes: ClassVar[tuple[str, ...]] = ()  # files beside the records: taxonomy, places, streets
    makes_graph: ClassVar[bool] = False  # whether it makes a graph and no records
    makes_posts: ClassVar[bool] = False  # whether it makes posts, which become records after segmentation

    @property
    def on_roads(self) -> bool:
        """Whether it makes road trajectories, which mean nothing without their network."""
        return False

    @property
    def labelled(self) -> bool:
        """Whether the nodes of its graph have labels."""
        return False

    @abstractmethod
    def make(self, *, seed: int | None = None) -> Any:
        """A dataset; a seed makes the same one again."""
