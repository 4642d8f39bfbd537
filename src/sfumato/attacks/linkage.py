"""Record linkage: an attacker with a private record looks for its published record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.table_linkage import link_rows
from sfumato.attacks.view.best_matches import Fits
from sfumato.attacks.view.chunk_view import ChunkView
from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.attacks.view.targets import chosen, drawn_seed, elements_of
from sfumato.data.base import Ints, Progress
from sfumato.data.ragged import Ragged
from sfumato.params import param
from sfumato.remedies import with_remedy

__all__ = ["Linkage", "Links"]


@dataclass(frozen=True, eq=False)
class Links:
    """For each attacked record: how many published records fit it best, and how many of these are its person's.

    own : -1 where it is not known.
    most : how many of them can be its person's at most, where it is not known; one where nothing is given.
    """

    targets: Ints
    ties: Ints
    own: Ints
    most: Ints | None = None

    @property
    def chances(self) -> npt.NDArray[np.float64]:
        """The probability of identifying a record of the right person; an upper bound where it is not known."""
        most = 1 if self.most is None else np.minimum(self.most, self.ties)
        own = np.where(self.own < 0, most, self.own)
        return np.where(self.ties > 0, own / np.maximum(self.ties, 1), 0.0)


@dataclass(frozen=True, kw_only=True)
class Linkage(Attack):
    """Find the published record of every person whose private record is known.

    Notes
    -----
    The attacker has an original record of a person.  A published record matches if it can be read as that
    record with things generalized and suppressed: every label of a sequence stands for a visit, in order; every label
    of a set for an item; every cell of a row for its value, and columns that are no quasi-identifiers agree.  Of those
    that fit, the ones that explain most visits or items are taken, and one of them is picked at random: equally good
    records share the probability.  A record without a match is not found.

    With ``knows="quasi-identifiers"`` only these columns of a row are known (and, of mixed data, no items): the
    attacker of k-anonymity.

    In chunks no record is published completely: the attacker looks for the clusters that list all items, and picks
    one of their records.

    Success is that the picked record belongs to the right person (or record, where persons are unknown).  The owner of
    the data can tell (`Release`, or the private report); otherwise it is at most 1 / (those that fit best), or as many
    of these as the person has private records; and just 1 / (those that fit best) where every record was published
    whole in labels of one meaning.  The baseline picks any record.  The control
    attacks an unprotected copy.

    Examples
    --------
    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["a", "b"], ["d"], ["d"]], places={
    ...     "a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (9, 9)})
    >>> found = Linkage().run(AttackSetting.of(walks, SeqAnon(k=2, m=2).anonymize(walks)))
    >>> round(found.mean, 2), found.baseline, round(found.control, 2)
    (0.4, 0.2, 0.6)
    """

    name: ClassVar[str] = "linkage"
    title: ClassVar[str] = "record linkage"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "finds the published record of a person whose private record is known"

    knows: str = param(
        "everything",
        choices=("everything", "quasi-identifiers"),
        help="whether the attacker knows the whole record, or only the quasi-identifiers of a row",
    )
    targets: int = param(1_000_000, at_least=1, help="how many records are attacked; a random sample if there are more")
    control: bool = param(True, help="whether an unprotected copy is attacked too")

    def unfit(self, setting: AttackSetting) -> str | None:
        kind = setting.original.kind
        if kind in self.kinds and any(not model.exact_counts for model in setting.release.models):
            return (
                f"{self.name} looks for the record of a person, and the records of a noisy release belong to no person"
            )
        if kind in ("trajectories", "transactions") and self.knows != "everything":
            return f"{self.name} with knows=quasi-identifiers fits table and mixed, and these are {kind}"
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        seed = drawn_seed(seed)
        rng = np.random.default_rng(seed)
        targets = chosen(len(setting.original), self.targets, rng)
        exposed = setting.release
        links = self.links(setting, exposed, setting.seen, targets, rng)
        control = None
        if self.control:
            copy, order = setting.original.published()
            if progress is not None:
                progress("control", 1, 2)
            unprotected = Exposed(copy, order)
            bare = replace(setting, releases=(unprotected,))
            control = (
                float(self.links(bare, unprotected, bare.seen, targets, rng).chances.mean()) if len(targets) else 0.0
            )
        known = bool(np.all(links.own >= 0))
        if setting.original.persons is not None:
            links = replace(links, most=_records_of_person(setting)[links.targets])
        published = max(1, len(exposed.data))
        own_records = _own_counts(setting, exposed)[links.targets]
        if exposed.correspondence is None and links.most is not None and not known:
            own_records = np.minimum(links.most, published)
        return Finding(
            self.name,
            self.title,
            self._knowledge(),
            "the probability of identifying the published record of the right person"
            if setting.seen.unit == "person" or (setting.original.persons is not None and not known)
            else "the probability of identifying the right published record",
            links.chances,
            of=len(setting.original),
            baseline=float(own_records.mean() / published) if len(targets) else 0.0,
            control=control,
            at_most=not known,
            seed=seed,
            facts={
                "fitting": float(np.mean(links.ties > 0)) if len(targets) else 0.0,
                "median_ties": float(np.median(links.ties)) if len(targets) else 0.0,
                "fewest_ties": int(links.ties[links.ties > 0].min(initial=published)) if len(targets) else None,
            },
            notes=_notes(setting, links, known),
        )

    def links(
        self, setting: AttackSetting, exposed: Exposed, seen: PublishedView, targets: Ints, rng: np.random.Generator
    ) -> Links:
        """The best fitting records of some of the private ones."""
        if isinstance(seen, ChunkView):
            sizes = seen.data.sizes
            ties = [int(sizes[seen.clusters(tuple(elements_of(setting.original, r).tolist()))].sum()) for r in targets]
            return Links(targets, np.array(ties, dtype=np.int64), np.full(len(targets), -1))
        if not isinstance(setting.original, Ragged):
            return Links(*link_rows(setting, exposed, seen, targets, self.knows == "everything", rng))
        assert seen.labels is not None
        fits = Fits(setting.original, seen.labels)
        best = fits.best()[targets]
        own = np.full(len(targets), -1, dtype=np.int64)
        if exposed.correspondence is not None:
            records, published = own_pairs(setting.original, exposed.correspondence, seen, targets)
            scored = fits.scores(targets[records], published) == best[records, 0]
            own = np.bincount(records[scored & (best[records, 0] >= 0)], minlength=len(targets))
        return Links(targets, np.where(best[:, 0] >= 0, best[:, 1], 0), own)

    def _knowledge(self) -> str:
        if self.knows == "quasi-identifiers":
            return "all quasi-identifiers of a person's row"
        return "the whole original record of a person"


def own_pairs(original: Any, correspondence: Ints, seen: PublishedView, targets: Ints) -> tuple[Ints, Ints]:
    """All pairs of an attacked record (by its place among `some`) and a published record of the same person."""
    units = original.units if seen.unit == "person" else np.arange(len(original))
    behind = np.where(correspondence >= 0, np.asarray(units)[correspondence], -1)
    order = np.argsort(behind, kind="stable")
    wanted = np.asarray(units)[targets]
    first = np.searchsorted(behind[order], wanted, side="left")
    counts = np.searchsorted(behind[order], wanted, side="right") - first
    records = np.repeat(np.arange(len(targets)), counts)
    within = np.arange(len(records)) - np.repeat(np.cumsum(counts) - counts, counts)
    return records, order[np.repeat(first, counts) + within]


def _own_counts(setting: AttackSetting, exposed: Exposed) -> Ints:
    """How many published records are of the person behind each private record; one where it is not known."""
    if exposed.correspondence is None:
        return np.ones(len(setting.original), dtype=np.int64)
    units = setting.original.units if setting.seen.unit == "person" else np.arange(len(setting.original))
    known = exposed.correspondence[exposed.correspondence >= 0]
    return np.bincount(np.asarray(units)[known], minlength=int(np.max(units, initial=0)) + 1)[units]


def _records_of_person(setting: AttackSetting) -> Ints:
    """How many private records the person behind each one has."""
    units = np.asarray(setting.original.units)
    return np.asarray(np.bincount(units, minlength=int(np.max(units, initial=0)) + 1)[units])


def _notes(setting: AttackSetting, links: Links, known: bool) -> tuple[str, ...]:
    notes = []
    if isinstance(setting.seen, ChunkView):
        notes.append(
            "Chunks do not publish whole records: clusters are found, but the records of a cluster cannot be "
            "distinguished."
        )
    elif not known:
        notes.append(
            with_remedy(
                "The private record of each published record is not known here, so this is an upper bound",
                "give-report",
                end=".",
            )
        )
    if len(links.ties) and np.mean(links.ties > 0) < 0.5:
        notes.append(
            "Most private records match no published record: much was suppressed, or this is another original."
        )
    if setting.original.persons is not None and setting.seen.unit == "record" and known:
        notes.append(
            "The persons behind the published records are not known here, so records are counted, not persons."
        )
    return tuple(notes)
