"""Downcoding: undoing generalization, by an attacker who knows that nothing was generalized without need.

A. Cohen, "Attacks on deidentification's defenses", Proc. USENIX Security, 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.generalized_cells import Cells, generalized_parts, is_generalized
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed
from sfumato.data import Chunks
from sfumato.data.base import Ints, Progress
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Downcoding"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Downcoding(Attack):
    """Say for every generalized cell, visit or item which value it really was.

    Notes
    -----
    The attacker knows how often each value occurs in the population (a census, the sales of a shop) and that the method
    generalizes only what it must.  Values that a release also shows as they are need not hide behind labels: what is
    left of each value's count must.  Where only one member of a label has anything left, its cells are undone for
    certain, and taken off, which may settle other labels.  Any other label is taken for the member with most left.

    This is downcoding by counting.  It is sound for any release: it claims certainty only where the counts leave one
    possibility.  The attack of the paper, which plants a distribution of data against one algorithm, is stronger on
    such data.

    Success is that the value is right, for each generalized cell whose true value is known: of a row its value, of
    a set that the person has the item, of a sequence the visit behind the published one (or, where that is not known,
    the visit at that place of a sequence published with all its visits).  The baseline takes any member of the label.

    Examples
    --------
    >>> from sfumato import Table
    >>> people = Table({"age": [30, 30, 30, 31, 52]})
    >>> release = Table({"age": ["30", "[30:31]", "[30:31]", "[30:31]", "52"]})
    >>> from sfumato.attacks.view.setting import Exposed
    >>> found = Downcoding().run(AttackSetting.of(people, Exposed(release, np.array([0, 1, 2, 3, 4]))))
    >>> round(found.mean, 3), found.baseline
    (0.667, 0.5)
    """

    name: ClassVar[str] = "downcoding"
    title: ClassVar[str] = "undoing generalization"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "undoes generalization by counting which values a label must stand for"

    cells: int = param(
        200_000, at_least=1, help="how many generalized cells are attacked; a random sample if there are more"
    )

    def unfit(self, setting: AttackSetting) -> str | None:
        if setting.original.kind not in self.kinds:
            return super().unfit(setting)
        data = setting.release.data
        if isinstance(data, Chunks) or not is_generalized(setting):
            return f"{self.name} undoes generalization, and this release has no generalized labels"
        return None

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:  # noqa: ARG002
        original, seen = setting.original, setting.seen
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        right: list[Floats] = []
        uniform: list[Floats] = []
        certain = generalized = total = n_known = 0
        for cells, truth in generalized_parts(original, seen, setting.release.correspondence, setting.release.origin):
            total += cells.total
            generalized += len(cells.labels)
            guess, sure = _read(cells)
            certain += int(np.count_nonzero(sure[cells.labels]))
            if truth is None:
                continue
            known = np.flatnonzero(truth.known(cells))
            n_known += len(known)
            known = known if len(known) <= self.cells else np.sort(rng.choice(known, self.cells, replace=False))
            right.append(truth.right(cells, known, guess))
            uniform.append(truth.uniform(cells, known))
        hits = np.concatenate([np.empty(0), *right])
        chance = np.concatenate([np.empty(0), *uniform])
        return Finding(
            self.name,
            self.title,
            "how often each value occurs, and that nothing was generalized without need",
            "that the value inferred for a generalized cell is right",
            hits,
            of=n_known,
            unit="cell",
            seed=seed,
            baseline=float(chance.mean()) if len(chance) else None,
            beside="Guessing any member of the label achieves",
            facts={
                "generalized": generalized / total if total else 0.0,
                "certain": certain / generalized if generalized else 0.0,
            },
            notes=()
            if len(hits) or not generalized
            else (with_remedy("The original value of each cell is not known here", "give-report", end="."),),
        )


def _read(cells: Cells) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """What each label is taken for, and whether the counts leave no other possibility.

    A label that can be one value only takes its cells off what is left of that value, which may settle another label.
    """
    guess = np.full(len(cells.members), -1, dtype=np.int64)
    sure = np.zeros(len(cells.members), dtype=bool)
    left = cells.left.copy()
    counts = np.bincount(cells.labels, minlength=len(cells.members))
    waiting = np.flatnonzero(counts).tolist()
    settled = True
    while settled:
        settled = False
        for label in list(waiting):
            possible = cells.members[label][left[cells.members[label]] > 0]
            if len(possible) == 1:
                guess[label], sure[label] = possible[0], True
                left[possible[0]] -= counts[label]
                waiting.remove(label)
                settled = True
    for label in waiting:
        if len(cells.members[label]):
            guess[label] = cells.members[label][int(np.argmax(left[cells.members[label]]))]
    return guess, sure
