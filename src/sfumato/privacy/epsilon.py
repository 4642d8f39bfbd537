"""Differential privacy: a release is nearly as likely without any one person as with them.

C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating noise to sensitivity in private data analysis", TCC 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Dataset
from sfumato.errors import Bug
from sfumato.params import exact, param
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.noise.budget import WHOLE, PrivacyBudget, Spends
from sfumato.privacy.not_covered import Limit

__all__ = ["Epsilon"]

_WITNESSES = 5
_FILES = (
    "differential privacy is a property of the run, which files cannot show; the run checked it on its privacy "
    "budget, which records all noise"
)


@dataclass(frozen=True, kw_only=True)
class Epsilon(PrivacyModel):
    """Any output is at most exp(epsilon) times as likely with a person as without them, and the reverse.

    Notes
    -----
    Two datasets are neighbours if one has a unit more: a person with all their records where persons are known,
    otherwise one record.  The promise is checked on the privacy budget of the run: no unit contributes more than the
    noise assumes, and along no path do the spends exceed epsilon.  Sums are exact, in whole numbers.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> Epsilon(epsilon=1.0).check(Trajectories.from_lists([["a"]])).holds
    'not checkable'
    """

    name: ClassVar[str] = "epsilon"
    title: ClassVar[str] = "epsilon-differential privacy"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "true-of-everybody",
            "what holds for people whether or not they are in the data, such as a habit that most people have",
            rank=3,
        ),
        Limit("epsilons-add-up", "several releases about the same people: their epsilons add up", rank=2),
        Limit(
            "groups",
            "a group of n people who act alike: together they are protected by n times epsilon, which is weaker",
        ),
        Limit(
            "dependent-records",
            "records that depend on each other, such as those of a couple: an attacker who knows one may learn about "
            "the other",
        ),
        Limit(
            "made-from-private",
            "a list of places or items that was derived from the private data, or by looking at them",
        ),
        Limit("chosen-by-looking", "parameters that were chosen by looking at the private data"),
        Limit("side-channel", "side channels of the run, such as its running time"),
    )
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown-noise",
        "several records of one person: persons are not known here, so each record is protected separately, and a "
        "person with many records is protected less",
        rank=2,
    )
    seeded: ClassVar[Limit] = Limit(
        "seed-known",
        "an attacker who knows or guesses the seed: the noise of this release comes from a seed, so the attacker can "
        "compute the noise and subtract it",
        rank=1,
    )
    exact_counts: ClassVar[bool] = False

    epsilon: float = param(
        above=0, stronger="lower", help="largest change that one person makes to the logarithm of any probability"
    )

    def check(self, published: Dataset, original: Dataset | None = None) -> Verdict:  # noqa: ARG002
        self._require_kind(published)
        return Verdict("not checkable", "ledger", reason=_FILES)

    def check_run(self, published: Dataset, original: Dataset, budget: PrivacyBudget) -> Verdict:
        self._require_kind(published)
        if budget.data is None:
            return Verdict(False, "ledger", reason="no noise was drawn")
        if budget.data is not original:
            return Verdict(False, "ledger", reason="the privacy budget belongs to other data")
        return self.check_spends(budget.spends)

    def check_spends(self, spends: Spends) -> Verdict:
        """Whether the spends that a privacy budget recorded keep the promise."""
        along = _along_paths(spends)
        worst = exact(spends.epsilon) * int(along.max()) / WHOLE
        allowed = int(exact(self.epsilon) * WHOLE / exact(spends.epsilon))
        over = np.flatnonzero(along > allowed)
        measured = {
            "spent": float(worst),
            "branches": len(along),
            "contributions": spends.largest,
            "contributions_allowed": spends.at_most,
        }
        witnesses = tuple(
            {"branch": int(branch), "spent": float(exact(spends.epsilon) * int(along[branch]) / WHOLE)}
            for branch in over[:_WITNESSES]
        )
        honest = spends.largest <= spends.at_most and not np.any(spends.shares <= 0)
        return Verdict(honest and len(over) == 0, "ledger", measured, witnesses)


def _along_paths(spends: Spends) -> Any:
    """The shares spent on the path to each branch and in it, as whole numbers of any size."""
    along = [0] * len(spends.parents)
    for branch, share in zip(spends.branches.tolist(), spends.shares.tolist(), strict=True):
        along[branch] += share
    for branch, parent in enumerate(spends.parents.tolist()):
        if parent >= branch:
            raise Bug("a branch of the privacy budget comes before its parent")
        if parent >= 0:
            along[branch] += along[parent]
    return np.array(along, dtype=object)
