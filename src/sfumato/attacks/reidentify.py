"""Re-identification: an attacker knows a few visits, items or quasi-identifiers and looks for the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.attacks.audit.audit import Audit
from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.published_view import Knowledge, PublishedView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import chosen, elements_of, known_points, records_of_units
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Progress
from sfumato.errors import counted
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Reidentify", "sensitive_codes"]


@dataclass(frozen=True, kw_only=True)
class Reidentify(Attack):
    """Identify a person in a release by `known` of their visits or items, and in a table by quasi-identifiers.

    Notes
    -----
    The attacker knows places or items as they were collected, of a trajectory in order, and reads each label of the
    release as any of its members.  The anonymity set is all whose published record matches; success is 1 / its size, or
    0 where no record matches any more, for the worst of several choices of knowledge: the points that are rarest in
    the release, and `tries` at random.  Where the persons behind the records are known, a set without
    the target counts 0.  Anonymity sets count persons where they are known.

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
        2000, at_least=1, help="how many persons (or records) are attacked; a random sample if there are more"
    )
    tries: int = param(10, at_least=1, help="how many random choices of background knowledge are tried for each target")

    def unfit(self, setting: AttackSetting) -> str | None:
        if not setting.releases and isinstance(setting.original, Table | Mixed):
            return f"{self.name} without a release fits trajectories and transactions"
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        if not setting.releases:
            return self._without_release(setting.original, seed, progress)
        seen, original = setting.seen, setting.original
        rng = np.random.default_rng(seed)
        without = frozenset() if self.sensitive else sensitive_codes(original)
        present, starts, records = records_of_units(original)
        targets = chosen(len(present), self.targets, rng)
        worst, random = np.zeros(len(targets)), np.zeros(len(targets))
        known_persons = setting.release.correspondence is not None
        smallest = 0
        for row, target in enumerate(targets.tolist()):
            if progress is not None and row % 100 == 0:
                progress(self.name, row, len(targets))
            own = records[starts[target] : starts[target + 1]]
            chances = []
            for turn in range(self.tries + 1):
                record = int(own[0] if len(own) == 1 else rng.choice(own))
                known = (
                    _rarest(seen, original, record, self.known, self.ordered, without)
                    if turn == 0
                    else known_points(original, record, self.known, rng, ordered=self.ordered, without=without)
                )
                if known is None:
                    continue
                chance, set_size = _chance(
                    seen, known, int(present[target]) if original.persons is not None else record, known_persons
                )
                chances.append(chance)
                smallest = min(smallest or set_size, set_size) if set_size else smallest
                if isinstance(original, Table):
                    break
            worst[row] = max(chances, default=0.0)
            random[row] = float(np.mean(chances[1:] or chances)) if chances else 0.0
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability of identifying the person among all who match",
            worst,
            of=len(present),
            unit=original.unit,
            baseline=1 / max(1, len(seen)),
            at_most=not known_persons,
            facts={
                "random_mean": float(random.mean()) if len(random) else 0.0,
                "smallest_anonymity_set": smallest or None,
                "anonymity_set_unit": seen.unit,
            },
            notes=_notes(setting, seen),
        )

    def _without_release(self, original: Dataset, seed: int | None, progress: Progress | None) -> Finding:
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


def _chance(seen: PublishedView, known: Knowledge, unit: int, known_person: bool) -> tuple[float, int]:
    """The probability of success and the size of the anonymity set."""
    fitting = seen.fitting(known)
    set_size = seen.set_size(fitting)
    if set_size == 0:
        return 0.0, 0
    if known_person and not np.any(seen.units[fitting] == unit):
        return 0.0, set_size
    return 1 / set_size, set_size


def _rarest(
    seen: PublishedView, original: Dataset, record: int, known: int, ordered: bool, without: frozenset[int]
) -> Knowledge | None:
    """The visits or items of a record that fewest published records have, as far as any has them."""
    row = record if isinstance(original, Table | Mixed) else -1
    elements = elements_of(original, record)
    if without:
        elements = elements[~np.isin(elements, list(without))]
    if len(elements) == 0 or seen.labels is None:
        return Knowledge(row=row) if row >= 0 else None
    labels = seen.labels
    support = np.array([len(labels.records_with(int(leaf))) for leaf in elements])
    there = np.flatnonzero(support > 0)
    if len(there) == 0:
        return Knowledge(row=row) if row >= 0 else None
    positions = np.sort(there[np.argsort(support[there], kind="stable")[:known]])
    in_order = ordered and original.kind == "trajectories"
    points = elements[positions].tolist()
    return Knowledge(tuple(points) if in_order else tuple(sorted(set(points))), in_order, row)


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
