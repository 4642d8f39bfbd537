"""Attacks within promises that bound a probability or a change of belief: inference, membership."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.attacks.inference import Inference
from sfumato.attacks.membership import Membership
from sfumato.attacks.owners import OwnerAudit
from sfumato.attacks.promises.promise_result import PromiseResult, unmeasured
from sfumato.attacks.promises.shared_results import (
    SAMPLED,
    TARGETS,
    UNKNOWN_PERSONS,
    anonymity_set_result,
    counts_persons,
    persons_unknown,
)
from sfumato.attacks.reidentify import Reidentify, sensitive_codes
from sfumato.attacks.sensitive_places import GuessSensitivePlaces
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed
from sfumato.data import Persons
from sfumato.data.base import Progress
from sfumato.errors import CallerError
from sfumato.privacy import (
    CSafety,
    Epsilon,
    KlmAnonymity,
    KlmDiversity,
    LDiversity,
    LmDiversity,
    ProjectionSafety,
    TCloseness,
)
from sfumato.remedies import keep_remedy

__all__ = [
    "attack_c_safety",
    "attack_diverse_items",
    "attack_epsilon",
    "attack_l_diversity",
    "attack_projection",
    "attack_t_closeness",
]

_CLOSE = 1e-9


def attack_diverse_items(
    setting: AttackSetting,
    model: KlmAnonymity | LmDiversity | KlmDiversity,
    seed: int | None,
    progress: Progress | None,
) -> Iterator[PromiseResult]:
    """At most one in l with the same sensitive value, for up to m known points; an anonymity set of at least k."""
    yield _inferred_value(setting, model, seed, progress)
    if model.k > 1:
        attack = Reidentify(known=min(20, model.m), sensitive=False, targets=TARGETS)
        measured = anonymity_set_result(
            model, attack.once(setting, seed=seed, progress=progress), model.k, counts_persons(setting)
        )
        named = bool(sensitive_codes(setting.original))  # if not, a sensitive value may be known, beyond the promise
        yield measured if named or not measured.beaten else unmeasured(model, "no sensitive places or items are named")


def _inferred_value(
    setting: AttackSetting,
    model: KlmAnonymity | LmDiversity | KlmDiversity,
    seed: int | None,
    progress: Progress | None,
) -> PromiseResult:
    fewest = 0 if setting.original.kind == "mixed" else 1
    worst, title, exact = 0.0, "", True
    for known in range(fewest, min(20, model.m) + 1):
        attack = Inference(known=known, of="elements", targets=TARGETS)
        why = attack.unfit(setting) or persons_unknown(setting)
        if why is not None:
            return unmeasured(model, why)
        finding = attack.once(setting, seed=seed, progress=progress)
        worst, title = max(worst, finding.worst), f"{finding.title}: {finding.knows}"
        exact &= finding.exact
    return PromiseResult.of(
        model,
        title,
        f"a probability of at most 1/{model.l}",
        f"{worst:.4g}" if exact else f"at least {worst:.4g}",
        worst > 1 / model.l + _CLOSE,
        "" if exact else SAMPLED,
    )


def attack_l_diversity(
    setting: AttackSetting, model: LDiversity, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    distinct = model.variant == "distinct"
    if not distinct and persons_unknown(setting):
        yield unmeasured(model, UNKNOWN_PERSONS)
        return
    finding = Inference(of="columns", targets=TARGETS).once(setting, seed=seed, progress=progress)
    left = finding.facts["fewest_values" if distinct else "fewest_effective"]
    words = "different values" if distinct else "equally probable values, by entropy"
    yield PromiseResult.of(
        model,
        f"{finding.title}: {finding.knows}",
        f"at least {model.l} {words}",
        f"{left:.4g}" if finding.exact else f"at most {left:.4g}",
        left < model.l - (0 if distinct else 1e-6),
        "" if finding.exact else SAMPLED,
    )


def attack_t_closeness(
    setting: AttackSetting, model: TCloseness, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    if persons_unknown(setting):
        yield unmeasured(model, UNKNOWN_PERSONS)
        return
    finding = Inference(of="columns", targets=TARGETS).once(setting, seed=seed, progress=progress)
    shift = finding.facts["largest_shift" if model.distance == "equal" else "largest_ordered_shift"]
    if shift is None:
        yield unmeasured(model, "the sensitive values are not numbers")
        return
    yield PromiseResult.of(
        model,
        f"{finding.title}: {finding.knows}",
        f"a belief that changes by at most {model.t:g}",
        f"{shift:.4g}" if finding.exact else f"at least {shift:.4g}",
        shift > model.t + 1e-6,
        "" if finding.exact else SAMPLED,
    )


def attack_c_safety(
    setting: AttackSetting,
    model: CSafety,
    seed: int | None,
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[PromiseResult]:
    data = _with_persons(setting)
    if data.taxonomy is None or not data.taxonomy.sensitive:
        yield unmeasured(model, "no places are marked as sensitive")
        return
    if persons_unknown(setting):
        yield unmeasured(model, UNKNOWN_PERSONS)
        return
    drawn = drawn_seed(seed)
    guesses = GuessSensitivePlaces().run(data, seed=drawn, c=model.c)
    worst = max(row.worst for row in guesses.rows)
    yield PromiseResult.of(
        model,
        "inference of a sensitive place: up to 4 nonsensitive places of a person, in order",
        f"a probability of at most {model.c:g}",
        f"at least {worst:.4g}",
        worst > model.c + _CLOSE,
        f"{SAMPLED}: {guesses.rows[0].attackers:,} attackers for each number of places, seed {drawn}",
    )


def attack_projection(
    setting: AttackSetting,
    model: ProjectionSafety,
    seed: int | None,  # noqa: ARG001
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[PromiseResult]:
    data = _with_persons(setting)
    if not data.knows_owners:
        yield unmeasured(model, "no places have an owner")
        return
    if persons_unknown(setting):
        yield unmeasured(model, UNKNOWN_PERSONS)
        return
    worst = float(OwnerAudit(collude=model.collude).run(data).certainty.max(initial=0.0))
    yield PromiseResult.of(
        model,
        "inference by an owner of places: what the owner sees of its customers",
        f"a probability of at most {model.threshold:g}",
        f"{worst:.4g}",
        worst > model.threshold + _CLOSE,
    )


def attack_epsilon(
    setting: AttackSetting, model: Epsilon, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    attack = Membership()
    why = attack.unfit(setting)
    if why is not None:
        yield unmeasured(model, why)
        return
    try:
        finding = attack.once(setting, seed=seed, progress=progress)
    except CallerError as refusal:  # what a method sees only at work
        yield unmeasured(model, keep_remedy(str(refusal), refusal))
        return
    low, high = finding.interval
    yield PromiseResult.of(
        model,
        f"{finding.title}: {finding.knows}",
        f"right with a probability of at most {finding.facts['bound']:.4g}",
        f"{finding.mean:.4g} (95%: {low:.3g} to {high:.3g})",
        low > finding.facts["bound"],
    )


def _with_persons(setting: AttackSetting) -> Any:
    data = setting.release.data
    if setting.seen.unit == "person" and setting.original.persons is not None:
        data = data.with_persons(Persons(setting.seen.units.astype(np.int32), setting.original.persons.names))
    added = {side: getattr(setting.original, side) for side in ("places", "taxonomy") if getattr(data, side) is None}
    return replace(data, **added)
