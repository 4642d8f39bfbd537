"""What the owners of places could do: each matches the visits to its own places against the dataset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.elimination import Elimination, eliminated
from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.params import Declared, JsonObject, param
from sfumato.privacy.checks.owner_views import Sightings
from sfumato.privacy.checks.place_owners import COLLUDE_HELP, Adversaries, coalitions

__all__ = ["CLASSES", "OwnerAudit", "OwnerFindings"]

CLASSES = ("nowhere", "to 25%", "to 50%", "to 75%", "<100%", "certain")


@dataclass(frozen=True, kw_only=True)
class OwnerAudit(Declared):
    """For each owner of places: for how many people it can infer a visit to a place of others, and how certainly.

    Notes
    -----
    The attack of projection safety (`ProjectionSafety`, [1]_): the owner knows its own visits of each of its
    customers, and looks for the trajectories in which it sees exactly those.  The certainty of a customer is the
    largest share of these trajectories (or of the persons behind them, whichever is larger) that go to one place
    that the owner does not own; of a person with several trajectories, the largest of any.

    Given the original behind a release, the owner also tries to match all its customers with all trajectories
    (`eliminated`), which reaches those in which it sees nothing.

    References
    ----------
    .. [1] M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for
       privacy preserving publication of trajectories", IEEE TKDE 29(7), 2017.

    Examples
    --------
    >>> from sfumato import Places
    >>> shops = Places.from_frame({"location": ["a1", "a2", "b1"], "owner": ["A", "A", "B"]})
    >>> walks = Trajectories.from_lists([["a1", "b1"], ["a1"], ["a2", "b1"]], places=shops)
    >>> found = OwnerAudit().run(walks)
    >>> found.owners.select("owner", "sees", "certain", "over_half", "mean_certainty").rows()
    [('A', 3, 1, 1, 0.666...), ('B', 2, 0, 0, 0.5)]
    """

    collude: str | None = param(None, help=COLLUDE_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        coalitions(self.collude, "audit")

    def run(self, data: Any, *, original: Any = None, split: bool = False) -> OwnerFindings:
        """Audit trajectories whose places have owners.

        original : the private dataset behind a release, to try elimination.
        split : whether the release has split trajectories, so that a person may be behind several.
        """
        if not isinstance(data, Trajectories):
            raise DataError(f"OwnerAudit: fits trajectories, got {getattr(data, 'kind', type(data).__name__)}")
        adversaries = Adversaries.of(data, self.collude, who="audit")
        seen = Sightings.of(data, adversaries)
        certainty = seen.threats(1.0).certainty
        nodes = np.repeat(np.arange(len(seen.parents)), seen.sizes)
        owner_of = np.append(adversaries.of_label, -1)[seen.labels]
        width = int(data.units.max(initial=0)) + 1
        keys = owner_of[nodes].astype(np.int64) * width + seen.data.units[seen.records]
        people, which = np.unique(keys, return_inverse=True)
        largest = np.zeros(len(people))
        np.maximum.at(largest, which, certainty[nodes])
        matched: list[Elimination] | str = "the release has split trajectories"
        if original is not None and not split:
            known = original if original.places is not None else replace(original, places=data.places)
            matched = eliminated(known, data, Adversaries.of(known, self.collude, who="audit"))
        return OwnerFindings(self, data, adversaries, people // width, largest, matched, original)


@dataclass(frozen=True, eq=False)
class OwnerFindings:
    """The result of an `OwnerAudit`: one row of `who` and `certainty` for each owner and each person it sees."""

    audit: OwnerAudit
    data: Trajectories
    adversaries: Adversaries
    who: Ints
    certainty: npt.NDArray[np.float64]
    matched: list[Elimination] | str
    original: Trajectories | None

    @property
    def owners(self) -> pl.DataFrame:
        """One row an owner: its places, whom it sees, whom it can place elsewhere and how certainly.

        Columns: owner; locations; sees; placed (with any certainty above 0), over_half, certain; mean_certainty;
        and, given the original, by_elimination: how many of the original it can place with certainty by matching.
        """
        columns = [
            "owner", "locations", "sees", "placed", "over_half", "certain", "mean_certainty", "by_elimination",
        ]  # fmt: skip
        types = [pl.String, pl.Int64, pl.Int64, pl.Int64, pl.Int64, pl.Int64, pl.Float64, pl.Int64]
        rows = [self._row(owner) for owner in range(len(self.adversaries))]
        table = pl.DataFrame(rows, schema=dict(zip(columns, types, strict=True)), orient="row")
        return table if isinstance(self.matched, list) else table.drop("by_elimination")

    def _row(self, owner: int) -> tuple[Any, ...]:
        sure = self.certainty[self.who == owner]
        visited = np.unique(self.data.codes)
        return (
            self.adversaries.names[owner],
            int((self.adversaries.of_label[visited] == owner).sum()),
            len(sure),
            int((sure > 0).sum()),
            int((sure > 0.5).sum()),
            int((sure == 1).sum()),
            float(sure.mean()) if len(sure) else 0.0,
            self._by_elimination(self.adversaries.names[owner]),
        )

    def _by_elimination(self, owner: str) -> int | None:
        if isinstance(self.matched, str) or self.original is None:
            return None
        records = [elimination.records for elimination in self.matched if elimination.owner == owner]
        return len(np.unique(self.original.units[records[0]])) if records else 0

    @property
    def certainties(self) -> pl.DataFrame:
        """How many each owner can place with what certainty: owner, certainty (such as `to 50%`), people."""
        rows = []
        for number, owner in enumerate(self.adversaries.names):
            sure = self.certainty[self.who == number]
            class_of = np.searchsorted((0.0, 0.25, 0.5, 0.75), sure) + (sure == 1)
            people = np.bincount(class_of, minlength=len(CLASSES)).tolist()
            rows += [(owner, name, count) for name, count in zip(CLASSES, people, strict=True)]
        return pl.DataFrame(rows, schema={"owner": pl.String, "certainty": pl.String, "people": pl.Int64}, orient="row")

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values; nothing about single persons."""
        classes = {owner: dict(frame.select("certainty", "people").iter_rows()) for (owner,), frame in
                   self.certainties.group_by("owner", maintain_order=True)}  # fmt: skip
        return {
            "unit": self.data.unit,
            "collude": self.audit.collude,
            "owners": [{**row, "certainties": classes[row["owner"]]} for row in self.owners.to_dicts()],
            "rules": self.rules,
            "notes": self.notes,
        }

    @property
    def summary(self) -> str:
        """The worst owner, in one sentence."""
        ranked = self.owners.sort("certain", "mean_certainty", descending=True, maintain_order=True)
        if not len(ranked):
            return "No visited place has an owner."
        worst = ranked.row(0, named=True)
        singular, plural = ("trajectory", "trajectories") if self.data.persons is None else ("person", "persons")
        who = singular if worst["sees"] == 1 else plural
        return (
            f"{worst['owner']} sees {worst['sees']:,} {who}. It can infer a visit to a place that it does not own "
            f"with certainty for {worst['certain']:,} of them, and with a probability above 50% for "
            f"{worst['over_half']:,}."
        )

    @property
    def rules(self) -> list[str]:
        """What is counted, in sentences."""
        return [
            "An owner knows the visits of a customer to its places, and looks for trajectories with exactly those.",
            "Certainty: the largest share of those trajectories, or of the persons behind them, that visit one place "
            "that the owner does not own; a place without an owner is sensitive to every owner.",
        ]

    @property
    def notes(self) -> list[str]:
        """What to bear in mind about this answer, in sentences."""
        notes = []
        if isinstance(self.matched, list):
            notes.append(
                "Matched: customers who must have visited a place that the owner does not own, if the owner knows all "
                "its customers and each person is behind one trajectory."
            )
        elif self.original is not None:
            notes.append(f"Elimination was not tried: {self.matched}.")
        if self.adversaries.silent:
            silent = self.adversaries.silent
            more = f" and {len(silent) - 3:,} more" if len(silent) > 3 else ""
            notes.append(f"No place of {', '.join(silent[:3])}{more} occurs in these data.")
        if self.data.members:
            notes.append("Labels are compared as they are published; the owners of their members are not considered.")
        nothing = self.adversaries.nothing_to_protect(self.data)
        return [*notes, f"{nothing[0].upper()}{nothing[1:]}."] if nothing else notes
