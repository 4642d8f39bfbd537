"""Information loss along a taxonomy (Monreale et al., Transactions on Data Privacy 4(2), 2011, Section 4.2)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Taxonomy, Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score

__all__ = ["ClimbingCost", "GeneralizationCost", "taxonomy_of"]

Floats = npt.NDArray[np.float64]


class ClimbingCost:
    """The cost of publishing an ancestor of a node: steps in the taxonomy, or leaves, from 0 to 1.

    >>> tree = Taxonomy({"all": None, "fruit": "all", "apple": "fruit", "fig": "fruit", "rye": "all"})
    >>> ClimbingCost(tree, "hops")("fig", "fruit"), round(ClimbingCost(tree, "leaves")("fig", "all"), 2)
    (0.5, 0.67)
    >>> ClimbingCost(tree, "hops")("fig", "rye") is None  # not above it
    True
    """

    def __init__(self, taxonomy: Taxonomy, distance: str) -> None:
        self._tree = taxonomy
        hops = distance == "hops"
        self._most = max(1, taxonomy.height if hops else len(taxonomy.leaves))
        self._weight = (lambda node: -taxonomy.depth(node)) if hops else taxonomy.leaf_count

    def __call__(self, node: str, label: str) -> float | None:
        """The cost of one place (Definitions 11 and 12 for one visit); None if the label is not above it."""
        if node != label and label not in self._tree.ancestors(node):
            return None
        return (self._weight(label) - self._weight(node)) / self._most


@dataclass(frozen=True, kw_only=True)
class _OnTaxonomy(Measure):
    """A measure that needs the taxonomy of the data."""

    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True

    distance: str = param("hops", choices=("hops", "leaves"), help="unit of distance: steps in the taxonomy, or leaves")

    @abstractmethod
    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score: ...


@dataclass(frozen=True, kw_only=True)
class GeneralizationCost(_OnTaxonomy):
    """The mean distance of original trajectories from their published ones: Definition 13.

    The distance of a trajectory is the mean over its visits of the steps (or leaves) by which they climbed, in parts of
    the height (or of all leaves) of the taxonomy.  A trajectory that has lost a visit, or is not published, has
    distance 1.

    Examples
    --------
    >>> from sfumato.methods.trajectories.cast.cast import Cast
    >>> tree = Taxonomy({"all": None, "bar": "all", "b1": "bar", "b2": "bar", "c1": "all"}, sensitive=["c1"])
    >>> walks = Trajectories.from_lists([["b1", "c1"], ["b2"]], taxonomy=tree)
    >>> GeneralizationCost()(walks, Cast(c=0.5, group_size=2).anonymize(walks))
    Score(value=0.375, unit='')
    """

    name: ClassVar[str] = "generalization-cost"
    title: ClassVar[str] = "generalization cost"
    meaning: ClassVar[str] = (
        "mean number of steps that visits are generalized in the taxonomy, from 0 to 1; 1 with a suppressed visit"
    )
    formula: ClassVar[str] = (
        "mean over trajectories of (mean over visits of climbed steps / height), 1 where a visit is lost"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Monreale et al., Trans. Data Privacy 4(2), 2011, Definition 13"
    needs_origin: ClassVar[bool] = True

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        cost = ClimbingCost(taxonomy_of(self, original), self.distance)
        published: Trajectories = release.data
        assert release.origin is not None
        pairs = original.codes[release.origin].astype(np.int64) * max(1, len(published.names)) + published.codes
        distinct, pair_of_visit = np.unique(pairs, return_inverse=True)
        costs = [
            cost(original.names[pair // len(published.names)], published.names[pair % len(published.names)])
            for pair in distinct
        ]
        cost_of_visit = (
            np.array([1.0 if value is None else value for value in costs])[pair_of_visit] if len(costs) else np.zeros(0)
        )
        record = np.searchsorted(original.offsets, release.origin, side="right") - 1
        n_published = np.bincount(record, minlength=len(original))
        sums = np.bincount(record, weights=cost_of_visit, minlength=len(original))
        visited = original.lengths > 0
        distances = np.where(n_published == original.lengths, sums / np.maximum(n_published, 1), 1.0)[visited]
        return Score(float(distances.mean()) if len(distances) else 0.0)


def taxonomy_of(measure: Measure, original: Trajectories) -> Taxonomy:
    """The taxonomy of the original; refuses data without one."""
    if original.taxonomy is None:
        raise MissingKnowledge(f"{measure.name}: needs a taxonomy, these data carry none", remedy="give-taxonomy")
    return original.taxonomy
