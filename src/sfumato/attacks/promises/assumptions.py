"""The attacks within the assumptions of each privacy model, and what they must not achieve.

The model rules out an anonymity set below k, an inference with a probability above 1/l, a belief that changes by more
than t, and so on.  Attacks with more knowledge (more than m points, a sensitive one, another release) are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sfumato.attacks.promises.anonymity_sets import (
    attack_inference_route,
    attack_k_anonymity,
    attack_k_policy,
    attack_km,
    attack_policy,
    attack_sequence_k,
    attack_strict_k,
)
from sfumato.attacks.promises.inferences import (
    attack_c_safety,
    attack_diverse_items,
    attack_epsilon,
    attack_l_diversity,
    attack_projection,
    attack_t_closeness,
)
from sfumato.attacks.promises.promise_result import PromiseResult
from sfumato.attacks.view.setting import AttackSetting
from sfumato.data.base import Progress
from sfumato.privacy import (
    CSafety,
    Epsilon,
    KAnonymity,
    KkmAnonymity,
    KlmAnonymity,
    KlmDiversity,
    KmAnonymity,
    KPolicyProtection,
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

__all__ = ["ATTACKS_WITHIN", "AttackWithin"]

AttackWithin = Callable[[AttackSetting, Any, int | None, Progress | None], Iterator[PromiseResult]]
ATTACKS_WITHIN: dict[type[PrivacyModel], AttackWithin] = {
    KmAnonymity: attack_km,
    KkmAnonymity: attack_km,
    ReconstructionAnonymity: attack_km,
    KAnonymity: attack_k_anonymity,
    KlmAnonymity: attack_diverse_items,
    LmDiversity: attack_diverse_items,
    KlmDiversity: attack_diverse_items,
    LDiversity: attack_l_diversity,
    TCloseness: attack_t_closeness,
    CSafety: attack_c_safety,
    ProjectionSafety: attack_projection,
    PolicyProtection: attack_policy,
    KPolicyProtection: attack_k_policy,
    SequenceKAnonymity: attack_sequence_k,
    Epsilon: attack_epsilon,
    StrictKAnonymity: attack_strict_k,
    NoInferenceRoute: attack_inference_route,
}
