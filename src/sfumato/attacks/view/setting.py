"""The input of an attack: the private data, one or several releases of them, and what only their owner knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.attacks.view.published_view import PublishedView
from sfumato.catalogue import METHODS, MODELS, method_class
from sfumato.data import Chunks, Dataset, Mixed, Persons, Places, Table, original_kind
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.directory import Published, as_published
from sfumato.privacy import PrivacyModel
from sfumato.privacy.checks.correspondence import persons_behind

if TYPE_CHECKING:
    from sfumato.semantics.publishing.place_facts import PlaceFacts

__all__ = ["AttackSetting", "Exposed", "record_origins"]

_WHERE = ("x", "y", "lat", "lon")


@dataclass(frozen=True, eq=False)
class Exposed:
    """One release in front of the attacker.

    correspondence : int64[published records], the private record behind each, -1 for none; None where unknown.
    models : what was promised.  unit : what the promise counts.
    certificate : what was claimed; None for data without a certificate.  published : its directory, if it has one.
    unknown : the names of promised models that are not installed here.
    origin : int64[published visits or items], the private one behind each, -1 for none; None where unknown.
    """

    data: Any
    correspondence: Ints | None = None
    models: tuple[PrivacyModel, ...] = ()
    unit: str = "record"
    certificate: Certificate | None = None
    published: Published | None = None
    unknown: tuple[str, ...] = ()
    origin: Ints | None = None

    @classmethod
    def of(cls, release: Any) -> Exposed:
        """A new `Release`, which knows the persons behind its records."""
        return cls(
            release.data,
            record_origins(release.original, release.data, release.origin),
            tuple(model for model, _ in release.verdicts),
            release.original.unit,
            release.certificate(),
            origin=release.origin if isinstance(release.data, Ragged) else None,
        )

    @classmethod
    def read(cls, release: str | Path | Published) -> Exposed:
        """A published directory; `verify` and the leak checks find digests that do not match."""
        published = as_published(release)
        data, certificate = published.require_data(), published.certificate
        unknown = tuple(guarantee.model for guarantee in certificate.guarantees if guarantee.model not in MODELS)
        return cls(data, None, published.models, certificate.unit, certificate, published, unknown)


@dataclass(frozen=True, eq=False)
class AttackSetting:
    """What an attack is run on.  Without a release, the original itself is what the attacker sees.

    facts : what open data state about places, where the attacker has a knowledge base.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["b"]])
    >>> AttackSetting.of(walks, Trajectories.from_lists([["b"], ["b"]])).release.unit
    'record'
    """

    original: Any
    releases: tuple[Exposed, ...] = ()
    facts: PlaceFacts | None = None

    @classmethod
    def of(cls, original: Any, *published: Any, facts: PlaceFacts | None = None) -> AttackSetting:
        """The original and published datasets, releases or exposed ones, of which the first is attacked."""
        exposed = []
        for data in published:
            if isinstance(data, Exposed):
                exposed.append(data)
            else:
                exposed.append(Exposed.of(data) if hasattr(data, "verdicts") else Exposed(data))
        for release in exposed:
            require_same_kind(original, release)
        exposed = [_with_correspondence(release, original) for release in exposed]
        return cls(_with_roles(original, exposed[0].data) if exposed else original, tuple(exposed), facts)

    @property
    def release(self) -> Exposed:
        """The release that is attacked."""
        return self.releases[0]

    @property
    def people(self) -> int:
        """How many persons (or records) the original has."""
        return len(np.unique(self.original.units))

    @cached_property
    def seen(self) -> PublishedView:
        """The release as an attacker reads it, with the persons behind it as far as they are known."""
        return self.see(self.release)

    def see(self, exposed: Exposed) -> PublishedView:
        """Any of the releases."""
        if isinstance(exposed.data, Chunks):
            from sfumato.attacks.view.chunk_view import ChunkView

            return ChunkView(exposed.data, self.original)
        units, unit = self._units(exposed)
        seen = PublishedView(exposed.data, self.original, units, unit=unit)
        require_same_words(seen, exposed)
        return seen

    def _units(self, exposed: Exposed) -> tuple[Ints | None, str]:
        known = exposed.correspondence
        if known is None:
            return None, "record"
        units = np.asarray(self.original.units, dtype=np.int64)
        alone = -1 - np.arange(len(known))  # there is no person behind a dummy
        return np.where(known >= 0, units[known], alone), self.original.unit


def _with_correspondence(exposed: Exposed, original: Any) -> Exposed:
    """Where the release is the original read through its labels, which record became which (up to equal ones)."""
    if exposed.correspondence is not None or not isinstance(exposed.data, Ragged):
        return exposed
    numbers = np.arange(len(original), dtype=np.int32)
    behind = persons_behind(exposed.data, original.with_persons(Persons(numbers, pl.Series(numbers))))
    if behind is None:
        require_same_records(exposed, original)
        return exposed
    return replace(exposed, correspondence=behind.codes.astype(np.int64))


def record_origins(original: Any, published: Any, origin: Ints | None) -> Ints | None:
    """The private record behind each published one, -1 for a dummy; None where a release has no origin."""
    if origin is None:
        return None
    if not isinstance(published, Ragged):
        return np.asarray(origin, dtype=np.int64)
    known = np.flatnonzero(origin >= 0)
    private = np.full(len(published), -1, dtype=np.int64)
    records = published.record_of_element()[known]
    private[records] = np.searchsorted(original.offsets, origin[known], side="right") - 1
    return private


def require_same_kind(original: Dataset, exposed: Exposed) -> None:
    kind = exposed.data.kind
    if original.kind != original_kind(kind):
        raise DataError(f"the original holds {original.kind}, the release {kind}: it is a release of other data")


def require_same_records(exposed: Exposed, original: Ragged) -> None:
    """Refuse a release that cannot be the original's read through its labels, where it would have to be.

    That is so where every value was recoded everywhere in the same way, and nothing suppressed, added or split.
    """
    certificate, data = exposed.certificate, exposed.data
    if exposed.published is None or exposed.published.problems or certificate is None:
        return
    if not _recodes_globally(certificate.method) or not np.all(original.lengths):
        return
    if any(certificate.records.get(what) != 0 for what in ("suppressed", "added", "split")):
        return
    meant = [member for label in data.names for member in data.members.get(label, (label,))]
    covered = set(original.with_used_names().names) <= set(meant)  # if not, a value may be suppressed everywhere
    if covered and len(set(meant)) == len(meant):
        raise DataError(
            "the release is not the original's records with its labels applied, although nothing was suppressed, "
            "added or split: it is a release of other data, or these data were prepared differently"
        )


def _recodes_globally(method: str) -> bool:
    return method in METHODS and bool(method_class(method).recodes_globally)


def require_same_words(seen: PublishedView, exposed: Exposed) -> None:
    """Refuse a release of other data; a release of noise may have places without visits."""
    noisy = any(not model.exact_counts for model in exposed.models)
    if seen.labels is None:
        return
    unknown = seen.labels.unknown_labels
    if len(unknown) and (not noisy or len(unknown) == len(seen.labels.data.names)):
        what = seen.labels.data.element
        raise DataError(
            f"the release uses labels for {len(unknown)} of its {what}s that stand for nothing in the original: it is "
            "a release of other data, or these data were prepared differently"
        )


def _with_roles(original: Any, published: Any) -> Any:
    """The original with the roles that the release states: an attacker has read its context."""
    if isinstance(original, Mixed):
        table = _with_roles(original.table, published.table)
        items = original.items
        if not items.sensitive and published.items.sensitive:
            items = replace(items, sensitive=published.items.sensitive)
        return replace(original, table=table, items=items)
    if isinstance(original, Table):
        missing = [column for column in published.frame.columns if column not in original.frame.columns]
        if missing:
            raise DataError(
                f"the release has a column {missing[0]!r} that the original does not have: it is a release of other "
                "data"
            )
        sensitive = published.sensitive or original.sensitive
        known = tuple(column for column in published.quasi_identifiers if column not in sensitive)
        return replace(original, quasi_identifiers=known, sensitive=sensitive)
    if original.kind == "trajectories":
        added = {"places": _with_facts(original.places, published.places)}
        if original.taxonomy is None or (published.taxonomy is not None and not original.taxonomy.sensitive):
            added["taxonomy"] = published.taxonomy
        return replace(original, **added)
    if original.kind == "transactions" and not original.sensitive and published.sensitive:
        return replace(original, sensitive=published.sensitive)
    return original


def _with_facts(own: Places | None, published: Places | None) -> Places | None:
    """The places of the original with the facts that only the release's context has, such as `sensitive`."""
    if own is None or published is None:
        return own if published is None else published
    facts = [fact for fact in published.frame.columns if fact not in own.frame.columns and fact not in _WHERE]
    if not facts:
        return own
    frame = own.frame.join(published.frame.select("location", *facts), on="location", how="left", maintain_order="left")
    if "sensitive" in facts:
        frame = frame.with_columns(pl.col("sensitive").fill_null(False))
    return replace(own, frame=frame)
