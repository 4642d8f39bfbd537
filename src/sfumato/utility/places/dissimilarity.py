"""The semantic dissimilarity of generalized locations (Poulis et al., Transactions on Data Privacy 7(2), 2014)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.places.generalization import displacements, mean_of_records

__all__ = ["CombinedDisplacement", "SemanticPenalty", "dissimilarities"]


@dataclass(frozen=True, kw_only=True)
class SemanticPenalty(Measure):
    """The mean share of the taxonomy that a published visit may stand for: the semantic similarity penalty P.

    A generalized location has its semantic dissimilarity SD, the share of the taxonomy's leaves under the closest
    common ancestor of its members (Definition 7); a location published under its own name has 0.  Visits are
    averaged over their trajectory, trajectories over the release: 0 where nothing is generalized, 1 where every label
    spans the root.

    >>> from sfumato import SeqAnon, Taxonomy
    >>> kinds = Taxonomy({"any": None, "food": "any", "a": "food", "b": "food", "c": "any"})
    >>> places = {"a": (0, 0), "b": (1, 0), "c": (9, 0)}
    >>> walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places=places, taxonomy=kinds)
    >>> print(SemanticPenalty()(walks, SeqAnon(k=2, m=1).anonymize(walks)))  # {a, b}: 2 of 3 leaves, 2 of 4 visits
    0.3333
    """

    name: ClassVar[str] = "semantic-penalty"
    title: ClassVar[str] = "P, the semantic similarity penalty"
    meaning: ClassVar[str] = "mean share of the taxonomy's leaves under what a published label may stand for"
    formula: ClassVar[str] = "mean over trajectories of mean over visits of SD(label)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        weights = dissimilarities(self, original, release.data)
        return Score(mean_of_records(weights[release.data.codes], release.data))


@dataclass(frozen=True, kw_only=True)
class CombinedDisplacement(Measure):
    """The mean distance, in space and in meaning, of a published label from the visited location: C of Definition 8.

    The mean distance from the visited location to the members of its label, times the label's semantic
    dissimilarity; visits are averaged over their trajectory, trajectories over the release.  Suppressed visits have
    no distance.  SD-SEQANON minimizes this measure.
    """

    name: ClassVar[str] = "combined-displacement"
    title: ClassVar[str] = "C, the mean displacement times semantic dissimilarity"
    meaning: ClassVar[str] = (
        "mean distance between a visited location and its label, times the label's semantic dissimilarity"
    )
    formula: ClassVar[str] = (
        "mean over trajectories of mean over visits of SD(label) x mean over members of d(location, member)"
    )
    unit: ClassVar[str] = "m, or the unit of the coordinates"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Definition 8"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True
    needs_origin: ClassVar[bool] = True

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        distances = displacements(self, original, release)
        weights = dissimilarities(self, original, release.data)
        unit = "m" if original.places is not None and original.places.geographic else ""
        return Score(mean_of_records(distances * weights[release.data.codes], release.data), unit)


def dissimilarities(measure: Measure, original: Trajectories, published: Trajectories) -> npt.NDArray[np.float64]:
    """The semantic dissimilarity of every published label; 0 for a location under its own name."""
    taxonomy = original.taxonomy
    if taxonomy is None:
        raise MissingKnowledge(
            f"{measure.name}: wanted a taxonomy of the locations, found none", remedy="give-taxonomy"
        )
    values = np.zeros(len(published.names))
    for code, name in enumerate(published.names):
        leaves = [taxonomy.leaf_of(member) for member in published.members.get(name, ())]
        if len(leaves) > 1:
            taxonomy.require(leaves, "location")
            values[code] = taxonomy.dissimilarity(leaves)
    return values
