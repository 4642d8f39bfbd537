"""Relinking: an attacker who has one piece of a trajectory looks for the other pieces of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.pieces.piece_scores import PieceScores, StyleScores, VisitScores
from sfumato.attacks.view.published_view import LabelView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import chosen, drawn_seed, known_points
from sfumato.data import Trajectories
from sfumato.data.base import Ints, Progress
from sfumato.errors import counted
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Relinking"]

_SCORES: dict[str, type[PieceScores]] = {"visits": VisitScores, "style": StyleScores}


@dataclass(frozen=True, kw_only=True)
class Relinking(Attack):
    """Find another piece of the trajectory that a published piece belongs to.

    Notes
    -----
    The attacker has one piece, and picks the other piece of the release that fits best; equally good pieces share
    the probability.  What fits best depends on what the attacker knows:

    - ``visits``: some random visits of the trajectory, in order.  The best piece explains the most of them together
      with the given one.
    - ``style``: all other trajectories of the person.  The best piece has the visits that are most probable for the
      person, compared with anybody (naive Bayes).

    Success is that the picked piece belongs to the same trajectory; `same_person` is how often it belongs to
    the same person.  Targets are the pieces of trajectories that are published as several pieces.  The baseline picks
    any other piece.  The control is the same attack on the same pieces with their original places.

    Known visits are drawn at random for each piece, so those figures are a sample and have an interval.

    Examples
    --------
    >>> from sfumato import KmSplit
    >>> walks = Trajectories.from_lists(
    ...     ["ab", "ab", "abcd", "cd", "cd"], places={"a": (0, 0), "b": (9, 0), "c": (0, 9), "d": (9, 9)}
    ... )
    >>> setting = AttackSetting.of(walks, KmSplit(k=3, m=2).anonymize(walks))
    >>> found = Relinking(known=4).run(setting, seed=1)
    >>> found.successes.tolist(), found.baseline
    ([0.333..., 0.333...], 0.2)
    """

    name: ClassVar[str] = "relinking"
    title: ClassVar[str] = "linking pieces of one trajectory"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    idea: ClassVar[str] = "finds the other pieces of a trajectory that was published in several pieces"

    knows: str = param(
        "visits",
        choices=("visits", "style"),
        help="whether the attacker knows visits of the trajectory, or the other trajectories of the person",
    )
    known: int = param(4, at_least=1, at_most=20, help="how many visits the attacker knows, with knows=visits")
    targets: int = param(2000, at_least=1, help="how many pieces are attacked; a random sample if there are more")
    control: bool = param(True, help="whether the pieces with their original places are attacked too")

    def unfit(self, setting: AttackSetting) -> str | None:
        if setting.original.kind not in self.kinds:
            return super().unfit(setting)
        behind, certificate = setting.release.correspondence, setting.release.certificate
        whole = f"{self.name} links pieces of one trajectory, and this release publishes each trajectory as one record"
        if behind is None:
            if certificate is not None and certificate.records.get("split") == 0:
                return whole
            return with_remedy(
                f"{self.name} needs the original record of each published record, which is not known here",
                "give-report",
            )
        if len(_linkable(behind)) == 0:
            return whole
        if self.knows == "style" and setting.original.persons is None:
            return with_remedy(f"{self.name} by style needs persons, these data have none", "name-person-column")
        return None

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        original, release = setting.original, setting.release
        assert release.correspondence is not None, "`unfit` refuses a release without one"
        assert setting.seen.labels is not None
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        all_targets = _linkable(release.correspondence)
        links = _Links(release.correspondence, np.asarray(original.units), all_targets)
        links = replace(links, targets=all_targets[chosen(len(all_targets), self.targets, rng)])
        known = [self._known(original, record, rng) for record in links.records]
        successes, same_person = links.successes(self._scores(original, setting.seen.labels), known, progress)
        control = None
        if self.control and release.origin is not None and np.all(release.origin >= 0):
            bare = replace(release.data, codes=original.codes[release.origin], names=original.names, members={})
            unprotected = self._scores(original, LabelView(bare, original.names))
            control = float(links.successes(unprotected, known, progress)[0].mean())
        random_choices = self.knows == "visits" and bool(np.any(original.lengths[links.records] > self.known))
        return Finding(
            self.name,
            self.title,
            f"one piece of a trajectory, and {self._knowledge()}",
            "the probability that the piece picked next belongs to the same trajectory",
            successes,
            of=None if random_choices else len(all_targets),
            unit="piece",
            baseline=links.baseline(release.correspondence),
            control=control,
            seed=seed,
            facts={
                "linkable": len(all_targets) / len(release.data),
                "same_person": float(same_person.mean()),
                "same_person_baseline": links.baseline(links.units),
            },
            notes=()
            if original.persons is None
            else (
                f"The picked piece belongs to the same person with a probability of {same_person.mean():.2%} "
                f"(guessing {links.baseline(links.units):.2%}).",
            ),
        )

    def _scores(self, original: Trajectories, labels: LabelView) -> PieceScores:
        return _SCORES[self.knows](original, labels)

    def _known(self, original: Trajectories, record: int, rng: np.random.Generator) -> tuple[int, ...]:
        if self.knows != "visits":
            return ()
        drawn = known_points(original, record, self.known, rng)
        return () if drawn is None else drawn.elements

    def _knowledge(self) -> str:
        if self.knows == "style":
            return "all other trajectories of the person"
        return f"{counted(self.known, 'random visit')} of this trajectory, in order"


def _linkable(behind: Ints) -> Ints:
    """The pieces of original records that are published as several pieces."""
    counts = np.bincount(behind[behind >= 0], minlength=1)
    return np.flatnonzero((behind >= 0) & (counts[np.maximum(behind, 0)] > 1))


@dataclass(frozen=True, eq=False)
class _Links:
    """Which pieces belong together.

    behind : the original record of each piece, -1 for a dummy.  unit_of_record : the person of each original record.
    targets : the pieces that are attacked.
    """

    behind: Ints
    unit_of_record: Ints
    targets: Ints

    @property
    def records(self) -> list[int]:
        return [int(record) for record in self.behind[self.targets]]

    @property
    def units(self) -> Ints:
        """The person of each piece, -1 for a dummy."""
        return np.where(self.behind >= 0, self.unit_of_record[self.behind], -1)

    def successes(
        self, scores: PieceScores, known: list[tuple[int, ...]], progress: Progress | None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """For each target the probability of picking a piece of the same record, and of the same person."""
        units = self.units
        found = np.zeros((2, len(self.targets)))
        for index, (piece, record, visits) in enumerate(zip(self.targets, self.records, known, strict=True)):
            if progress is not None and index % 256 == 0:
                progress("linking pieces", index, len(self.targets))
            score = scores.of(int(piece), record, visits)
            score[piece] = -np.inf
            best = np.flatnonzero(score == score.max())
            found[0, index] = np.mean(self.behind[best] == record)
            found[1, index] = np.mean(units[best] == units[piece])
        return found[0], found[1]

    def baseline(self, owners: Ints) -> float:
        """The mean probability that any other piece has the same owner as the target."""
        counts = np.bincount(owners[owners >= 0])
        return float(np.mean(counts[owners[self.targets]] - 1) / (len(owners) - 1))
