"""Composition: two releases of the same people, each safe by itself, taken together.

S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy", Proc. ACM
KDD, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.base import Attack, Finding, Progress
from sfumato.attacks.scene import Scene
from sfumato.attacks.seen import Seen
from sfumato.attacks.targets import chosen, known_pieces, records_of_units
from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.coding import texts_of
from sfumato.errors import DataError
from sfumato.kernels.verify_attacks import compatible
from sfumato.params import param

__all__ = ["Composition"]

_PAIRS = 250_000  # pairs of records that may be compared for one choice of pieces; a larger crowd stays as it is


@dataclass(frozen=True, kw_only=True)
class Composition(Attack):
    """Look for a person in two releases at once: only records that can be the same person's are left in the crowd.

    Notes
    -----
    The attacker knows `known` visits (in order) or items of somebody, of a row its quasi-identifiers as well, and that
    the person is in both releases.  In each release some records fit.  Of these, a record of one release stays only if
    a fitting record of the other can be its twin: columns that are no quasi-identifiers agree, and their places or
    items can be read as one record (sequences label by label, sets in both directions), where neither release has
    suppressed, split or added anything.  The crowd is the smaller of the two that are left.

    Success is 1 / crowd, for the worst of `tries` random choices of pieces of each target; the baseline is the same
    attacker with the better one of the two releases alone.  A target that fits nothing any more is not found.

    Examples
    --------
    >>> from sfumato import Table
    >>> people = Table({"age": [31, 33, 45, 47], "ill": ["flu", "hiv", "flu", "cold"]}, sensitive=("ill",))
    >>> one = Table({"age": ["[31:45]", "[31:45]", "[31:45]", "47"], "ill": ["flu", "flu", "hiv", "cold"]},
    ...             sensitive=("ill",))
    >>> two = Table({"age": ["31", "[33:47]", "[33:47]", "[33:47]"], "ill": ["flu", "cold", "flu", "hiv"]},
    ...             sensitive=("ill",))
    >>> found = Composition().run(Scene.of(people, one, two), seed=1)
    >>> [round(chance, 2) for chance in found.successes.tolist()], round(found.baseline, 2)
    ([1.0, 0.5, 0.5, 1.0], 0.67)
    """

    name: ClassVar[str] = "composition"
    title: ClassVar[str] = "composition of two releases"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "looks for a person in two releases at once and keeps what fits both"
    releases: ClassVar[int] = 2

    known: int = param(2, at_least=1, at_most=20, help="how many visits or items the attacker knows")
    targets: int = param(1000, at_least=1, help="how many persons (or records) are attacked; more are drawn from")
    tries: int = param(5, at_least=1, help="how many choices of pieces are tried for each target")

    def unfit(self, scene: Scene) -> str | None:
        if len(scene.releases) < 2 and scene.original.kind in self.kinds:
            return f"{self.name} takes two releases of the same people: give --against twice"
        return super().unfit(scene)

    def run(self, scene: Scene, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        """Attack the first two releases of the scene, `Scene.of(original, first, second)`."""
        if len(scene.releases) < 2:
            raise DataError("composition: wanted two releases of the same people, got one")
        first, second = scene.seen, scene.see(scene.releases[1])
        rng = np.random.default_rng(seed)
        present, starts, records = records_of_units(scene.original)
        some = chosen(len(present), self.targets, rng)
        twins = _Twins(first, second)
        found, alone, gained = np.zeros(len(some)), np.zeros(len(some)), np.zeros(len(some))
        for row, unit in enumerate(some.tolist()):
            if progress is not None and row % 50 == 0:
                progress("composition", row, len(some))
            own = records[starts[unit] : starts[unit + 1]]
            for _ in range(self.tries):
                known = known_pieces(scene.original, int(rng.choice(own)), self.known, rng)
                if known is None:
                    continue
                here, there = first.fitting(known), second.fitting(known)
                crowds = [seen.crowd(part) for seen, part in ((first, here), (second, there))]
                by_one = max(1 / crowd if crowd else 0.0 for crowd in crowds)
                here, there = twins.left(here, there)
                crowd = min(first.crowd(here), second.crowd(there))
                by_both = 1 / crowd if crowd else 0.0
                alone[row], found[row] = max(alone[row], by_one), max(found[row], by_both)
                if by_both > by_one:
                    gained[row] = max(gained[row], by_both)
                if isinstance(scene.original, Table):
                    break  # all quasi-identifiers are known: there is nothing to draw
        same = first.unit == second.unit
        return Finding(
            self.name,
            self.title,
            f"{_knowledge(scene.original, self.known)} of somebody, and that they are in both releases",
            "the probability of picking the person out of those who fit both releases",
            found,
            of=len(present),
            unit=scene.original.unit,
            baseline=float(alone.mean()) if len(alone) else 0.0,
            beside="With the better one of the releases alone the same attacker achieves",
            at_most=True,
            facts={
                "alone_worst": float(alone.max(initial=0.0)),
                "smallest_crowd": _crowd(found),
                "smallest_crowd_gained": _crowd(gained),
                "gained": float(np.mean(gained > 0)) if len(gained) else 0.0,
                "unrefined": twins.skipped,
            },
            notes=(
                *((f"{twins.why}: records that fit are counted, not whether they fit each other.",) * bool(twins.why)),
                *(("One of the releases is counted in records, the other in persons.",) * (not same)),
                *_unsaid(scene, first),
            ),
        )


def _crowd(successes: npt.NDArray[np.float64]) -> int | None:
    """The smallest crowd that somebody was found in; nothing if nobody was."""
    return round(1 / successes.max()) if successes.any() else None


class _Twins:
    """Which fitting records of two releases can be of the same person."""

    def __init__(self, first: Seen, second: Seen) -> None:
        self.first, self.second = first, second
        self.skipped = 0
        self._keys = _other_columns(first, second)
        self.why = ""
        self._pieces = first.labels is not None and second.labels is not None
        if self._pieces and not (first.whole and second.whole):
            self._pieces = False
            self.why = "Something was suppressed, split or added"

    def left(self, here: Ints, there: Ints) -> tuple[Ints, Ints]:
        if self._keys is not None:
            mine, theirs = self._keys[0][here], self._keys[1][there]
            here, there = here[np.isin(mine, theirs)], there[np.isin(theirs, mine)]
        if not self._pieces or len(here) == 0 or len(there) == 0:
            return here, there
        if len(here) * len(there) > _PAIRS:
            self.skipped += 1
            return here, there
        one, other = self.first.labels, self.second.labels
        assert one is not None
        assert other is not None
        left, right = compatible(
            here.astype(np.int64),
            there.astype(np.int64),
            one.data.kind == "trajectories",
            one.data.codes,
            one.data.offsets,
            one.starts,
            one.members,
            other.data.codes,
            other.data.offsets,
            other.starts,
            other.members,
        )
        return here[left], there[right]


def _other_columns(first: Seen, second: Seen) -> tuple[Ints, Ints] | None:
    """The values of the columns that are no quasi-identifiers in either release, as one number a row."""
    tables = [seen.data.table if isinstance(seen.data, Mixed) else seen.data for seen in (first, second)]
    if not all(isinstance(table, Table) for table in tables):
        return None
    known = {column for table in tables for column in table.quasi_identifiers}
    columns = [c for c in tables[0].frame.columns if c in tables[1].frame.columns and c not in known]
    if not columns:
        return None
    texts = [pl.DataFrame({c: texts_of(table[c]).cast(pl.String) for c in columns}) for table in tables]
    both = pl.concat(texts)
    number = both.select(pl.struct(columns).rank("dense").alias("key"))["key"].to_numpy().astype(np.int64)
    return number[: len(texts[0])], number[len(texts[0]) :]


def _knowledge(original: Any, known: int) -> str:
    pieces = {"trajectories": f"{known} visits in order", "transactions": f"{known} items"}
    rows = {"table": "all quasi-identifiers", "mixed": f"all quasi-identifiers and {known} items"}
    return (pieces | rows)[original.kind]


def _unsaid(scene: Scene, seen: Seen) -> tuple[str, ...]:
    if scene.original.persons is None or seen.unit == "person":
        return ()
    return ("Who is behind the published records is not known here, so crowds are counted in records.",)
