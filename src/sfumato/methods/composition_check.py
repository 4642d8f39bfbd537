"""A new release beside the earlier ones of the same people: attacked by composition before it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.attacks.composition import Composition
from sfumato.attacks.view.published_view import Seen
from sfumato.attacks.view.same_person import SHORTENED, UNKNOWN, WHOLE, kept_of
from sfumato.attacks.view.setting import Exposed, Scene
from sfumato.catalogue import MODELS, model_class
from sfumato.data import Mixed, Trajectories, Transactions, original_kind
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, DataError
from sfumato.io.published import directory
from sfumato.io.published.ledger import INTENDED, Entry, ReleaseLedger
from sfumato.privacy import LDiversity, PrivacyModel

if TYPE_CHECKING:
    from sfumato.methods.release import Release

__all__ = ["Composed", "attacked_with", "kept_in", "people_of"]

_TARGETS = 1_000
_MOST_KNOWN = 20
_KNOWN = 2  # pieces, where no promise says how many
_CLOSE = 1e-9
_SHARES = ("klm", "klm-diversity", "lm")  # promise that a secret is told with at most 1 / l


@dataclass(frozen=True)
class Composed:
    """What a new release and an earlier one give away together.

    shared : how many persons are in both; nothing where they are not known, and all are taken to be.
    smallest_crowd : the smallest crowd that composition left of a larger one; nothing where it gained nothing.
    refused : whether the new release must not be written without an override; `sentence` says why, or why not.
    attacked : whether everything was attacked that was tried; where not, nothing gained does not mean much.
    """

    number: int
    shared: int | None
    refused: bool
    sentence: str
    smallest_crowd: int | None = None
    figures: dict[str, Any] | None = None
    attacked: bool = False

    def to_json(self) -> dict[str, Any]:
        said = {"release": self.number, "shared": self.shared, "refused": self.refused, "sentence": self.sentence}
        said["attacked"] = self.attacked
        return said | {"smallest_crowd": self.smallest_crowd, "figures": self.figures}


def people_of(release: Release, ledger: ReleaseLedger) -> list[bytes] | None:
    """The keyed hash of the person of each record of the original; nothing where persons are not known."""
    persons = release.original.persons
    if persons is None:
        return None
    hashed = np.array(ledger.hashed(persons.names.to_list()), dtype=object)
    return list(hashed[persons.codes])


def attacked_with(release: Release, entry: Entry, ledger: ReleaseLedger, people: list[bytes] | None) -> Composed:
    """Attack the new release together with an earlier one of the ledger, as far as both are about the same people."""
    rows = np.ones(len(release.original), dtype=bool)
    shared = None
    if people is not None and entry.people is not None:
        both = ledger.shared(entry, people)
        shared = len(both)
        rows = np.fromiter((person in both for person in people), dtype=bool, count=len(people))
        if shared == 0:
            return Composed(entry.number, 0, False, "nobody is in both")
    who = "the same people" if shared is None else f"{shared:,} of the same people"
    if entry.kind != release.data.kind and original_kind(entry.kind) != release.original.kind:
        return Composed(entry.number, shared, False, f"{who} in other data ({entry.kind}): not attacked")
    if release.original.kind not in Composition.kinds:
        fits = " and ".join(Composition.kinds)
        said = f"{who}: not attacked, since composition fits {fits} and not {release.original.kind}"
        return Composed(entry.number, shared, False, said)
    earlier = _promises(entry)
    noise = _by_noise(release, earlier, who)
    if noise is not None:
        return Composed(entry.number, shared, False, noise)
    if entry.files != "as written":
        return Composed(entry.number, shared, True, _not_found(entry, ledger, who))
    return _attacked(release, entry, earlier, rows, shared, who)


def _not_found(entry: Entry, ledger: ReleaseLedger, who: str) -> str:
    """Why a release that counts as published cannot be attacked, and what its owner can do."""
    moved = f"put it back, or say where it lies (sfumato ledger {ledger.path} --moved {entry.number} DIR)"
    if entry.state == INTENDED:
        return (
            f"release {entry.number} of {who} is not in {entry.directory}; its run was killed, and it counts as "
            f"published; {moved}, or say that it was never published (sfumato ledger {ledger.path} "
            f"--close {entry.number})"
        )
    return (
        f"release {entry.number} of {who} is {entry.files} in {entry.directory}, so nobody can tell what both give "
        f"away together; {moved}"
    )


def _attacked(
    release: Release,
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
        scene = _scene(release, exposed, rows, kept=(_kept(entry), kept_in(release)))
        finding = Composition(known=known, targets=_TARGETS).run(scene, seed=0)
    except DataError as refusal:
        return Composed(entry.number, shared, False, f"{who} in other data, not attacked: {refusal}")
    facts, figures = finding.facts, finding.to_json()
    crowd: int | None = facts["smallest_crowd_gained"]
    beaten = _beaten(facts, earlier, later)
    if beaten:
        said = f"with release {entry.number} of {who} ({entry.directory}), {beaten}"
        return Composed(entry.number, shared, True, said, crowd, figures, attacked=True)
    gained = _gained(facts)
    tried = f"tried on {finding.tried:,} of {finding.of:,} {finding.unit}s"
    left_out = "; ".join(note.rstrip(".") for note in finding.notes if note.startswith("Not attacked: "))
    said = f"with release {entry.number} of {who}, {gained or 'nothing is gained'} ({tried})"
    if facts["not_attacked"] and not gained:
        said = f"with release {entry.number} of {who}: {left_out[0].lower()}{left_out[1:]}"
    elif left_out:
        said = f"{said}; {left_out[0].lower()}{left_out[1:]}"
    return Composed(entry.number, shared, False, said, crowd, figures, attacked=not left_out)


def _gained(facts: dict[str, Any]) -> str:
    """What both releases tell together that neither tells alone, in words; nothing where there is nothing."""
    crowd, values, share = (facts[f"{one}_gained"] for one in ("smallest_crowd", "fewest_secrets", "surest_secret"))
    if crowd is not None and values is not None:
        return f"somebody is left among {crowd:,}, a sensitive value of somebody among {values:,}"
    if crowd is not None:
        return f"somebody is left among {crowd:,}"
    if values is not None:
        return f"a sensitive value of somebody is left among {values:,}"
    return "" if share is None else f"something sensitive of somebody is told with up to {share:.2%}"


def _beaten(facts: dict[str, Any], earlier: list[PrivacyModel], later: list[PrivacyModel]) -> str:
    """What both releases tell together although both promise that they do not; nothing where there is nothing."""
    crowd, values, share = (facts[f"{one}_gained"] for one in ("smallest_crowd", "fewest_secrets", "surest_secret"))
    both = _weaker(_crowd, earlier, later)
    if crowd is not None and both is not None and crowd < both:
        return f"somebody is left among {crowd:,}, where both promise {both:,}"
    both = _weaker(_values, earlier, later)
    if values is not None and both is not None and values < both:
        return f"a sensitive value of somebody is left among {values:,}, where both promise {both:,}"
    both = _weaker(_one_in, earlier, later)
    if share is not None and both is not None and share > 1 / both + _CLOSE:
        return f"something sensitive of somebody is told with {share:.2%}, where both promise at most {1 / both:.2%}"
    return ""


def _weaker(
    promised: Callable[[list[PrivacyModel]], int | None], earlier: list[PrivacyModel], later: list[PrivacyModel]
) -> int | None:
    """What both releases promise at least; nothing where one of them does not promise it."""
    found = [promised(models) for models in (earlier, later)]
    return None if found[0] is None or found[1] is None else min(found[0], found[1])


@dataclass(frozen=True, eq=False)
class _Beside(Scene):
    """Two releases of partly the same people: how many records each has says nothing about suppression."""

    kept: tuple[str, ...] = ()

    def see(self, exposed: Exposed) -> Seen:
        seen = super().see(exposed)
        seen.kept = self.kept[next(at for at, one in enumerate(self.releases) if one is exposed)]
        return seen


def kept_in(release: Release) -> str:
    """What a release kept of the records that it publishes: "whole", "shortened", or "unknown" (see `same_person`)."""
    if release.origin is None or not isinstance(release.data, Ragged | Mixed):
        return UNKNOWN
    exposed = Exposed.of(release)
    return kept_of(release.original, exposed, Scene.of(release.original, exposed).seen)


def _kept(entry: Entry) -> str:
    return WHOLE if entry.whole else SHORTENED if entry.shortened else UNKNOWN


def _scene(release: Release, earlier: Exposed, rows: npt.NDArray[np.bool_], *, kept: tuple[str, str]) -> Scene:
    """The people of both releases; whoever is in the later one alone is in its crowds, and no target."""
    later = Exposed.of(release)
    original: Any = release.original
    if any(getattr(model, "l", 1) > 1 for model in (*earlier.models, *later.models)):
        original = _without_secrets(original)
    if not rows.all():
        original = original.take(np.flatnonzero(rows))
        if later.correspondence is not None:
            place = np.append(np.where(rows, np.cumsum(rows) - 1, -1), -1)  # -1, nobody, stays nobody
            later = replace(later, correspondence=place[later.correspondence])
    scene = Scene.of(original, earlier, later)
    return _Beside(scene.original, scene.releases, kept)


def _without_secrets(original: Any) -> Any:
    """The same records without sensitive places or items, which no promise about secrets lets an attacker know."""
    if isinstance(original, Mixed):
        return replace(original, items=_without_secrets(original.items))
    if not isinstance(original, Trajectories | Transactions):
        return original
    secret = original.sensitive_among(frozenset(original.names))
    kept = ~np.isin(original.codes, [code for code, name in enumerate(original.names) if name in secret])
    lengths = np.bincount(original.record_of_element()[kept], minlength=len(original))
    times: dict[str, Any] = {"times": None} if isinstance(original, Trajectories) else {}
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return replace(original, offsets=offsets, codes=original.codes[kept], **times)


def _promises(entry: Entry) -> list[PrivacyModel]:
    """What the earlier release promised, as far as this version knows it."""
    found = []
    for one in entry.guarantees:
        if one.get("model") in MODELS:
            try:
                found.append(model_class(one["model"]).from_json(one["parameters"]))
            except CallerError:
                continue
    return found


def _crowd(models: list[PrivacyModel]) -> int | None:
    """The smallest crowd that was promised, where one was."""
    crowds = [int(model.k) for model in models if model.crowds and model.k > 1]  # type: ignore[attr-defined]
    return min(crowds, default=None)


def _values(models: list[PrivacyModel]) -> int | None:
    """How many values of a sensitive column were promised, where they were."""
    return min((int(model.l) for model in models if isinstance(model, LDiversity)), default=None)


def _one_in(models: list[PrivacyModel]) -> int | None:
    """The l of a promise that at most one in l has the same secret, where there is one."""
    found = [int(getattr(model, "l", 1)) for model in models if model.name in _SHARES]
    return min((one for one in found if one > 1), default=None)


def _by_noise(release: Release, earlier: list[PrivacyModel], who: str) -> str | None:
    """What is to be said where one of them is protected by noise: it has no crowds, and epsilons add up."""
    later = [model for model, _ in release.verdicts]
    spent = [[model.epsilon for model in models if hasattr(model, "epsilon")] for models in (earlier, later)]
    if spent[0] and spent[1]:
        return f"{who}: the epsilons of both add up to {sum(spent[0]) + sum(spent[1]):g}"
    if spent[0] or spent[1]:
        return f"{who}: one of both is protected by noise and has no crowds to intersect, not attacked"
    return None
