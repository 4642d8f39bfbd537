"""Sizes, distances and displacement of generalized locations (Poulis et al., Trans. Data Privacy 7(2), 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Places, Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.kernels.space.displacement import largest_distance, mean_distances
from sfumato.utility.base import Measure, Released, Score

__all__ = [
    "Displacement",
    "DistancePercentage",
    "GeneralizedLocations",
    "IntactLocations",
    "IntactNumber",
    "LabelSize",
    "displacements",
    "mean_of_records",
]


@dataclass(frozen=True, kw_only=True)
class IntactLocations(Measure):
    """The share of the original locations that are published under their own name.

    >>> from sfumato import SeqAnon
    >>> walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places={"a": (0, 0), "b": (1, 0), "c": (9, 0)})
    >>> str(IntactLocations()(walks, SeqAnon(k=2, m=1).anonymize(walks)))
    '33.33 %'
    """

    name: ClassVar[str] = "intact"
    title: ClassVar[str] = "locations published intact"
    meaning: ClassVar[str] = "share of the original locations that keep their own name"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before = original.with_used_names().names
        return Score(100.0 * len(_intact(original, release)) / len(before) if before else 100.0, "%")


@dataclass(frozen=True, kw_only=True)
class IntactNumber(Measure):
    """The number of original locations that are published under their own name."""

    name: ClassVar[str] = "intact-number"
    title: ClassVar[str] = "number of locations published intact"
    meaning: ClassVar[str] = "number of original locations that keep their own name"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        return Score(float(len(_intact(original, release))), "locations")


def _intact(original: Trajectories, release: Released[Trajectories]) -> set[str]:
    return set(original.with_used_names().names) & set(release.data.names) - set(release.data.members)


@dataclass(frozen=True, kw_only=True)
class LabelSize(Measure):
    """The mean number of locations that a generalized location stands for; 1 if no location is generalized."""

    name: ClassVar[str] = "label-size"
    title: ClassVar[str] = "mean size of generalized locations"
    meaning: ClassVar[str] = "mean number of locations that a generalized location stands for"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Dataset, release: Released[Trajectories]) -> Score:  # noqa: ARG002
        sizes = [len(members) for members in release.data.members.values()]
        return Score(float(np.mean(sizes)) if sizes else 1.0, "locations")


@dataclass(frozen=True, kw_only=True)
class GeneralizedLocations(Measure):
    """The number of generalized locations in the release."""

    name: ClassVar[str] = "generalized"
    title: ClassVar[str] = "generalized locations"
    meaning: ClassVar[str] = "number of published labels that stand for several locations"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Dataset, release: Released[Trajectories]) -> Score:  # noqa: ARG002
        return Score(float(len(release.data.members)), "labels")


@dataclass(frozen=True, kw_only=True)
class DistancePercentage(Measure):
    """The mean distance between the members of generalized locations, in percent of the largest distance in the data.

    For each generalized location the mean distance between its members, each member also taken with itself as in
    Definition 6; then the mean over the generalized locations.  0 if there is none.
    """

    name: ClassVar[str] = "distance-percentage"
    title: ClassVar[str] = "percentage of distance in generalized locations"
    meaning: ClassVar[str] = "mean distance inside a generalized location, in percent of the largest in the data"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        places = _places(self, original)
        groups = list(release.data.members.values())
        names = original.with_used_names().names
        largest = float(largest_distance(places.points(names), places.radius))
        if not groups or largest == 0:
            return Score(0.0, "%")
        members = [member for group in groups for member in group]
        sizes = [len(group) for group in groups]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        each = np.arange(len(members))
        label = np.repeat(np.arange(len(groups)), sizes)
        means = mean_distances(places.points(members), places.radius, each, label, starts, each)
        return Score(float(np.mean(np.add.reduceat(means, starts[:-1]) / sizes)) / largest * 100, "%")


@dataclass(frozen=True, kw_only=True)
class Displacement(Measure):
    """The mean distance of a published label from the visited location: D of Definition 6.

    The distance of a visit is the mean distance from its location to the members of its label; visits are averaged
    over their trajectory, trajectories over the release.  Suppressed visits have no distance.
    """

    name: ClassVar[str] = "displacement"
    title: ClassVar[str] = "D, the mean displacement"
    meaning: ClassVar[str] = "mean distance between a visited location and the members of its published label"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs_origin: ClassVar[bool] = True

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        unit = "m" if _places(self, original).geographic else ""
        return Score(mean_of_records(displacements(self, original, release), release.data), unit)


def displacements(measure: Measure, original: Trajectories, release: Released[Trajectories]) -> npt.NDArray[np.float64]:
    """For every published visit the mean distance from its location to the members of its label."""
    places = _places(measure, original)
    published: Trajectories = release.data
    assert release.origin is not None
    labels = max(1, len(published.names))
    pairs = original.codes[release.origin].astype(np.int64) * labels + published.codes
    distinct, pair_of_visit = np.unique(pairs, return_inverse=True)
    number = {name: code for code, name in enumerate(original.names)}
    groups = [[number[member] for member in published.members.get(name, (name,))] for name in published.names]
    means = mean_distances(
        places.points(original.names),
        places.radius,
        distinct // labels,
        distinct % labels,
        np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64),
        np.array([member for group in groups for member in group], dtype=np.int64),
    )
    return np.asarray(means[pair_of_visit])


def mean_of_records(visits: npt.NDArray[np.float64], published: Trajectories) -> float:
    """The mean over the trajectories of the mean over their visits; 0 if there is none."""
    if len(published) == 0:
        return 0.0
    return float((np.add.reduceat(visits, published.offsets[:-1]) / published.lengths).mean())


def _places(measure: Measure, original: Trajectories) -> Places:
    if original.places is None:
        raise MissingKnowledge(f"{measure.name}: wanted places with coordinates, found none")
    return original.places
