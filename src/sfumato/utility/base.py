"""What a measure is: a question about what a release has kept."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from sfumato.data import Dataset
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.params import Declared

__all__ = ["Measure", "Released", "Score"]


class Released(Protocol):
    """What a measure may look at: the published data and, where the run is at hand, their origin."""

    @property
    def data(self) -> Any: ...

    @property
    def origin(self) -> Ints | None: ...


@dataclass(frozen=True)
class Score:
    """A figure and its unit."""

    value: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value:,.4g} {self.unit}".strip()


@dataclass(frozen=True, kw_only=True)
class Measure(Declared):
    """A measure is called with the original and the release: ``Displacement()(original, release)``."""

    name: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    better: ClassVar[Literal["lower", "higher"]]
    needs_origin: ClassVar[bool] = False

    def __call__(self, original: Dataset, release: Released) -> Score:
        self.require_kind(original.kind)
        if release.origin is None and (method := getattr(release, "method", None)) is not None:
            self.require_origin(method.name)
        if self.needs_origin and release.origin is None:
            raise DataError(f"{self.name}: needs the run itself (anonymize --measure {self.name} --report FILE)")
        return self.score(original, release)

    def require_kind(self, kind: str) -> None:
        """Refuse data of another kind."""
        if kind not in self.kinds:
            raise DataError(f"{self.name}: fits {' and '.join(self.kinds)}, got {kind}")

    def require_origin(self, method: str) -> None:
        """Refuse a method whose records are nobody's own, where the measure asks whose they are."""
        if self.needs_origin:
            raise DataError(
                f"{self.name}: needs to know which original visit or item each published one was, "
                f"{method} publishes what is nobody's own"
            )

    @abstractmethod
    def score(self, original: Any, release: Released) -> Score:
        """The figure, for data of a fitting kind."""
