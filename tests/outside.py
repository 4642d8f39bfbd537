"""What another package could add: a method, a model, a measure, an attack, a generator, a miner, a report section."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.promises.promise_result import PromiseResult
from sfumato.data import Trajectories
from sfumato.experiments.reports.report_section import ReportSection
from sfumato.generate.base import Generator
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.mining import FrequentSequences
from sfumato.params import param
from sfumato.privacy import PrivacyModel, Verdict
from sfumato.privacy.not_covered import Limit
from sfumato.utility.base import Measure, Released, Score


def visitors(data: Trajectories) -> np.ndarray:
    """How many persons (or records) visited each location."""
    units, codes = data.units[data.record_of_element()], data.codes
    pairs = np.unique(np.stack((units, codes), axis=1), axis=0)
    return np.bincount(pairs[:, 1], minlength=len(data.names))


@dataclass(frozen=True, kw_only=True)
class Visited(PrivacyModel):
    """Every published location is visited by at least k persons."""

    name: ClassVar[str] = "visited"
    title: ClassVar[str] = "well-visited locations"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    not_covered: ClassVar[tuple[Limit, ...]] = (Limit("two-visits", "an attacker who knows two visits"),)

    k: int = param(at_least=2, stronger="higher", help="smallest number of visitors")

    def check(self, published: Any, original: Any = None) -> Verdict:  # noqa: ARG002
        self._require_kind(published)
        smallest = int(visitors(published.with_used_names()).min(initial=len(published)))
        return Verdict(smallest >= self.k, "files", {"smallest_number": smallest})

    def weigh(self, setting: Any, *, seed: int | None = None, progress: Any = None) -> Iterator[PromiseResult]:  # noqa: ARG002
        found = Guess().once(setting, seed=seed)
        beaten = found.worst > 1 / self.k
        yield PromiseResult(self.name, str(self), found.title, f"1 in {self.k}", f"{found.worst:.2f}", beaten)


@dataclass(frozen=True, kw_only=True)
class WellVisited(Method):
    """Publish only visits to locations that at least k persons visited."""

    name: ClassVar[str] = "well-visited"
    title: ClassVar[str] = "well-visited locations"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "none"
    promises: ClassVar[tuple[str, ...]] = ("visited",)
    untruthful: ClassVar[Limit | None] = Limit("fewer-visits", "visits that are left out")

    k: int = param(at_least=2, help="smallest number of visitors")

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        return (Visited(k=self.k),)

    def transform(self, data: Trajectories, run: Run) -> Outcome:
        require_units(self, self.k, data)
        with run.phase("suppressing"):
            kept = np.flatnonzero(visitors(data)[data.codes] >= self.k)
            lengths = np.bincount(data.record_of_element()[kept], minlength=len(data))
            offsets = np.concatenate(([0], np.cumsum(lengths)))
            published = replace(data, offsets=offsets, codes=data.codes[kept], times=None)
        return Outcome(published, kept, {"suppressed_records": int(np.count_nonzero(lengths == 0))})


@dataclass(frozen=True, kw_only=True)
class Lengths(Measure):
    """The mean number of visits of a record."""

    name: ClassVar[str] = "mean-length"
    title: ClassVar[str] = "mean length"
    meaning: ClassVar[str] = "visits of a published record, on average"
    formula: ClassVar[str] = "published visits / published records"
    unit: ClassVar[str] = "visits"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "our own"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Any] = "higher"

    def score(self, original: Any, release: Released) -> Score:  # noqa: ARG002
        return Score(float(np.mean(release.data.lengths)), "visits")


@dataclass(frozen=True, kw_only=True)
class Guess(Attack):
    """Guess which record is whose."""

    name: ClassVar[str] = "blind-guess"
    title: ClassVar[str] = "blind guess"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    idea: ClassVar[str] = "picks a record at random"
    against: ClassVar[bool] = False

    def run(self, setting: Any, *, seed: int | None = None, progress: Any = None) -> Finding:  # noqa: ARG002
        successes = np.full(setting.people, 1 / len(setting.original))
        return Finding(self.name, self.title, "nothing", "the right record", successes, of=len(successes))


@dataclass(frozen=True, kw_only=True)
class Loops(Generator):
    """Everybody walks the same loop."""

    name: ClassVar[str] = "loops"

    people: int = param(5, at_least=1, help="how many walk")

    def make(self, *, seed: int | None = None) -> Trajectories:  # noqa: ARG002
        places = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.0, 1.0)}
        return Trajectories.from_lists([["a", "b", "c"]] * self.people, places=places)


@dataclass(frozen=True, kw_only=True)
class Pairs(FrequentSequences):
    """Find frequent sequences, and show them as pairs."""

    name: ClassVar[str] = "pairs"
    separator: ClassVar[str] = " & "


@dataclass(frozen=True, kw_only=True)
class Thanks(ReportSection):
    """A last word."""

    name: ClassVar[str] = "thanks"

    def html(self, comparison: Any, charts: Any) -> str:  # noqa: ARG002
        return f"<p>{comparison.runs} runs, with thanks</p>"


@dataclass(frozen=True, kw_only=True)
class Taken(WellVisited):
    """A method that has the name of a built-in one."""

    name: ClassVar[str] = "seqanon"


@dataclass(frozen=True, kw_only=True)
class Unfinished(Method):
    """A method without a title, and without its function."""

    name: ClassVar[str] = "unfinished"


class Bare(WellVisited):
    """A method that is no dataclass of its own."""

    name: ClassVar[str] = "bare"
