"""What a method is: parameters, a promise, and one function that transforms data.

A method does not vouch for itself: `Method.anonymize` always ends with the verifiers of its guarantees.
"""

from __future__ import annotations

import secrets
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from sfumato.data import KINDS, Dataset, Persons
from sfumato.data.base import Frame, Ints, Progress
from sfumato.data.ragged import Ragged
from sfumato.errors import Bug, DataError, Infeasible, MissingKnowledge, ParameterError, a_or_an
from sfumato.methods.derived_context import as_far_as_public, without_suppressed_members
from sfumato.methods.near_keys import near_keys
from sfumato.params import Declared
from sfumato.privacy import PrivacyModel, Verdict
from sfumato.privacy.base import with_promises
from sfumato.privacy.checks.correspondence import counted_in_records
from sfumato.privacy.noise.budget import PrivacyBudget
from sfumato.privacy.not_covered import Limit
from sfumato.threads import side_by_side

if TYPE_CHECKING:
    from sfumato.methods.release import Release

__all__ = ["FEWER_RECORDS", "Method", "Outcome", "Run", "persons_of_release", "require_units", "units_of_release"]

PublishedT_co = TypeVar("PublishedT_co", bound=Dataset, covariant=True)
"""The shape of the published data."""

FEWER_RECORDS = "counted in persons this is possible, but few persons have most of the records"
"""What to say where a ratio cannot be kept in records although it can in persons."""

_REMEDY = {
    "places": "give-places",
    "taxonomy": "give-taxonomy",
    "constraints": "give-constraints",
    "owners": "give-owners",
    "sensitive": "give-sensitive-places",
    "privacy_policy": "give-privacy-policy",
    "hierarchies": "give-hierarchies",
    "network": "give-network",
    "places or taxonomy": "give-places-or-taxonomy",
}
_WORDS = {
    "sensitive": "sensitive locations",
    "privacy_policy": "a privacy policy",
    "places or taxonomy": "places with coordinates or a taxonomy",
}
# flagged or owned places need not be visited
_KNOWN_BY = {("trajectories", "sensitive"): "flags_sensitive", ("trajectories", "owners"): "knows_owners"}


@dataclass
class Run:
    """What a transformation is given besides the data: randomness, the privacy budget, progress, named phases."""

    seed: int | None = None
    progress: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.seed is not None and self.seed < 0:
            raise ParameterError(f"seed: wanted a whole number of 0 or more, got {self.seed}")
        self.rng = np.random.default_rng(secrets.randbits(128) if self.seed is None else self.seed)
        self.budget = PrivacyBudget(self.seed)
        self._phase = ""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what happens inside under this name; phases do not nest."""
        self._phase = name
        begun = time.perf_counter()
        self.advance(0, 0)
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun

    def advance(self, done: int, total: int) -> None:
        """Report how far the current phase has come."""
        if self.progress is not None:
            self.progress(self._phase, done, total)


@dataclass(frozen=True)
class Outcome(Generic[PublishedT_co]):
    """What a transformation hands back.

    origin : the private index of each published visit, item or row; -1 for a dummy; nothing for
    synthetic or disassociated data.
    counts : what was lost or added, such as ``{"suppressed_visits": 3}``.
    notes : sentences about the run that its owner should read; private, as the counts are.
    """

    data: PublishedT_co
    origin: Ints | None
    counts: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Method(Declared, Generic[PublishedT_co]):
    """A way to keep a promise.

    A subclass names itself, its data kind, its paper and the side knowledge it `needs`, declares its
    parameters with `param`, states its `guarantees` and implements `transform`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    kind: ClassVar[str]
    paper: ClassVar[str]
    promises: ClassVar[tuple[str, ...]]  # the names of the guarantees' models
    promises_if: ClassVar[Mapping[str, str]] = {}  # further models, each with the parameters that promise it
    needs: ClassVar[tuple[str, ...]] = ()
    needs_one_of: ClassVar[tuple[str, ...]] = ()  # side knowledge of which at least one must be there
    takes: ClassVar[tuple[str, ...]] = ()  # side knowledge that it uses where there is some
    untruthful: ClassVar[Limit | None] = None  # what is not true of the published records, where something is not
    not_covered: ClassVar[tuple[Limit, ...]] = ()  # what its promises do not cover because of how it changes records
    labels_are_nodes: ClassVar[bool] = False  # whether its labels are nodes of a hierarchy, whatever they are called
    recodes_globally: ClassVar[bool] = False  # whether it publishes a value as the same label in every record
    record_changes: ClassVar[tuple[str, ...]] = ("suppressed",)  # what it does to records: suppressed, added, split
    publishes: ClassVar[str] = ""  # the kind of its published data, where that is not the kind of the original
    traces: ClassVar[bool] = True  # whether its outcome maps each published visit, item or row to a private one
    counts_originals: ClassVar[bool] = False  # whether published records of one original record count as one

    @classmethod
    def possible_promises(cls) -> tuple[str, ...]:
        """The names of all models that it can guarantee, those that depend on its parameters last."""
        return (*cls.promises, *cls.promises_if)

    @classmethod
    def requirements(cls) -> tuple[tuple[str, ...], ...]:
        """The side knowledge that it needs: at least one of each entry."""
        return (*((need,) for need in cls.needs), *((cls.needs_one_of,) if cls.needs_one_of else ()))

    @classmethod
    def side_knowledge(cls) -> tuple[str, ...]:
        """All side knowledge that it needs or can use."""
        return (*cls.needs, *cls.needs_one_of, *cls.takes)

    @classmethod
    def limits(cls) -> tuple[Limit, ...]:
        """What its promises do not cover because of the method."""
        return cls.not_covered if cls.untruthful is None else (cls.untruthful, *cls.not_covered)

    @property
    @abstractmethod
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        """What every release keeps."""

    def guarantees_on(self, data: Any) -> tuple[PrivacyModel, ...]:  # noqa: ARG002
        """What a release of these data keeps: `guarantees`, and what these data's side knowledge adds to them."""
        return self.guarantees

    @abstractmethod
    def transform(self, data: Any, run: Run) -> Outcome[PublishedT_co]:
        """The paper's algorithm."""

    def anonymize(
        self,
        data: Dataset | Frame,
        *,
        seed: int | None = None,
        progress: Progress | None = None,
        promises: Sequence[PrivacyModel] = (),
    ) -> Release[PublishedT_co]:
        """Transform the data, check every guarantee, and return the release.

        data : a dataset of the method's kind, or a frame of any make that holds one.
        promises : further privacy models that the release must keep.  The method does not work towards them; they are
        checked, and become guarantees of the release.
        """
        from sfumato.methods.release import Release

        private = data if isinstance(data, Dataset) else KINDS[self.kind].from_frame(data)
        self._require(private)
        run = Run(seed, progress)
        outcome = self.transform(private, run)
        with run.phase("publishing"):
            pruned, origin = without_suppressed_members(
                private, outcome.data, outcome.origin, nodes=self.labels_are_nodes
            )
            outcome = replace(outcome, data=pruned, origin=origin)
            published, order = outcome.data.published()
            origin = _reordered(outcome, order)
            outcome = replace(outcome, data=published, origin=origin)  # the records as transformed are needed no more
            del pruned, order
        with run.phase("verifying"):
            known = published.with_persons(units_of_release(self, private, published, origin))
            models = with_promises(self.guarantees_on(private), promises)
            checked = side_by_side(lambda model: self._checked(model, known, private, run.budget), models)
            verdicts = tuple(
                (model, as_far_as_public(model, verdict, private))
                for model, verdict in zip(models, checked, strict=True)
            )
            # of what is published, as anyone can see it
            beyond = {model: model.beyond(published) for model, verdict in verdicts if verdict.holds is not False}
        return Release(
            data=published,
            method=self,
            verdicts=verdicts,
            original=private,
            origin=origin,
            counts=outcome.counts,
            notes=(*outcome.notes, *near_keys(known)),
            seconds=dict(run.seconds),
            seed=seed,
            budget=run.budget,
            beyond={model: figures for model, figures in beyond.items() if figures},
        )

    def _checked(self, model: PrivacyModel, known: Dataset, private: Dataset, budget: PrivacyBudget) -> Verdict:
        """The verdict of a verifier; original records that were counted in place of persons are called records."""
        verdict = model.check_run(known, private, budget)
        return counted_in_records(verdict) if self.counts_originals and private.persons is None else verdict

    def _require(self, data: Dataset) -> None:
        if data.kind != self.kind:
            raise DataError(f"{self.name}: wanted {self.kind}, got {data.kind}")
        for needs in self.requirements():
            if not any(self._is_known(need, data) for need in needs):
                need, found = " or ".join(needs), "none" if len(needs) == 1 else "neither"
                raise MissingKnowledge(
                    f"{self.name}: needs {_WORDS.get(need, need)}, these data carry {found}",
                    remedy=_REMEDY.get(need, ""),
                )

    def _is_known(self, need: str, data: Dataset) -> bool:
        """Whether the data carry some side knowledge, as this method needs it."""
        return bool(getattr(data, _KNOWN_BY.get((self.kind, need), need), None))


def require_units(method: Method[Dataset], k: int, data: Ragged) -> None:
    """Refuse a k above the number of persons (or records) that have anything to hide."""
    seen = np.zeros(len(data) if data.persons is None else len(data.persons), dtype=bool)
    seen[data.units[data.lengths > 0]] = True
    present = np.count_nonzero(seen)
    if present < k:
        wanted = f"{data.unit}s with {a_or_an(data.element)}"
        raise Infeasible(f"{method.name}: k={k} needs at least {k} {wanted}, these data have {present}")


def _reordered(outcome: Outcome[Dataset], order: Ints) -> Ints | None:
    """The origin in the order of the published records."""
    if outcome.origin is None:
        return None
    if isinstance(outcome.data, Ragged):
        if len(outcome.origin) != len(outcome.data.codes):
            raise Bug("an origin must have one entry for each published visit or item")
        return outcome.data.by_record(outcome.origin, order)
    return np.asarray(outcome.origin[order])


def units_of_release(
    method: Method[Dataset], private: Dataset, published: Dataset, origin: Ints | None
) -> Persons | None:
    """Who counts once in a promise: the person behind each published record or, of a method that counts originals, the
    original record where persons are not known."""
    if method.counts_originals and private.persons is None:
        private = private.with_persons(Persons.of(range(len(private))))
    return persons_of_release(private, published, origin)


def persons_of_release(private: Dataset, published: Dataset, origin: Ints | None) -> Persons | None:
    """The person behind each published record; for verifiers and attacks, never for publication.

    A dummy counts as a person of its own, as it does for a reader of the release.  No person is behind the records of a
    release that has no origin.
    """
    if private.persons is None or origin is None:
        return None
    records = origin
    if isinstance(published, Ragged) and isinstance(private, Ragged):
        first = origin[published.offsets[:-1]]
        if np.any((origin < 0) != np.repeat(first < 0, published.lengths)):
            raise Bug("a published record is a dummy or it is not, found one that is both")
        records = np.where(first < 0, -1, np.searchsorted(private.offsets, first, side="right") - 1)
    return private.persons.take(records)
