"""Attacks within promises of an anonymity set of at least k: re-identification by the background knowledge assumed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.attacks.crossings import Crossings, smallest_difference
from sfumato.attacks.promises.promise_result import PromiseResult, unmeasured
from sfumato.attacks.promises.shared_results import (
    SAMPLED,
    TARGETS,
    anonymity_set_result,
    counts_persons,
    smallest_set_result,
)
from sfumato.attacks.reidentify import Reidentify
from sfumato.attacks.view.published_view import Knowledge, LabelView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import chosen
from sfumato.data.base import Progress
from sfumato.prepare.policies import policy_of_rule
from sfumato.privacy import (
    KAnonymity,
    KkmAnonymity,
    KmAnonymity,
    KPolicyProtection,
    NoInferenceRoute,
    PolicyProtection,
    ReconstructionAnonymity,
    SequenceKAnonymity,
    StrictKAnonymity,
)

__all__ = [
    "attack_inference_route",
    "attack_k_anonymity",
    "attack_k_policy",
    "attack_km",
    "attack_policy",
    "attack_sequence_k",
    "attack_strict_k",
]


_SEQUENCES = 20_000  # distinct published sequences that are tried


def attack_km(
    setting: AttackSetting,
    model: KmAnonymity | KkmAnonymity | ReconstructionAnonymity,
    seed: int | None,
    progress: Progress | None,
) -> Iterator[PromiseResult]:
    attack = Reidentify(known=min(20, model.m), targets=TARGETS)
    yield anonymity_set_result(
        model, attack.once(setting, seed=seed, progress=progress), model.k, counts_persons(setting)
    )


def attack_k_anonymity(
    setting: AttackSetting, model: KAnonymity, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    yield anonymity_set_result(
        model, Reidentify(targets=TARGETS).once(setting, seed=seed, progress=progress), model.k, counts_persons(setting)
    )


def attack_policy(
    setting: AttackSetting, model: PolicyProtection, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    policy = setting.release.data.privacy_policy or setting.original.privacy_policy
    if policy is not None and not policy.known:
        policy = policy_of_rule(policy.rule, setting.original)
    if policy is None:
        yield unmeasured(model, "the release does not show what its policy protects")
        return
    if policy.size:
        attack = Reidentify(known=min(20, policy.size), targets=TARGETS)
        yield anonymity_set_result(
            model, attack.once(setting, seed=seed, progress=progress), model.k, counts_persons(setting)
        )
        return
    code_of = {name: code for code, name in enumerate(setting.original.names)}
    sets = [
        tuple(code_of[item] for item in itemset)
        for itemset in policy.subsets
        if all(item in code_of for item in itemset)
    ]
    set_sizes = [setting.seen.set_size(setting.seen.fitting(Knowledge(itemset))) for itemset in sets]
    smallest = min((set_size for set_size in set_sizes if set_size), default=None)
    yield smallest_set_result(
        model, "re-identification by background knowledge: any set of items that the policy protects", model.k, smallest
    )


def attack_k_policy(
    setting: AttackSetting, model: KPolicyProtection, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    """The quasi-identifiers of a person, and those protected sets that the person's items contain."""
    original = setting.original
    policy = original.privacy_policy or setting.release.data.privacy_policy
    if policy is not None and not policy.known:
        policy = policy_of_rule(policy.rule, original.items)
    if policy is None:
        yield unmeasured(model, "the release does not show what its policy protects")
        return
    if policy.size:
        attack = Reidentify(known=min(20, policy.size), targets=TARGETS)
        yield anonymity_set_result(
            model, attack.once(setting, seed=seed, progress=progress), model.k, counts_persons(setting)
        )
        return
    code_of = {name: code for code, name in enumerate(original.items.names)}
    sets = [frozenset(itemset) for itemset in ((), *policy.subsets) if all(item in code_of for item in itemset)]
    smallest = None
    for row in chosen(len(original), TARGETS, np.random.default_rng(seed)).tolist():
        held = set(original.items.labels(row))
        for itemset in (wanted for wanted in sets if wanted <= held):
            known = Knowledge(tuple(code_of[item] for item in sorted(itemset)), row=row)
            size = setting.seen.set_size(setting.seen.fitting(known))
            if size and (smallest is None or size < smallest):
                smallest = size
    attack_in_words = "re-identification by background knowledge: the quasi-identifiers and a set of items that the "
    yield smallest_set_result(model, f"{attack_in_words}policy protects", model.k, smallest)


def attack_sequence_k(
    setting: AttackSetting,
    model: SequenceKAnonymity,
    seed: int | None,
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[PromiseResult]:
    """The other way round: for every published sequence, k originals may be behind it."""
    original, data = setting.original, setting.release.data
    labels = LabelView(original, original.names)
    code_of = {name: code for code, name in enumerate(original.names)}
    published = sorted({tuple(code_of[name] for name in data.labels(record)) for record in range(len(data))})
    targets = chosen(len(published), _SEQUENCES, np.random.default_rng(seed))
    smallest, exact = None, len(targets) == len(published)
    for points in (published[target] for target in targets.tolist()):
        set_size = len(np.unique(original.units[labels.fitting(Knowledge(points, ordered=True))]))
        smallest = set_size if smallest is None else min(smallest, set_size)
    yield smallest_set_result(
        model,
        "original sequences that contain a published sequence",
        model.k,
        smallest,
        none="nothing published",
        note="" if exact else SAMPLED,
        exact=exact,
    )


def attack_strict_k(
    setting: AttackSetting, model: StrictKAnonymity, seed: int | None, progress: Progress | None
) -> Iterator[PromiseResult]:
    finding = Crossings().once(setting, seed=seed, progress=progress)
    yield anonymity_set_result(model, finding, model.k, counts_persons(setting))


def attack_inference_route(
    setting: AttackSetting,
    model: NoInferenceRoute,
    seed: int | None,  # noqa: ARG001
    progress: Progress | None,  # noqa: ARG001
) -> Iterator[PromiseResult]:
    smallest = smallest_difference(setting, model.k)
    yield smallest_set_result(
        model,
        "inference route: that a person took one of two busy roads that meet, and not the other",
        model.k,
        smallest,
    )
