"""Numbers, sizes, distances and displacement of generalized locations.

G. Poulis et al., Transactions on Data Privacy 7(2), 2014, Section 5, and IEEE ICDM Workshops, 2013, Section V.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Places, Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.kernels.space.displacement import largest_distance, mean_distances
from sfumato.params import param
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
class _Intact(Measure):
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    count_sensitive: bool = param(
        True, help="whether sensitive locations count; methods for (k,l)^m-anonymity never generalize them"
    )

    def require_data(self, original: Any) -> None:
        super().require_data(original)
        self._counted(original)

    def _counted(self, original: Trajectories) -> set[str]:
        """The visited locations that count."""
        visited = set(original.with_used_names().names)
        if self.count_sensitive:
            return visited
        if not original.flags_sensitive:
            raise MissingKnowledge(
                f"{self.name}: wanted sensitive locations to leave out, found none", remedy="give-sensitive-places"
            )
        return visited - original.sensitive

    def _intact(self, original: Trajectories, published: Trajectories) -> set[str]:
        return self._counted(original) & set(published.with_used_names().names) - set(published.members)


@dataclass(frozen=True, kw_only=True)
class IntactLocations(_Intact):
    """The share of the original locations that are published under their own name.

    >>> from sfumato import SeqAnon
    >>> walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places={"a": (0, 0), "b": (1, 0), "c": (9, 0)})
    >>> str(IntactLocations()(walks, SeqAnon(k=2, m=1).anonymize(walks)))
    '33.33 %'
    """

    name: ClassVar[str] = "intact"
    title: ClassVar[str] = "locations published intact"
    meaning: ClassVar[str] = "share of the original locations that keep their own name"
    formula: ClassVar[str] = "100 x |original locations published under their own name| / |original locations|"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before = len(self._counted(original))
        return Score(100.0 * len(self._intact(original, release.data)) / before if before else 100.0, "%")


@dataclass(frozen=True, kw_only=True)
class IntactNumber(_Intact):
    """The number of original locations that are published under their own name."""

    name: ClassVar[str] = "intact-number"
    title: ClassVar[str] = "number of locations published intact"
    meaning: ClassVar[str] = "number of original locations that keep their own name"
    formula: ClassVar[str] = "|original locations published under their own name|"
    unit: ClassVar[str] = "locations"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        return Score(float(len(self._intact(original, release.data))), "locations")


@dataclass(frozen=True, kw_only=True)
class LabelSize(Measure):
    """The mean number of locations that a generalized location stands for; 1 if no location is generalized."""

    name: ClassVar[str] = "label-size"
    title: ClassVar[str] = "mean size of generalized locations"
    meaning: ClassVar[str] = "mean number of locations that a generalized location stands for"
    formula: ClassVar[str] = "mean over generalized labels of |members|; 1 without such a label"
    unit: ClassVar[str] = "locations"
    bounds: ClassVar[tuple[float, float]] = (1.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Dataset, release: Released[Trajectories]) -> Score:  # noqa: ARG002
        sizes = [len(members) for members in release.data.members.values()]
        return Score(float(np.mean(sizes)) if sizes else 1.0, "locations")


@dataclass(frozen=True, kw_only=True)
class GeneralizedLocations(Measure):
    """The number of generalized locations in the release, or the mean number in a cluster.

    Where clusters are recoded each by itself, labels with the same members are one label of the release, and one in
    each cluster that uses it.  A release without clusters is one cluster.
    """

    name: ClassVar[str] = "generalized"
    needs_run_for: ClassVar[str] = "with per=cluster"
    title: ClassVar[str] = "generalized locations"
    meaning: ClassVar[str] = "number of published labels that stand for several locations"
    formula: ClassVar[str] = "|generalized labels|, or the mean over clusters of |generalized labels of the cluster|"
    unit: ClassVar[str] = "labels"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., IEEE ICDM Workshops, 2013, Section V; Trans. Data Privacy 7(2), 2014"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    per: str = param(
        "release",
        choices=("release", "cluster"),
        help="whether all labels of the release count, or the mean number of labels in a cluster",
    )

    def score(self, original: Dataset, release: Released[Trajectories]) -> Score:  # noqa: ARG002
        labels, clusters = len(release.data.members), 1
        if self.per == "cluster":
            counts: dict[str, int] | None = getattr(release, "counts", None)
            if counts is None:
                raise DataError(f"{self.name}: needs the run itself", remedy="measure-the-run", measure=self.name)
            labels, clusters = counts.get("cluster_labels", labels), max(1, counts.get("clusters", 1))
        return Score(labels / clusters, "labels")


@dataclass(frozen=True, kw_only=True)
class DistancePercentage(Measure):
    """The mean distance between the members of generalized locations, in percent of the largest distance.

    For each generalized location the mean distance between its members, each member also taken with itself as in
    Definition 6, divided by the largest distance in the data, or between two members of the same label; then the mean
    over the generalized locations.  0 if none exists, and for a label whose members are at one point.
    """

    name: ClassVar[str] = "distance-percentage"
    title: ClassVar[str] = "percentage of distance in generalized locations"
    meaning: ClassVar[str] = "mean distance inside a generalized location, in percent of the largest"
    formula: ClassVar[str] = (
        "100 x mean over generalized labels of (mean distance between members / largest distance between visited "
        "places and members, or inside the label)"
    )
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014; label: IEEE ICDM Workshops, 2013, Section V"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs: ClassVar[tuple[str, ...]] = ("places",)

    relative_to: str = param(
        "data",
        choices=("data", "label"),
        help="the largest distance to divide by: between two locations of the data, or between two of the same label",
    )

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        places = _places(self, original)
        groups = list(release.data.members.values())
        if not groups:
            return Score(0.0, "%")
        sizes = [len(group) for group in groups]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        points = places.points([member for group in groups for member in group])
        each = np.arange(len(points))
        label = np.repeat(np.arange(len(groups)), sizes)
        means = np.add.reduceat(mean_distances(points, places.radius, each, label, starts, each), starts[:-1]) / sizes
        if self.relative_to == "label":
            parts = np.split(points, starts[1:-1])
            largest = np.array([largest_distance(part, places.radius) for part in parts])
        else:
            names = {*original.with_used_names().names, *(member for group in groups for member in group)}
            largest = np.full(len(groups), largest_distance(places.points(names), places.radius))
        shares = np.divide(means, largest, out=np.zeros(len(groups)), where=largest > 0)
        return Score(float(np.mean(shares)) * 100, "%")


@dataclass(frozen=True, kw_only=True)
class Displacement(Measure):
    """The mean distance of a published label from the visited location: D of Definition 6.

    The distance of a visit is the mean distance from its location to the members of its label; visits are averaged
    over their trajectory, trajectories over the release.  Suppressed visits have no distance.
    """

    name: ClassVar[str] = "displacement"
    title: ClassVar[str] = "D, the mean displacement"
    meaning: ClassVar[str] = "mean distance between a visited location and the members of its published label"
    formula: ClassVar[str] = "mean over trajectories of mean over visits of mean over members of d(location, member)"
    unit: ClassVar[str] = "m, or the unit of the coordinates"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Definition 6"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    needs: ClassVar[tuple[str, ...]] = ("places",)
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
    members = [published.members.get(name, (name,)) for name in published.names]
    number = {name: code for code, name in enumerate(original.names)}
    for member in (member for group in members for member in group):
        number.setdefault(member, len(number))  # a label may stand for locations without visits in the original
    groups = [[number[member] for member in group] for group in members]
    means = mean_distances(
        places.points(list(number)),
        places.radius,
        distinct // labels,
        distinct % labels,
        np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64),
        np.array([member for group in groups for member in group], dtype=np.int64),
    )
    return np.asarray(means[pair_of_visit])


def mean_of_records(visits: npt.NDArray[np.float64], published: Trajectories) -> float:
    """The mean over the trajectories with visits of the mean over their visits; 0 if none exists."""
    visited = published.lengths > 0
    if not visited.any():
        return 0.0
    starts = published.offsets[:-1][visited]
    return float((np.add.reduceat(visits, starts) / published.lengths[visited]).mean())


def _places(measure: Measure, original: Trajectories) -> Places:
    if original.places is None:
        raise MissingKnowledge(f"{measure.name}: wanted places with coordinates, found none")
    return original.places
