"""The attacks within the assumptions of each privacy model, and what they must not achieve.

The model rules out an anonymity set below k, an inference with a probability above 1/l, a belief that changes by more
than t, and so on.  Attacks with more knowledge (more than m points, a sensitive one, another release) are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.attacks.base import Finding
from sfumato.attacks.crossings import Crossings, smallest_difference
from sfumato.attacks.inference import Inference
from sfumato.attacks.membership import Membership
from sfumato.attacks.owners import OwnerAudit
from sfumato.attacks.promises.promise_result import Weighed, unmeasured
from sfumato.attacks.reidentify import Reidentify, sensitive_codes
from sfumato.attacks.sensitive_places import GuessSensitivePlaces
from sfumato.attacks.view.published_view import Knowledge, SeenLabels
from sfumato.attacks.view.setting import Scene
from sfumato.attacks.view.targets import chosen
from sfumato.data import Persons
from sfumato.data.base import Progress
from sfumato.errors import CallerError
from sfumato.prepare.policies import policy_of_rule
from sfumato.privacy import (
    CSafety,
    Epsilon,
    KAnonymity,
    KkmAnonymity,
    KlmAnonymity,
    KlmDiversity,
    KmAnonymity,
    LDiversity,
    LmDiversity,
    NoInferenceRoute,
    PolicyProtection,
    PrivacyModel,
    ProjectionSafety,
    ReconstructionAnonymity,
    SequenceKAnonymity,
    StrictKAnonymity,
    TCloseness,
)
from sfumato.remedies import keep_remedy, with_remedy

__all__ = ["INSIDE", "Inside"]

_CLOSE = 1e-9
_TARGETS = 2000
_UNKNOWN_PERSONS = with_remedy("the files do not show the persons of the records", "give-report")


def _anonymity_set(model: PrivacyModel, finding: Finding, k: int, by_person: bool) -> Weighed:
    smallest = finding.facts["smallest_crowd"]
    note = ""
    if by_person and finding.facts["crowd_unit"] == "record":
        note = "counted in records, because the files do not show the persons behind them"
    return Weighed(
        model.name,
        str(model),
        f"{finding.title}: {finding.knows}",
        f"an anonymity set of at least {k}",
        "no match" if smallest is None else f"{smallest}",
        smallest is not None and smallest < k,
        note,
    )


def _by_person(scene: Scene) -> bool:
    return scene.release.unit == "person"


def _persons_unknown(scene: Scene) -> str | None:
    """Why shares cannot be measured: of records they say nothing about those of persons, be they above or below."""
    return _UNKNOWN_PERSONS if _by_person(scene) and scene.seen.unit == "record" else None


def _km(
    scene: Scene,
    model: KmAnonymity | KkmAnonymity | ReconstructionAnonymity,
    seed: int | None,
    progress: Progress | None,
) -> Iterator[Weighed]:
    attack = Reidentify(known=min(20, model.m), targets=_TARGETS)
    yield _anonymity_set(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))


def _k_anonymity(scene: Scene, model: KAnonymity, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    yield _anonymity_set(
        model, Reidentify(targets=_TARGETS).once(scene, seed=seed, progress=progress), model.k, _by_person(scene)
    )


def _diverse_items(
    scene: Scene, model: KlmAnonymity | LmDiversity | KlmDiversity, seed: int | None, progress: Progress | None
) -> Iterator[Weighed]:
    """At most one in l with the same sensitive value, for up to m known points; an anonymity set of at least k."""
    yield _inferred_value(scene, model, seed, progress)
    if model.k > 1:
        attack = Reidentify(known=min(20, model.m), secrets=False, targets=_TARGETS)
        measured = _anonymity_set(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))
        named = bool(sensitive_codes(scene.original))  # if not, a sensitive value may be known, beyond the promise
        yield measured if named or not measured.beaten else unmeasured(model, "no sensitive places or items are named")


def _inferred_value(
    scene: Scene, model: KlmAnonymity | LmDiversity | KlmDiversity, seed: int | None, progress: Progress | None
) -> Weighed:
    fewest = 0 if scene.original.kind == "mixed" else 1
    worst, title = 0.0, ""
    for known in range(fewest, min(20, model.m) + 1):
        attack = Inference(known=known, of="pieces", targets=_TARGETS)
        why = attack.unfit(scene) or _persons_unknown(scene)
        if why is not None:
            return unmeasured(model, why)
        finding = attack.once(scene, seed=seed, progress=progress)
        worst, title = max(worst, finding.worst), f"{finding.title}: {finding.knows}"
    return Weighed(
        model.name,
        str(model),
        title,
        f"a probability of at most 1/{model.l}",
        f"{worst:.4g}",
        worst > 1 / model.l + _CLOSE,
    )


def _l_diversity(scene: Scene, model: LDiversity, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    distinct = model.variant == "distinct"
    if not distinct and _persons_unknown(scene):
        yield unmeasured(model, _UNKNOWN_PERSONS)
        return
    finding = Inference(of="columns", targets=_TARGETS).once(scene, seed=seed, progress=progress)
    left = finding.facts["fewest_values" if distinct else "fewest_effective"]
    words = "different values" if distinct else "equally probable values, by entropy"
    yield Weighed(
        model.name,
        str(model),
        f"{finding.title}: {finding.knows}",
        f"at least {model.l} {words}",
        f"{left:.4g}",
        left < model.l - (0 if distinct else 1e-6),
    )


def _t_closeness(scene: Scene, model: TCloseness, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    if _persons_unknown(scene):
        yield unmeasured(model, _UNKNOWN_PERSONS)
        return
    finding = Inference(of="columns", targets=_TARGETS).once(scene, seed=seed, progress=progress)
    shift = finding.facts["largest_shift" if model.distance == "equal" else "largest_ordered_shift"]
    if shift is None:
        yield unmeasured(model, "the sensitive values are not numbers")
        return
    yield Weighed(
        model.name,
        str(model),
        f"{finding.title}: {finding.knows}",
        f"a belief that changes by at most {model.t:g}",
        f"{shift:.4g}",
        shift > model.t + 1e-6,
    )


def _c_safety(scene: Scene, model: CSafety, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:  # noqa: ARG001
    data = _with_persons(scene)
    if data.taxonomy is None or not data.taxonomy.sensitive:
        yield unmeasured(model, "no places are marked as sensitive")
        return
    if _persons_unknown(scene):
        yield unmeasured(model, _UNKNOWN_PERSONS)
        return
    guesses = GuessSensitivePlaces().run(data, seed=seed, c=model.c)
    worst = max(row.worst for row in guesses.rows)
    yield Weighed(
        model.name,
        str(model),
        "inference of a sensitive place: up to 4 nonsensitive places of a person, in order",
        f"a probability of at most {model.c:g}",
        f"{worst:.4g}",
        worst > model.c + _CLOSE,
    )


def _projection(
    scene: Scene,
    model: ProjectionSafety,
    seed: int | None,  # noqa: ARG001
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[Weighed]:
    data = _with_persons(scene)
    if not data.knows_owners:
        yield unmeasured(model, "no places have an owner")
        return
    if _persons_unknown(scene):
        yield unmeasured(model, _UNKNOWN_PERSONS)
        return
    worst = float(OwnerAudit(collude=model.collude).run(data).certainty.max(initial=0.0))
    yield Weighed(
        model.name,
        str(model),
        "inference by an owner of places: what the owner sees of its customers",
        f"a probability of at most {model.threshold:g}",
        f"{worst:.4g}",
        worst > model.threshold + _CLOSE,
    )


def _policy(scene: Scene, model: PolicyProtection, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    policy = scene.release.data.privacy_policy or scene.original.privacy_policy
    if policy is not None and not policy.known:
        policy = policy_of_rule(policy.rule, scene.original)
    if policy is None:
        yield unmeasured(model, "the release does not show what its policy protects")
        return
    if policy.size:
        attack = Reidentify(known=min(20, policy.size), targets=_TARGETS)
        yield _anonymity_set(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))
        return
    code_of = {name: code for code, name in enumerate(scene.original.names)}
    sets = [
        tuple(code_of[item] for item in itemset)
        for itemset in policy.subsets
        if all(item in code_of for item in itemset)
    ]
    crowds = [scene.seen.crowd(scene.seen.fitting(Knowledge(itemset))) for itemset in sets]
    smallest = min((crowd for crowd in crowds if crowd), default=None)
    yield Weighed(
        model.name,
        str(model),
        "re-identification by background knowledge: any set of items that the policy protects",
        f"an anonymity set of at least {model.k}",
        "no match" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _sequence_k(
    scene: Scene,
    model: SequenceKAnonymity,
    seed: int | None,
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[Weighed]:
    """The other way round: whatever sequence is published, k originals may be behind it."""
    original, data = scene.original, scene.release.data
    labels = SeenLabels(original, original.names)
    code_of = {name: code for code, name in enumerate(original.names)}
    smallest = None
    for record in chosen(len(data), _TARGETS, np.random.default_rng(seed)).tolist():
        points = tuple(code_of[name] for name in data.labels(record))
        crowd = len(np.unique(original.units[labels.fitting(Knowledge(points, ordered=True))]))
        smallest = crowd if smallest is None else min(smallest, crowd)
    yield Weighed(
        model.name,
        str(model),
        "original sequences that contain a published sequence",
        f"an anonymity set of at least {model.k}",
        "nothing published" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _epsilon(scene: Scene, model: Epsilon, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    attack = Membership()
    why = attack.unfit(scene)
    if why is not None:
        yield unmeasured(model, why)
        return
    try:
        finding = attack.once(scene, seed=seed, progress=progress)
    except CallerError as refusal:  # what a method sees only at work
        yield unmeasured(model, keep_remedy(str(refusal), refusal))
        return
    low, high = finding.interval
    yield Weighed(
        model.name,
        str(model),
        f"{finding.title}: {finding.knows}",
        f"right with a probability of at most {finding.facts['bound']:.4g}",
        f"{finding.mean:.4g} (95%: {low:.3g} to {high:.3g})",
        low > finding.facts["bound"],
    )


def _strict_k(scene: Scene, model: StrictKAnonymity, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    finding = Crossings().once(scene, seed=seed, progress=progress)
    yield _anonymity_set(model, finding, model.k, _by_person(scene))


def _inference_route(
    scene: Scene,
    model: NoInferenceRoute,
    seed: int | None,  # noqa: ARG001
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[Weighed]:
    smallest = smallest_difference(scene, model.k)
    yield Weighed(
        model.name,
        str(model),
        "inference route: that a person took one of two busy roads that meet, and not the other",
        f"an anonymity set of at least {model.k}",
        "no match" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _with_persons(scene: Scene) -> Any:
    data = scene.release.data
    if scene.seen.unit == "person" and scene.original.persons is not None:
        data = data.with_persons(Persons(scene.seen.units.astype(np.int32), scene.original.persons.names))
    added = {side: getattr(scene.original, side) for side in ("places", "taxonomy") if getattr(data, side) is None}
    return replace(data, **added)


Inside = Callable[[Scene, Any, int | None, Progress | None], Iterator[Weighed]]
INSIDE: dict[str, Inside] = {
    "km": _km,
    "kkm": _km,
    "reconstruction": _km,
    "k-anonymity": _k_anonymity,
    "klm": _diverse_items,
    "lm": _diverse_items,
    "klm-diversity": _diverse_items,
    "l-diversity": _l_diversity,
    "t-closeness": _t_closeness,
    "c-safety": _c_safety,
    "projection": _projection,
    "policy": _policy,
    "sequence-k": _sequence_k,
    "epsilon": _epsilon,
    "strict-k": _strict_k,
    "inference-route": _inference_route,
}
