"""How well published pieces match a given one: by known visits, or by the style of a person."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from sfumato.attacks.view.published_view import LabelView
from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.verify.compatibility import explained_together

__all__ = ["PieceScores", "StyleScores", "VisitScores"]

Floats = npt.NDArray[np.float64]

_DIGITS = 9  # of a score; pieces whose scores differ by rounding alone are equally good


class PieceScores(ABC):
    """Scores every published piece for an attacker who has one piece of a trajectory and looks for another.

    original : the private trajectories.  labels : the published pieces.
    """

    def __init__(self, original: Trajectories, labels: LabelView) -> None:
        self._original, self._labels, self._pieces = original, labels, labels.data

    @abstractmethod
    def of(self, piece: int, record: int, known: tuple[int, ...]) -> Floats:
        """The score of each published piece; the best one has the largest.

        piece : the number of the given one.  record : its original trajectory.  known : visits of this trajectory, in
        order, as codes.
        """


class VisitScores(PieceScores):
    """How many of the known visits the given piece and another one explain together."""

    def of(self, piece: int, record: int, known: tuple[int, ...]) -> Floats:  # noqa: ARG002
        hits = np.zeros((len(known), max(1, len(self._pieces.names))), dtype=np.bool_)
        for index, place in enumerate(known):
            hits[index, self._labels.labels_of(place)] = True
        offsets = self._pieces.offsets
        given = self._pieces.codes[offsets[piece] : offsets[piece + 1]]
        explained = explained_together(given, self._pieces.codes, offsets, hits)
        return np.asarray(explained, dtype=np.float64)


class StyleScores(PieceScores):
    """How much more probable the visits of a piece are for the person than for anybody (naive Bayes).

    The attacker knows how often the person visits each place in other trajectories, and how popular places are.
    """

    def __init__(self, original: Trajectories, labels: LabelView) -> None:
        super().__init__(original, labels)
        units = np.asarray(original.units)
        self._unit = units
        self._order = np.argsort(units, kind="stable")
        self._starts = np.searchsorted(units[self._order], np.arange(int(units.max(initial=-1)) + 2))
        self._popularity = self._of_labels(original.codes) / max(1, len(original.codes))

    def of(self, piece: int, record: int, known: tuple[int, ...]) -> Floats:  # noqa: ARG002
        unit = self._unit[record]
        own = self._order[self._starts[unit] : self._starts[unit + 1]]
        visits = self._original.codes[self._original.elements_of(own[own != record])]
        visited = self._popularity > 0
        share = (self._of_labels(visits) + self._popularity) / (len(visits) + 1)  # as if one more visit were anybody's
        ratio = np.divide(share, self._popularity, out=np.ones_like(share), where=visited)
        evidence = np.log(ratio)[self._pieces.codes]
        sums = np.bincount(self._pieces.record_of_element(), evidence, minlength=len(self._pieces))
        return np.round(sums, _DIGITS)

    def _of_labels(self, places: Ints) -> Floats:
        """How many of some visits each label may stand for."""
        counts = np.bincount(places, minlength=self._labels.n_leaves)
        sums = np.concatenate(([0], np.cumsum(counts[self._labels.members])))
        return np.asarray(np.diff(sums[self._labels.starts]), dtype=np.float64)
