"""The base class of measures, which compare a release with its original."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from sfumato.data import Dataset
from sfumato.data.base import Ints
from sfumato.errors import DataError, MissingKnowledge, either
from sfumato.params import Declared

__all__ = ["Better", "Measure", "PublishedOnly", "Released", "Score", "shortfall", "usual_direction"]

Better = Literal["lower", "higher", "closer to 0", "closer to 100"]
"""Which values of a measure are better, as in "closer to 100 is better"."""


_KNOWLEDGE = {
    "taxonomy": ("a taxonomy", "give-taxonomy"),
    "places": ("places with coordinates", "give-places"),
}
PublishedT_co = TypeVar("PublishedT_co", bound=Dataset, covariant=True)


class Released(Protocol[PublishedT_co]):
    """What a measure may use: the published data and, during the run that made them, the origin of each element."""

    @property
    def data(self) -> PublishedT_co: ...

    @property
    def origin(self) -> Ints | None: ...


@dataclass(frozen=True)
class PublishedOnly:
    """Published data without the run that made them.

    k : the size of the anonymity sets that the certificate claims, where there is one.
    noisy : whether the certificate promises differential privacy, so that no record is an original one.
    """

    data: Dataset
    k: int | None = None
    origin: None = None
    noisy: bool = False


@dataclass(frozen=True)
class Score:
    """The value of a measure and its unit."""

    value: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value:,.4g} {self.unit}".strip()


def shortfall(better: str, value: float) -> float:
    """A figure that is smaller the better the value is.

    >>> shortfall("lower", 3), shortfall("higher", 3), shortfall("closer to 100", 120), shortfall("closer to 100", 80)
    (3, -3, 20.0, 20.0)
    """
    if better.startswith("closer to "):
        return abs(value - float(better.removeprefix("closer to ")))
    return value if better == "lower" else -value


def usual_direction(better: str) -> Literal["lower", "higher"]:
    """The better direction on the usual side of the best value: a share of what is kept is usually below 100."""
    return "lower" if better in ("lower", "closer to 0") else "higher"


@dataclass(frozen=True, kw_only=True)
class Measure(Declared):
    """A measure is called with the original and the release: ``Displacement()(original, release)``.

    A published dataset may stand for its release, unless the measure needs to know where each published value is from.

    formula : one line of plain text.  paper : authors, venue and year of the definition, or "our own".
    unit : of the value, empty for a pure number; in words where it depends on the data.
    bounds : the smallest and the largest possible value, `math.inf` where it is unbounded.
    better : `lower`, `higher` or, where values on both sides of the best one are possible, `closer to` it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    formula: ClassVar[str]
    unit: ClassVar[str]
    bounds: ClassVar[tuple[float, float]]
    paper: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    better: ClassVar[Better]
    needs_origin: ClassVar[bool] = False
    needs_run_for: ClassVar[str] = ""  # the releases or parameters for which it needs the run itself, in words
    needs: ClassVar[tuple[str, ...]] = ()  # side knowledge of the original without which it has no value
    reads_hierarchy: ClassVar[bool] = False  # whether its value depends on the hierarchy of the original
    shapes: ClassVar[tuple[str, ...]] = ()  # the kinds of published data that it fits, if not all of its data's

    def __call__(self, original: Dataset, release: Released[Dataset] | Dataset) -> Score:
        self.require_kind(original.kind)
        if isinstance(release, Dataset):
            if self.needs_origin:
                raise DataError(
                    f"{self.name}: needs the release, which knows where each published value is from, got a dataset"
                )
            release = PublishedOnly(release)
        if release.origin is None and (method := getattr(release, "method", None)) is not None:
            self.require_origin(method.name)
        if self.needs_origin and release.origin is None:
            raise DataError(f"{self.name}: needs the run itself", remedy="measure-the-run", measure=self.name)
        return self.score(original, release)

    @classmethod
    def range_text(cls) -> str:
        """The possible values in words, with their unit."""
        least, most = cls.bounds
        if math.isinf(least):
            words = "any number" if math.isinf(most) else f"at most {most:g}"
        else:
            words = f"at least {least:g}" if math.isinf(most) else f"{least:g} to {most:g}"
        return f"{words} {cls.unit}".strip()

    @classmethod
    def computed_from(cls) -> str:
        """What the measure is computed from, in words."""
        if cls.needs_origin:
            return "the run itself"
        needs = f"; the run itself {cls.needs_run_for}" if cls.needs_run_for else ""
        return f"the original and the published data{needs}"

    def require_kind(self, kind: str) -> None:
        """Refuse data of another kind."""
        if kind not in self.kinds:
            raise DataError(f"{self.name}: wanted {either(self.kinds)}, found {kind}")

    def require_data(self, original: Any) -> None:
        """Refuse an original of another kind, or without the side knowledge that the measure needs."""
        self.require_kind(original.kind)
        for need in self.needs:
            if getattr(original, need, None) is None:
                words, remedy = _KNOWLEDGE[need]
                raise MissingKnowledge(f"{self.name}: needs {words}, these data carry none", remedy=remedy)

    def require_shape(self, published: str) -> None:
        """Refuse published data of a shape that the measure cannot read."""
        if self.shapes and published not in self.shapes:
            raise DataError(f"{self.name}: wanted published {either(self.shapes)}, found {published}")

    def require_origin(self, method: str) -> None:
        """Refuse a method that does not trace published elements to original ones, if the measure needs that."""
        if self.needs_origin:
            raise DataError(
                f"{self.name}: wanted the original visit or item of each published one, "
                f"found a release of {method}, which has none"
            )

    @abstractmethod
    def score(self, original: Any, release: Released[Any]) -> Score:
        """The value, for data of one of `kinds`."""
