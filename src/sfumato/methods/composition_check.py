"""Composition attacks on a new release and the earlier releases about the same people, before it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.attacks.composition import Composition
from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.same_person import SHORTENED, UNKNOWN, WHOLE, kept_of
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.catalogue import MODELS, model_class
from sfumato.data import Dataset, Mixed, Trajectories, Transactions, original_kind
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, DataError
from sfumato.io.published import directory
from sfumato.io.published.ledger import INTENDED, Entry, ReleaseLedger
from sfumato.params import JsonObject
from sfumato.privacy import LDiversity, PrivacyModel
from sfumato.remedies import keep_remedy, with_remedy

if TYPE_CHECKING:
    from sfumato.methods.release import Release

__all__ = ["Composed", "attacked_with", "kept_in", "people_of"]

_TARGETS = 1_000
_MOST_KNOWN = 20
_KNOWN = 2  # visits or items, where no promise has an m
_CLOSE = 1e-9


@dataclass(frozen=True)
class Composed:
    """What a new release and an earlier one reveal together.

    shared : how many persons are in both; None where persons are not known, and all are assumed to be in both.
    smallest_anonymity_set : the smallest that composition made from a larger one; None where it gained nothing.
    refused : whether the new release must not be written without an override; `sentence` is the reason.
    attacked : whether everything was attacked that was tried; where not, nothing gained does not mean much.
    """

    number: int
    shared: int | None
    refused: bool
    sentence: str
    smallest_anonymity_set: int | None = None
    figures: JsonObject | None = None
    attacked: bool = False

    def to_json(self) -> JsonObject:
        fields = {"release": self.number, "shared": self.shared, "refused": self.refused, "sentence": self.sentence}
        fields["attacked"] = self.attacked
        return fields | {"smallest_anonymity_set": self.smallest_anonymity_set, "figures": self.figures}


def people_of(release: Release[Dataset], ledger: ReleaseLedger) -> list[bytes] | None:
    """The keyed hash of the person of each record of the original; None where persons are not known."""
    persons = release.original.persons
    if persons is None:
        return None
    hashed = np.array(ledger.hashed(persons.names.to_list()), dtype=object)
    return list(hashed[persons.codes])


def attacked_with(
    release: Release[Dataset], entry: Entry, ledger: ReleaseLedger, people: list[bytes] | None
) -> Composed:
    """Attack the new release together with an earlier one of the release ledger, for the people of both."""
    rows = np.ones(len(release.original), dtype=bool)
    shared = None
    if people is not None and entry.people is not None:
        both = ledger.shared(entry, people)
        shared = len(both)
        rows = np.fromiter((person in both for person in people), dtype=bool, count=len(people))
        if shared == 0:
            return Composed(entry.number, 0, False, "no person is in both")
    who = "the same people" if shared is None else f"{shared:,} of the same people"
    if entry.kind != release.data.kind and original_kind(entry.kind) != release.original.kind:
        return Composed(entry.number, shared, False, f"{who} in data of another kind ({entry.kind}): not attacked")
    if release.original.kind not in Composition.kinds:
        fits = " and ".join(Composition.kinds)
        sentence = f"{who}: not attacked, because composition applies to {fits}, not to {release.original.kind}"
        return Composed(entry.number, shared, False, sentence)
    earlier = _promises(entry)
    noise = _noise_sentence(release, earlier, who)
    if noise is not None:
        return Composed(entry.number, shared, False, noise)
    if entry.files != "as written":
        return Composed(entry.number, shared, True, _missing_release(entry, ledger, who))
    return _attacked(release, entry, earlier, rows, shared, who)


def _missing_release(entry: Entry, ledger: ReleaseLedger, who: str) -> str:
    """Why a release that counts as published cannot be attacked, and what its owner can do."""
    if entry.state == INTENDED:
        return with_remedy(
            f"release {entry.number} of {who} is not in {entry.directory}; its run was killed, and it counts as "
            "published",
            "close-release",
            ledger=ledger.path,
            number=entry.number,
        )
    return with_remedy(
        f"release {entry.number} of {who} is {entry.files} in {entry.directory}, so the attack on both releases "
        "together cannot be run",
        "move-release",
        ledger=ledger.path,
        number=entry.number,
    )


def _attacked(
    release: Release[Dataset],
    entry: Entry,
    earlier: list[PrivacyModel],
    rows: npt.NDArray[np.bool_],
    shared: int | None,
    who: str,
) -> Composed:
    later = [model for model, _ in release.verdicts]
    known = min((model.m for model in (*earlier, *later) if hasattr(model, "m")), default=_KNOWN)
    known = min(known, _MOST_KNOWN)
    try:
        exposed = Exposed(directory.read(entry.directory).require_data(), models=tuple(earlier), unit=entry.unit)
        setting = _scene(release, exposed, rows, kept=(_kept(entry), kept_in(release)))
        finding = Composition(known=known, targets=_TARGETS).run(setting, seed=0)
    except DataError as refusal:
        return Composed(
            entry.number, shared, False, keep_remedy(f"{who} in other data, not attacked: {refusal}", refusal)
        )
    facts, figures = finding.facts, finding.to_json()
    set_size: int | None = facts["smallest_anonymity_set_gained"]
    beaten = _violation_sentence(facts, earlier, later)
    if beaten:
        sentence = f"with release {entry.number} of {who} ({entry.directory}), {beaten}"
        return Composed(entry.number, shared, True, sentence, set_size, figures, attacked=True)
    gained = _gain_sentence(facts)
    tried = f"tried on {finding.tried:,} of {finding.of:,} {finding.unit}s"
    left_out = "; ".join(note.rstrip(".") for note in finding.notes if note.startswith("Not attacked: "))
    sentence = f"with release {entry.number} of {who}, {gained or 'the attack gains nothing'} ({tried})"
    if facts["not_attacked"] and not gained:
        sentence = f"with release {entry.number} of {who}: {left_out[0].lower()}{left_out[1:]}"
    elif left_out:
        sentence = f"{sentence}; {left_out[0].lower()}{left_out[1:]}"
    return Composed(entry.number, shared, False, sentence, set_size, figures, attacked=not left_out)


def _gain_sentence(facts: JsonObject) -> str:
    """What both releases reveal together and neither reveals alone, in words; empty where there is nothing."""
    set_size, values, share = (
        facts[f"{name}_gained"] for name in ("smallest_anonymity_set", "fewest_sensitive_values", "highest_probability")
    )
    parts = []
    if set_size is not None:
        parts.append(f"the anonymity set of a person shrinks to {set_size:,}")
    if values is not None:
        parts.append(f"the possible sensitive values of a person shrink to {values:,}")
    if not parts and share is not None:
        parts.append(f"a sensitive value can be inferred with a probability of up to {share:.2%}")
    return ", ".join(parts)


def _violation_sentence(facts: JsonObject, earlier: list[PrivacyModel], later: list[PrivacyModel]) -> str:
    """What both releases reveal together although both promise not to, in words; empty where there is nothing."""
    set_size, values, share = (
        facts[f"{name}_gained"] for name in ("smallest_anonymity_set", "fewest_sensitive_values", "highest_probability")
    )
    both = _weaker(_promised_set_size, earlier, later)
    if set_size is not None and both is not None and set_size < both:
        return f"the anonymity set of a person shrinks to {set_size:,}, where both releases promise {both:,}"
    both = _weaker(_promised_values, earlier, later)
    if values is not None and both is not None and values < both:
        return f"the possible sensitive values of a person shrink to {values:,}, where both releases promise {both:,}"
    both = _weaker(_promised_l, earlier, later)
    if share is not None and both is not None and share > 1 / both + _CLOSE:
        return (
            f"a sensitive value can be inferred with a probability of {share:.2%}, where both releases promise at most "
            f"{1 / both:.2%}"
        )
    return ""


def _weaker(
    promised: Callable[[list[PrivacyModel]], int | None], earlier: list[PrivacyModel], later: list[PrivacyModel]
) -> int | None:
    """What both releases promise at least; None where one of them does not promise it."""
    limits = [promised(models) for models in (earlier, later)]
    return None if limits[0] is None or limits[1] is None else min(limits[0], limits[1])


@dataclass(frozen=True, eq=False)
class _Beside(AttackSetting):
    """Two releases of partly the same people: their numbers of records do not show what was suppressed."""

    kept: tuple[str, ...] = ()

    def see(self, exposed: Exposed) -> PublishedView:
        seen = super().see(exposed)
        seen.kept = self.kept[next(index for index, release in enumerate(self.releases) if release is exposed)]
        return seen


def kept_in(release: Release[Dataset]) -> str:
    """What a release kept of the records that it publishes: "whole", "shortened" or "unknown"."""
    if release.origin is None or not isinstance(release.data, Ragged | Mixed):
        return UNKNOWN
    exposed = Exposed.of(release)
    return kept_of(release.original, exposed, AttackSetting.of(release.original, exposed).seen)


def _kept(entry: Entry) -> str:
    return WHOLE if entry.whole else SHORTENED if entry.shortened else UNKNOWN


def _scene(
    release: Release[Dataset], earlier: Exposed, rows: npt.NDArray[np.bool_], *, kept: tuple[str, str]
) -> AttackSetting:
    """The people of both releases; people of the later one alone are in its anonymity sets, but no targets."""
    later = Exposed.of(release)
    original: Any = release.original
    if any(getattr(model, "l", 1) > 1 for model in (*earlier.models, *later.models)):
        original = _without_sensitive(original)
    if not rows.all():
        original = original.take(np.flatnonzero(rows))
        if later.correspondence is not None:
            place = np.append(np.where(rows, np.cumsum(rows) - 1, -1), -1)  # -1, no record, stays -1
            later = replace(later, correspondence=place[later.correspondence])
    setting = AttackSetting.of(original, earlier, later)
    return _Beside(setting.original, setting.releases, kept=kept)


def _without_sensitive(original: Dataset) -> Any:
    """The same records without sensitive places or items, which the promises do not let an attacker know."""
    if isinstance(original, Mixed):
        return replace(original, items=_without_sensitive(original.items))
    if not isinstance(original, Trajectories | Transactions):
        return original
    sensitive = original.sensitive_among(frozenset(original.names))
    kept = ~np.isin(original.codes, [code for code, name in enumerate(original.names) if name in sensitive])
    lengths = np.bincount(original.record_of_element()[kept], minlength=len(original))
    times: JsonObject = {"times": None} if isinstance(original, Trajectories) else {}
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return replace(original, offsets=offsets, codes=original.codes[kept], **times)


def _promises(entry: Entry) -> list[PrivacyModel]:
    """What the earlier release promised, as far as this version knows it."""
    models = []
    for guarantee in entry.guarantees:
        if guarantee.get("model") in MODELS:
            try:
                models.append(model_class(guarantee["model"]).from_json(guarantee["parameters"]))
            except CallerError:
                continue
    return models


def _promised_set_size(models: list[PrivacyModel]) -> int | None:
    """The smallest anonymity set that was promised, or None."""
    promised = [int(model.k) for model in models if model.anonymity_sets and model.k > 1]  # type: ignore[attr-defined]
    return min(promised, default=None)


def _promised_values(models: list[PrivacyModel]) -> int | None:
    """How many values of a sensitive column were promised, where they were."""
    return min((int(model.l) for model in models if isinstance(model, LDiversity)), default=None)


def _promised_l(models: list[PrivacyModel]) -> int | None:
    """The l of a promise that at most one in l has the same sensitive value, or None."""
    parts = [int(getattr(model, "l", 1)) for model in models if model.bounds_inference]
    return min((part for part in parts if part > 1), default=None)


def _noise_sentence(release: Release[Dataset], earlier: list[PrivacyModel], who: str) -> str | None:
    """The sentence for releases of which one is protected by noise: epsilons add up; None where there is no noise."""
    later = [model for model, _ in release.verdicts]
    spent = [[model.epsilon for model in models if hasattr(model, "epsilon")] for models in (earlier, later)]
    if spent[0] and spent[1]:
        return f"{who}: the epsilons of both add up to {sum(spent[0]) + sum(spent[1]):g}"
    if spent[0] or spent[1]:
        return (
            f"{who}: not attacked, because noise protects one of the releases, which has no anonymity sets to intersect"
        )
    return None
