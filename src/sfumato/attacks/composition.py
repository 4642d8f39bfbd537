"""Composition: two releases of the same people, each safe by itself, taken together.

S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy", Proc. ACM
KDD, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.choices import Choices
from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.remaining_sensitive import RemainingSensitiveValues
from sfumato.attacks.view.same_person import CompatibleRecords, kept_of
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.attacks.view.targets import drawn_seed, records_of_units
from sfumato.data import Chunks, Dataset
from sfumato.data.base import Ints, Progress
from sfumato.errors import DataError, counted
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Composition"]


@dataclass(frozen=True, kw_only=True)
class Composition(Attack):
    """Look for a person in two releases at once: the anonymity set keeps only records that can be the same person's.

    Notes
    -----
    The attacker knows `known` visits (in order) or items of a person, of a row its quasi-identifiers as well, and that
    the person is in both releases.  In each release some records fit.  Of these, a record of one release stays only if
    a matching record of the other is compatible: columns that are no quasi-identifiers agree, and their places or
    items can be read as one record (sequences label by label, sets in both directions); where one of the releases has
    suppressed something inside records, its record can be read as a part of the other.  Where both have, or where
    something was split or added, or in chunks, records are not compared, and the finding states it (`not_attacked`).
    The anonymity set is the smaller of the two that remain.

    Of those that remain the attacker also sees what is sensitive: how few values of a sensitive column are possible
    (`fewest_sensitive_values`; only values that both releases show), and how many of those left may have the same
    sensitive place, item or value (`highest_probability`); `..._gained` where both reveal more than either
    release alone.

    Success is 1 / set size, for the worst choice of background knowledge; the baseline is the same attacker with the
    more revealing release alone.  A target that matches no record any more is not identified.  Every choice about every
    target is tried as long as `budget` allows; beyond it `targets` of them are drawn, and `tries` choices about each of
    those with more, if not even all about these can be tried.

    Examples
    --------
    >>> from sfumato import Table
    >>> people = Table({"age": [31, 33, 45, 47], "ill": ["flu", "hiv", "flu", "cold"]}, sensitive=("ill",))
    >>> one = Table({"age": ["[31:45]", "[31:45]", "[31:45]", "47"], "ill": ["flu", "flu", "hiv", "cold"]},
    ...             sensitive=("ill",))
    >>> two = Table({"age": ["31", "[33:47]", "[33:47]", "[33:47]"], "ill": ["flu", "cold", "flu", "hiv"]},
    ...             sensitive=("ill",))
    >>> found = Composition().run(AttackSetting.of(people, one, two), seed=1)
    >>> [round(chance, 2) for chance in found.successes.tolist()], round(found.baseline, 2)
    ([1.0, 0.5, 0.5, 1.0], 0.67)
    """

    name: ClassVar[str] = "composition"
    title: ClassVar[str] = "composition of two releases"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "looks for a person in two releases at once, among the records that match in both"
    releases: ClassVar[int] = 2

    known: int = param(2, at_least=1, at_most=20, help="how many visits or items the attacker knows")
    targets: int = param(
        1000, at_least=1, help="how many persons (or records) are attacked where not all can be; at random"
    )
    tries: int = param(
        5, at_least=1, help="how many random choices of background knowledge are tried where not all can be"
    )
    budget: int = param(
        10_000, at_least=0, help="how many choices of background knowledge may be tried for an exact answer"
    )

    def unfit(self, setting: AttackSetting) -> str | None:
        if len(setting.releases) < 2 and setting.original.kind in self.kinds:
            return with_remedy(f"{self.name} needs two releases of the same people", "attack-two-releases")
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        """Attack the first two releases of the setting, `AttackSetting.of(original, first, second)`."""
        if len(setting.releases) < 2:
            raise DataError("composition: wanted two releases of the same people, got one")
        first, second = setting.seen, setting.see(setting.releases[1])
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        # one release that does not show its persons makes records the targets
        by_record = "record" in (first.unit, second.unit)
        own_units = np.arange(len(setting.original)) if by_record else np.asarray(setting.original.units)
        present, starts, records = records_of_units(setting.original, own_units)
        choices = Choices(setting.original, self.known, self.tries, self.budget)
        targets, every = choices.units(starts, records, self.targets, rng)
        kept = [
            kept_of(setting.original, exposed, seen)
            for exposed, seen in zip(setting.releases, (first, second), strict=False)
        ]
        compatible = CompatibleRecords(first, second, (kept[0], kept[1]))
        remaining = RemainingSensitiveValues(setting.original, first, second)
        successes, alone, gained = np.zeros(len(targets)), np.zeros(len(targets)), np.zeros(len(targets))
        settled = np.ones(len(targets), dtype=bool)
        for row, unit in enumerate(targets.tolist()):
            if progress is not None and row % 50 == 0:
                progress("composition", row, len(targets))
            own = records[starts[unit] : starts[unit + 1]]
            person = int(setting.original.units[own[0]])
            settled[row] = every or all(choices.is_settled(record, every) for record in own.tolist())
            for known in choices.about_unit(own, rng, every):
                here, there = first.fitting(known), second.fitting(known)
                set_sizes = [seen.set_size(part) for seen, part in ((first, here), (second, there))]
                by_one = max(1 / set_size if set_size else 0.0 for set_size in set_sizes)
                before = here, there
                if all(_target_present(exposed, seen, part, person) for exposed, seen, part in (
                    (setting.releases[0], first, here), (setting.releases[1], second, there),
                )):  # fmt: skip
                    here, there = compatible.select(here, there)
                    remaining.weigh(known, before, (here, there))
                set_size = min(first.set_size(here), second.set_size(there))
                by_both = 1 / set_size if set_size else 0.0
                alone[row], successes[row] = max(alone[row], by_one), max(successes[row], by_both)
                if by_both > by_one:
                    gained[row] = max(gained[row], by_both)
        same = first.unit == second.unit
        return Finding(
            self.name,
            self.title,
            f"{_knowledge(setting.original, self.known)} of a person, and that the person is in both releases",
            "the probability of identifying the person among those who match in both releases",
            successes,
            of=len(present),
            unit="record" if by_record else setting.original.unit,
            baseline=float(alone.mean()) if len(alone) else 0.0,
            beside="With the more revealing release alone, the same attacker achieves",
            at_most=True,
            settled=settled,
            seed=seed,
            facts={
                "alone_worst": float(alone.max(initial=0.0)),
                "smallest_anonymity_set": _smallest_set_size(successes),
                "smallest_anonymity_set_gained": _smallest_set_size(gained),
                "gained": float(np.mean(gained > 0)) if len(gained) else 0.0,
                "choices": compatible.choices,
                "unrefined": compatible.skipped,
                "not_attacked": compatible.why or None,
                **remaining.facts(),
            },
            notes=(
                *remaining.sentences(),
                *_uncompared_notes(compatible),
                *(("One release is counted in records, the other in persons.",) * (not same)),
                *_unit_note(setting, first),
            ),
        )


def _smallest_set_size(successes: npt.NDArray[np.float64]) -> int | None:
    """The size of the smallest anonymity set of an identified target; None if no target was identified."""
    return round(1 / successes.max()) if successes.any() else None


def _target_present(exposed: Exposed, seen: PublishedView, records: Ints, unit: int) -> bool:
    """Whether a target is among some records; assumed where this is not known."""
    return exposed.correspondence is None or isinstance(seen.data, Chunks) or bool(np.any(seen.units[records] == unit))


def _uncompared_notes(compatible: CompatibleRecords) -> tuple[str, ...]:
    """What was not compared, in a sentence each."""
    sentences = []
    if compatible.why:
        besides = "only other columns of their records are compared" if compatible.columns else (
            "matching records are counted, but not compared with each other"
        )  # fmt: skip
        sentences.append(f"Not attacked: {compatible.why}; {besides}.")
    if compatible.skipped:
        sentences.append(
            f"Not attacked: {compatible.skipped:,} of {compatible.choices:,} choices of background knowledge, because "
            "too many records match to compare them."
        )
    return tuple(sentences)


def _knowledge(original: Dataset, known: int) -> str:
    points = {"trajectories": f"{counted(known, 'visit')} in order", "transactions": counted(known, "item")}
    rows = {"table": "all quasi-identifiers", "mixed": f"all quasi-identifiers and {counted(known, 'item')}"}
    return (points | rows)[original.kind]


def _unit_note(setting: AttackSetting, seen: PublishedView) -> tuple[str, ...]:
    if setting.original.persons is None or seen.unit == "person":
        return ()
    return ("The persons behind the published records are not known here, so anonymity sets are counted in records.",)
