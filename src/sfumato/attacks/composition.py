"""Composition: two releases of the same people, each safe by itself, taken together.

S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy", Proc. ACM
KDD, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding, Progress
from sfumato.attacks.view.published_view import Seen
from sfumato.attacks.view.remaining_sensitive import SecretsLeft
from sfumato.attacks.view.same_person import Twins, kept_of
from sfumato.attacks.view.setting import Exposed, Scene
from sfumato.attacks.view.targets import chosen, known_pieces, records_of_units
from sfumato.data import Chunks, Table
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.params import param

__all__ = ["Composition"]


@dataclass(frozen=True, kw_only=True)
class Composition(Attack):
    """Look for a person in two releases at once: only records that can be the same person's are left in the crowd.

    Notes
    -----
    The attacker knows `known` visits (in order) or items of somebody, of a row its quasi-identifiers as well, and that
    the person is in both releases.  In each release some records fit.  Of these, a record of one release stays only if
    a fitting record of the other can be its twin: columns that are no quasi-identifiers agree, and their places or
    items can be read as one record (sequences label by label, sets in both directions); where one of the releases has
    suppressed something inside records, its record can be read as a part of the other.  Where both have, or where
    something was split or added, or in chunks, records are not compared, and the finding says so (`not_attacked`).
    The crowd is the smaller of the two that are left.

    Of those left the attacker also sees what is sensitive: how few values of a sensitive column somebody can have
    (`fewest_secrets`; only values that both releases show), and how many of those left may have the same sensitive
    place, item or value (`surest_secret`); `..._gained` where both tell more than either release alone.

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
        kept = [kept_of(scene.original, one, seen) for one, seen in zip(scene.releases, (first, second), strict=False)]
        twins = Twins(first, second, (kept[0], kept[1]))
        secrets = SecretsLeft(scene.original, first, second)
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
                before = here, there
                if all(_there(one, seen, part, int(present[unit])) for one, seen, part in (
                    (scene.releases[0], first, here), (scene.releases[1], second, there),
                )):  # fmt: skip
                    here, there = twins.left(here, there)
                    secrets.weigh(known, before, (here, there))
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
                "choices": twins.choices,
                "unrefined": twins.skipped,
                "not_attacked": twins.why or None,
                **secrets.facts(),
            },
            notes=(
                *secrets.sentences(),
                *_uncompared(twins),
                *(("One of the releases is counted in records, the other in persons.",) * (not same)),
                *_unsaid(scene, first),
            ),
        )


def _crowd(successes: npt.NDArray[np.float64]) -> int | None:
    """The smallest crowd that somebody was found in; nothing if nobody was."""
    return round(1 / successes.max()) if successes.any() else None


def _there(exposed: Exposed, seen: Seen, records: Ints, unit: int) -> bool:
    """Whether a target is among some records; taken to be where nobody can tell."""
    return exposed.correspondence is None or isinstance(seen.data, Chunks) or bool(np.any(seen.units[records] == unit))


def _uncompared(twins: Twins) -> tuple[str, ...]:
    """What was not compared, in a sentence each."""
    found = []
    if twins.why:
        besides = "of their records only other columns are compared" if twins.columns else (
            "records that fit are counted, not whether they fit each other"
        )  # fmt: skip
        found.append(f"Not attacked: {twins.why}; {besides}.")
    if twins.skipped:
        found.append(
            f"Not attacked: {twins.skipped:,} of {twins.choices:,} choices of pieces, which too many records fit to "
            "compare them."
        )
    return tuple(found)


def _knowledge(original: Any, known: int) -> str:
    pieces = {"trajectories": f"{known} visits in order", "transactions": f"{known} items"}
    rows = {"table": "all quasi-identifiers", "mixed": f"all quasi-identifiers and {known} items"}
    return (pieces | rows)[original.kind]


def _unsaid(scene: Scene, seen: Seen) -> tuple[str, ...]:
    if scene.original.persons is None or seen.unit == "person":
        return ()
    return ("Who is behind the published records is not known here, so crowds are counted in records.",)
