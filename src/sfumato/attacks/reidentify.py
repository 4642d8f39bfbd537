"""Re-identification: an attacker knows a few visits, items or quasi-identifiers and looks for the person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.audit import Audit
from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.background import BackgroundSets, SetsOfTargets, own_units
from sfumato.attacks.view.chunk_view import ChunkView
from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import chosen, drawn_seed
from sfumato.attacks.view.tried_sets import CountedChunks, TriedSets
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints, Progress
from sfumato.errors import counted
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Reidentify", "sensitive_codes"]


@dataclass(frozen=True, kw_only=True)
class Reidentify(Attack):
    """Identify a person in a release by `known` of their visits or items, and in a table by quasi-identifiers.

    Notes
    -----
    The attacker knows up to `known` places or items of one record as they were collected, of a trajectory in order,
    and reads each label of the release as any of its members.  The anonymity set is all whose published record matches.
    Success is 1 / its size, for the choice of background knowledge with the smallest set; 0 where no record matches any
    more.  Where the persons of the published records are known, a set without the target counts 0, and persons are
    targets and are counted; otherwise records are.

    Every choice of background knowledge about every target is counted, so the figures are exact, as long as `budget`
    allows, which counts the visits or items that are read.  Beyond it `targets` of them are drawn at random; and if
    not even all choices about these can be counted, then fewer known points are counted, the rarest points of each and
    `tries` random choices are tried, and the figures are lower bounds.  `exact` states which it is.

    `random_mean` is the mean success of an attacker who knows `known` random visits or items (all, where there are
    fewer) of a random record of the target.

    Without a release the anonymity sets of the data as they are, as `Audit` finds them.

    Examples
    --------
    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["a", "b"]], places={"a": (0, 0), "b": (1, 0),
    ...                                                                               "c": (1, 1)})
    >>> attack = Reidentify(known=2)
    >>> attack.run(AttackSetting.of(walks)).worst
    1.0
    >>> attack.run(AttackSetting.of(walks, SeqAnon(k=3, m=2).anonymize(walks))).worst
    0.333...
    """

    name: ClassVar[str] = "reidentify"
    title: ClassVar[str] = "re-identification by background knowledge"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "identifies a person by a few visits, items or quasi-identifiers"
    against: ClassVar[bool] = False

    known: int = param(2, at_least=1, at_most=20, help="how many visits or items the attacker knows")
    ordered: bool = param(True, help="whether the attacker knows the order of the visits")
    sensitive: bool = param(True, help="whether the attacker may also know sensitive places and items")
    targets: int = param(
        2000, at_least=1, help="how many persons (or records) are attacked where not all can be counted; at random"
    )
    tries: int = param(
        10, at_least=1, help="how many random choices of background knowledge are tried where not all can be counted"
    )
    budget: int = param(1_000_000_000, at_least=0, help="how many visits or items may be read for an exact answer")

    def unfit(self, setting: AttackSetting) -> str | None:
        if not setting.releases and isinstance(setting.original, Table | Mixed):
            return f"{self.name} without a release fits trajectories and transactions"
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        if not setting.releases:
            return self._without_release(setting.original, seed, progress)
        seen, original, seed = setting.seen, setting.original, drawn_seed(seed)
        sets, targets, settled = self._sets(setting, np.random.default_rng(seed), progress)
        n_units = len(np.unique(own_units(original, seen)))
        is_exact = len(targets) == n_units and bool(settled.all())
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability of identifying the person among all who match",
            np.where(sets.set_sizes > 0, 1 / np.maximum(sets.set_sizes, 1), 0.0),
            of=n_units,
            unit=seen.unit,
            baseline=1 / max(1, seen.set_size(np.arange(len(seen)))),
            at_most=setting.release.correspondence is None,
            settled=settled,
            seed=seed,
            facts={
                "random_mean": float(sets.chances.mean()) if len(targets) else 0.0,
                "smallest_anonymity_set": sets.smallest,
                "anonymity_set_unit": seen.unit,
            },
            notes=(*_smallest(sets, seen.unit, exact=is_exact), *_notes(setting, seen)),
        )

    def _sets(
        self, setting: AttackSetting, rng: np.random.Generator, progress: Progress | None
    ) -> tuple[SetsOfTargets, Ints, npt.NDArray[np.bool_]]:
        """The sets of all targets or of some, the targets, and whether every choice about each was counted."""
        seen, original = setting.seen, setting.original
        without = frozenset() if self.sensitive else sensitive_codes(original)
        everyone = np.arange(len(np.unique(own_units(original, seen))))
        own_only = setting.release.correspondence is not None
        kind = CountedChunks if isinstance(seen, ChunkView) else BackgroundSets
        sets = kind(original, seen, self.known, self.ordered, own_only, without)
        counts = sets.count(everyone, self.budget)
        if counts is not None:
            return counts, everyone, np.ones(len(everyone), dtype=bool)
        targets = chosen(len(everyone), self.targets, rng)
        counts = sets.count(targets, self.budget) if len(targets) < len(everyone) else None
        if counts is not None:
            return counts, targets, np.ones(len(targets), dtype=bool)
        tried = TriedSets(original, seen, self.known, self.ordered, own_only, without, self.tries)
        counts = tried.count(targets, rng, progress)
        for known in range(1, self.known):  # an attacker who knows less may be the more successful of those tried
            less = replace(sets, known=known).count(targets, self.budget)
            if less is None:
                break
            counts = counts.with_smaller(less)
        return counts, targets, counts.set_sizes == 1

    def _without_release(self, original: Dataset, seed: int | None, progress: Progress | None) -> Finding:
        seed = drawn_seed(seed)
        findings = Audit(known=self.known, ordered=self.ordered).run(original, seed=seed, progress=progress)
        risks = findings.of(self.known)
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability of identifying the person among all who match, given the most identifying background "
            "knowledge",
            1.0 / risks.set_sizes,
            of=len(findings.knowable),
            unit=original.unit,
            settled=risks.settled,
            seed=seed,
            baseline=1 / max(1, len(findings.knowable)),
            facts={
                "random_mean": findings.figure("risk_random"),
                "smallest_anonymity_set": int(risks.set_sizes.min()) if len(risks) else None,
                "anonymity_set_unit": original.unit,
            },
            notes=tuple(findings.notes),
        )

    def _knowledge(self, original: Dataset) -> str:
        how = "in order" if self.ordered else "as a set"
        kinds = {
            "trajectories": f"{counted(self.known, 'visit')} of a person, {how}",
            "transactions": f"{counted(self.known, 'item')} of a person",
            "table": "all quasi-identifiers of a person's row",
            "mixed": f"all quasi-identifiers of a person's row and {self.known} of their items",
        }
        return kinds[original.kind] + ("" if self.sensitive else ", none of them sensitive")


def sensitive_codes(original: Any) -> frozenset[int]:
    """The sensitive places or items, as codes."""
    part = original.items if isinstance(original, Mixed) else original
    if isinstance(part, Table):
        return frozenset()
    hidden = part.sensitive_among(part.names)
    return frozenset(code for code, name in enumerate(part.names) if name in hidden)


def _smallest(sets: SetsOfTargets, unit: str, *, exact: bool) -> tuple[str, ...]:
    """The smallest anonymity set in a sentence; a sample may have missed a smaller one."""
    if sets.smallest is None:
        return ("No published record matches any background knowledge.",)
    return (f"The smallest anonymity set has {'' if exact else 'at most '}{counted(sets.smallest, unit)}.",)


def _notes(setting: AttackSetting, seen: PublishedView) -> tuple[str, ...]:
    if setting.original.persons is None or seen.unit == "person":
        return ()
    return (
        with_remedy(
            "The persons of the published records are not known here, so anonymity sets are counted in records",
            "give-report",
            end=".",
        ),
    )
