"""Projection safety: an owner of places who recognises its own part of a trajectory learns little of the rest.

M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for privacy
preserving publication of trajectories", IEEE TKDE 29(7), 2017, Definitions 8 and 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import polars as pl

from sfumato.data.trajectories import Trajectories
from sfumato.params import param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import counting_persons
from sfumato.privacy.checks.owner_views import Sightings
from sfumato.privacy.checks.place_owners import COLLUDE_HELP, Adversaries, coalitions
from sfumato.privacy.not_covered import COMPOSITION, MINIMALITY, TIMES, Limit

__all__ = ["GENERALIZED", "ProjectionSafety"]

_WITNESSES = 5
_PERSONS_UNKNOWN = (
    "counted in records, the promise holds; the persons behind the records cannot be determined, because the "
    "published records are not the original's (visits were suppressed, trajectories were split, or this is another "
    "original)"
)
GENERALIZED = (
    "a label stands for several locations (such as {!r}), and what an owner sees of it is not defined; projection "
    "safety can be checked on single locations only"
)


@dataclass(frozen=True, kw_only=True)
class ProjectionSafety(PrivacyModel):
    """Of all trajectories with the same projection on an owner, at most a share visit any one place of others.

    Notes
    -----
    An adversary sees of each trajectory its own places, in order and with repeats: the projection.  Of all
    published trajectories with the same projection, the share that visit some place that is not its own must not
    exceed the threshold, for every adversary, every projection that is not empty, and every place; a place that
    has no owner is sensitive to every owner.  Shares are compared as fractions, without rounding: a pair is problematic
    if ``n * limit.denominator > limit.numerator * size``, where ``limit = exact(threshold)`` is the fraction that its
    digits say (3/10 by 0.3; see `sfumato.params.exact`).

    Owners come from the `owner` column of the places; `sfumato.privacy.checks.place_owners.Adversaries` says who sees
    which location.  Owners who `collude` are one adversary, so that nothing is promised about what they keep from each
    other: they have pooled it.

    Where persons are known, the same must hold for shares of trajectories *and* for shares of distinct persons
    among those behind the projection.  Either alone can deceive: ten trajectories of one person protect no one
    (nor do the fragments of one split trajectory), and what few persons do in most trajectories is what an
    adversary who cannot tell them apart will believe of all.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.from_frame({"location": ["a1", "a2", "b1"], "owner": ["A", "A", "B"]})
    >>> walks = Trajectories.from_lists([["a1", "b1"], ["a1"], ["a2", "b1"]], places=places)
    >>> verdict = ProjectionSafety(threshold=0.5).check(walks)
    >>> verdict.holds, verdict.measured["problematic_pairs"]
    (False, 1)
    >>> verdict.witnesses[0]["owner"], verdict.witnesses[0]["projection"], verdict.witnesses[0]["location"]
    ('A', ['a2'], 'b1')
    """

    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "projection safety"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    context: ClassVar[tuple[str, ...]] = ("owner",)
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("pooling-owners", "owners who share what they see, unless collude names them together", rank=2),
        Limit("foreign-places", "an owner who knows visits to places of others", rank=2),
        Limit(
            "elimination",
            "elimination: an owner who knows all its customers can match them to all trajectories, and so identify "
            "trajectories whose visits were suppressed, above all those in which it sees no visit",
            rank=3,
        ),
        Limit(
            "several-trajectories",
            "several trajectories of one person: each is protected separately, and the probabilities of an inference "
            "add up",
        ),
        Limit("linked-pieces", "an owner who can link the fragments of a split trajectory"),
        Limit(
            "two-places-together",
            "several places taken together: it may be certain that a person visited one of two places, although "
            "neither exceeds the threshold",
        ),
        Limit(
            "who-is-who-projection",
            "re-identification: an owner may single out the trajectory of a customer if it contains no place of others",
        ),
        Limit(
            "knows-others",
            "an owner who knows that some trajectories with the same projection belong to other customers",
        ),
        MINIMALITY,
        Limit("place-visited", "that some person visited a published place"),
        COMPOSITION,
        TIMES,
    )

    threshold: float = param(
        above=0,
        at_most=1,
        stronger="lower",
        help="largest share of matching trajectories that may visit one place; the paper's P_br",
    )
    collude: str | None = param(None, help=COLLUDE_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        coalitions(self.collude, self.name)

    def check(self, published: Trajectories, original: Trajectories | None = None) -> Verdict:
        self._require_kind(published)
        places = None if original is None else original.places
        adversaries = Adversaries.of(published, self.collude, places=places, who=self.name)
        check = partial(self._checked, adversaries=adversaries)
        return counting_persons(check, published, original, _PERSONS_UNKNOWN)

    def threats(self, data: Trajectories) -> pl.DataFrame:
        """Every problematic pair of THREATID: owner, projection, location, and how many of how many."""
        seen = Sightings.of(data, Adversaries.of(data, self.collude, who=self.name))
        return seen.threats(self.threshold, rows=seen.threats(self.threshold).n_pairs).frame()

    def _checked(self, data: Trajectories, adversaries: Adversaries) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        unclear = next((label for label, members in data.members.items() if members != (label,)), None)
        if unclear is not None:
            return Verdict("not checkable", source, {"unit": data.unit}, reason=GENERALIZED.format(unclear))
        sightings = Sightings.of(data, adversaries)
        threats = sightings.threats(self.threshold)
        measured = {
            "unit": data.unit,
            "adversaries": len(adversaries),
            "projections": int((sightings.sizes > 0).sum()),
            "problematic_pairs": threats.n_pairs,
            "problems": threats.n_problems,
            "worst_probability": float(threats.certainty.max(initial=0.0)),
        }
        if data.persons is not None:
            measured["worst_unit"] = threats.worst_unit
        witnesses = tuple(threats.worst(_WITNESSES, self.threshold)) if threats.n_pairs else ()
        return Verdict(threats.n_pairs == 0, source, measured, witnesses, adversaries.nothing_to_protect(data))
