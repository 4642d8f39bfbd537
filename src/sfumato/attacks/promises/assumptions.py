"""Which attacks stay inside the assumptions of each promise, and what they must not achieve.

A crowd below k, a secret told with more than 1/l, a belief that moves by more than t: whatever the promise rules out.
Knowledge beyond the promise (more pieces, a sensitive one, another release) is left to the attacks themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.attacks.base import Finding, Progress
from sfumato.attacks.crossings import Crossings, smallest_difference
from sfumato.attacks.inference import Inference
from sfumato.attacks.membership import Membership
from sfumato.attacks.owners import OwnerAudit
from sfumato.attacks.promises.promise_result import Weighed, unmeasured
from sfumato.attacks.reidentify import Reidentify, secret_codes
from sfumato.attacks.sensitive_places import GuessSensitivePlaces
from sfumato.attacks.view.published_view import Knowledge, SeenLabels
from sfumato.attacks.view.setting import Scene
from sfumato.attacks.view.targets import chosen
from sfumato.data import Persons
from sfumato.errors import CallerError
from sfumato.prepare.policies import policy_of_rule

__all__ = ["INSIDE", "Inside"]

_CLOSE = 1e-9
_TARGETS = 2000
_UNTOLD = "the files do not say who is behind the records; --report"


def _crowd(model: Any, found: Finding, k: int, by_person: bool) -> Weighed:
    smallest = found.facts["smallest_crowd"]
    note = ""
    if by_person and found.facts["crowd_unit"] == "record":
        note = "counted in records, as the files do not say who is behind them"
    return Weighed(
        model.name,
        str(model),
        f"{found.title}: {found.knows}",
        f"a crowd of {k} or more",
        "nobody fits" if smallest is None else f"{smallest}",
        smallest is not None and smallest < k,
        note,
    )


def _by_person(scene: Scene) -> bool:
    return scene.release.unit == "person"


def _untold(scene: Scene) -> str | None:
    """Why shares cannot be measured: of records they say nothing about those of persons, be they above or below."""
    return _UNTOLD if _by_person(scene) and scene.seen.unit == "record" else None


def _km(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    attack = Reidentify(known=min(20, model.m), targets=_TARGETS)
    yield _crowd(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))


def _k_anonymity(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    yield _crowd(
        model, Reidentify(targets=_TARGETS).once(scene, seed=seed, progress=progress), model.k, _by_person(scene)
    )


def _diverse_items(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    """At most one in l with the same secret, for any number of pieces up to m; a crowd of k."""
    yield _told_secret(scene, model, seed, progress)
    if model.k > 1:
        attack = Reidentify(known=min(20, model.m), secrets=False, targets=_TARGETS)
        found = _crowd(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))
        named = bool(secret_codes(scene.original))  # if not, a secret was known, which is beyond the promise
        yield found if named or not found.beaten else unmeasured(model, "nothing says what is sensitive")


def _told_secret(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Weighed:
    fewest = 0 if scene.original.kind == "mixed" else 1
    worst, title = 0.0, ""
    for known in range(fewest, min(20, model.m) + 1):
        attack = Inference(known=known, of="pieces", targets=_TARGETS)
        why = attack.unfit(scene) or _untold(scene)
        if why is not None:
            return unmeasured(model, why)
        found = attack.once(scene, seed=seed, progress=progress)
        worst, title = max(worst, found.worst), f"{found.title}: {found.knows}"
    return Weighed(
        model.name,
        str(model),
        title,
        f"a probability of at most 1/{model.l}",
        f"{worst:.4g}",
        worst > 1 / model.l + _CLOSE,
    )


def _l_diversity(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    distinct = model.variant == "distinct"
    if not distinct and _untold(scene):
        yield unmeasured(model, _UNTOLD)
        return
    found = Inference(of="columns", targets=_TARGETS).once(scene, seed=seed, progress=progress)
    left = found.facts["fewest_values" if distinct else "fewest_effective"]
    words = "different values" if distinct else "equally likely values, by entropy"
    yield Weighed(
        model.name,
        str(model),
        f"{found.title}: {found.knows}",
        f"at least {model.l} {words}",
        f"{left:.4g}",
        left < model.l - (0 if distinct else 1e-6),
    )


def _t_closeness(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    if _untold(scene):
        yield unmeasured(model, _UNTOLD)
        return
    found = Inference(of="columns", targets=_TARGETS).once(scene, seed=seed, progress=progress)
    shift = found.facts["largest_shift" if model.distance == "equal" else "largest_ordered_shift"]
    if shift is None:
        yield unmeasured(model, "the sensitive values are no numbers")
        return
    yield Weighed(
        model.name,
        str(model),
        f"{found.title}: {found.knows}",
        f"a belief that shifts by at most {model.t:g}",
        f"{shift:.4g}",
        shift > model.t + 1e-6,
    )


def _c_safety(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:  # noqa: ARG001
    data = _with_persons(scene)
    if data.taxonomy is None or not data.taxonomy.sensitive:
        yield unmeasured(model, "nothing says which places are sensitive")
        return
    if _untold(scene):
        yield unmeasured(model, _UNTOLD)
        return
    found = GuessSensitivePlaces().run(data, seed=seed, c=model.c)
    worst = max(row.worst for row in found.rows)
    yield Weighed(
        model.name,
        str(model),
        "inference of a sensitive place: up to 4 ordinary places of somebody, in order",
        f"a probability of at most {model.c:g}",
        f"{worst:.4g}",
        worst > model.c + _CLOSE,
    )


def _projection(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:  # noqa: ARG001
    data = _with_persons(scene)
    if not data.knows_owners:
        yield unmeasured(model, "nothing says who owns the places")
        return
    if _untold(scene):
        yield unmeasured(model, _UNTOLD)
        return
    worst = float(OwnerAudit(collude=model.collude).run(data).certainty.max(initial=0.0))
    yield Weighed(
        model.name,
        str(model),
        "inference by the owner of places: what it sees of its customers",
        f"a probability of at most {model.threshold:g}",
        f"{worst:.4g}",
        worst > model.threshold + _CLOSE,
    )


def _policy(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    policy = scene.release.data.privacy_policy or scene.original.privacy_policy
    if policy is not None and not policy.known:
        policy = policy_of_rule(policy.rule, scene.original)
    if policy is None:
        yield unmeasured(model, "the release does not say what its policy protects")
        return
    if policy.size:
        attack = Reidentify(known=min(20, policy.size), targets=_TARGETS)
        yield _crowd(model, attack.once(scene, seed=seed, progress=progress), model.k, _by_person(scene))
        return
    code_of = {name: code for code, name in enumerate(scene.original.names)}
    sets = [tuple(code_of[item] for item in one) for one in policy.subsets if all(item in code_of for item in one)]
    crowds = [scene.seen.crowd(scene.seen.fitting(Knowledge(one))) for one in sets]
    smallest = min((crowd for crowd in crowds if crowd), default=None)
    yield Weighed(
        model.name,
        str(model),
        "re-identification by known pieces: any set that the policy protects",
        f"a crowd of {model.k} or more",
        "nobody fits" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _sequence_k(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:  # noqa: ARG001
    """The other way round: whatever sequence is published, k originals may be behind it."""
    original, data = scene.original, scene.release.data
    labels = SeenLabels(original, original.names)
    code_of = {name: code for code, name in enumerate(original.names)}
    smallest = None
    for record in chosen(len(data), _TARGETS, np.random.default_rng(seed)).tolist():
        pieces = tuple(code_of[name] for name in data.labels(record))
        crowd = len(np.unique(original.units[labels.fitting(Knowledge(pieces, ordered=True))]))
        smallest = crowd if smallest is None else min(smallest, crowd)
    yield Weighed(
        model.name,
        str(model),
        "who can be behind a published sequence: all original sequences",
        f"a crowd of {model.k} or more",
        "nothing published" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _epsilon(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    attack = Membership()
    why = attack.unfit(scene)
    if why is not None:
        yield unmeasured(model, why)
        return
    try:
        found = attack.once(scene, seed=seed, progress=progress)
    except CallerError as refusal:  # what a method sees only at work
        yield unmeasured(model, str(refusal))
        return
    low, high = found.interval
    yield Weighed(
        model.name,
        str(model),
        f"{found.title}: {found.knows}",
        f"right with a probability of at most {found.facts['bound']:.4g}",
        f"{found.mean:.4g} (95%: {low:.3g} to {high:.3g})",
        low > found.facts["bound"],
    )


def _strict_k(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:
    found = Crossings().once(scene, seed=seed, progress=progress)
    yield _crowd(model, found, model.k, _by_person(scene))


def _inference_route(scene: Scene, model: Any, seed: int | None, progress: Progress | None) -> Iterator[Weighed]:  # noqa: ARG001
    smallest = smallest_difference(scene, model.k)
    yield Weighed(
        model.name,
        str(model),
        "an inference route: that somebody took one of two busy roads that meet, and not the other",
        f"a crowd of {model.k} or more",
        "nobody fits" if smallest is None else f"{smallest}",
        smallest is not None and smallest < model.k,
    )


def _with_persons(scene: Scene) -> Any:
    data = scene.release.data
    if scene.seen.unit == "person" and scene.original.persons is not None:
        data = data.with_persons(Persons(scene.seen.units.astype(np.int32), scene.original.persons.names))
    told = {side: getattr(scene.original, side) for side in ("places", "taxonomy") if getattr(data, side) is None}
    return replace(data, **told)


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
