"""What is promised: one privacy model a file, each with an exact verifier."""

from typing import TYPE_CHECKING

from sfumato.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from sfumato.privacy.base import PrivacyModel, Verdict
    from sfumato.privacy.c_safety import CSafety
    from sfumato.privacy.epsilon import Epsilon
    from sfumato.privacy.inference_route import NoInferenceRoute
    from sfumato.privacy.k_anonymity import KAnonymity
    from sfumato.privacy.k_policy import KPolicyProtection
    from sfumato.privacy.kkm import KkmAnonymity
    from sfumato.privacy.klm import KlmAnonymity
    from sfumato.privacy.klm_diversity import KlmDiversity
    from sfumato.privacy.km import KmAnonymity
    from sfumato.privacy.l_diversity import LDiversity
    from sfumato.privacy.lm import LmDiversity
    from sfumato.privacy.policy import PolicyProtection
    from sfumato.privacy.projection import ProjectionSafety
    from sfumato.privacy.reconstruction import ReconstructionAnonymity
    from sfumato.privacy.sequence_k import SequenceKAnonymity
    from sfumato.privacy.strict_k import StrictKAnonymity
    from sfumato.privacy.t_closeness import TCloseness

__all__ = [
    "CSafety",
    "Epsilon",
    "KAnonymity",
    "KPolicyProtection",
    "KkmAnonymity",
    "KlmAnonymity",
    "KlmDiversity",
    "KmAnonymity",
    "LDiversity",
    "LmDiversity",
    "NoInferenceRoute",
    "PolicyProtection",
    "PrivacyModel",
    "ProjectionSafety",
    "ReconstructionAnonymity",
    "SequenceKAnonymity",
    "StrictKAnonymity",
    "TCloseness",
    "Verdict",
]

if not TYPE_CHECKING:  # a type checker knows the names from above, and no others
    __getattr__ = loaded_on_use(
        __name__,
        {
            "base": (
                "PrivacyModel",
                "Verdict",
            ),
            "c_safety": ("CSafety",),
            "epsilon": ("Epsilon",),
            "inference_route": ("NoInferenceRoute",),
            "k_anonymity": ("KAnonymity",),
            "k_policy": ("KPolicyProtection",),
            "kkm": ("KkmAnonymity",),
            "klm": ("KlmAnonymity",),
            "klm_diversity": ("KlmDiversity",),
            "km": ("KmAnonymity",),
            "l_diversity": ("LDiversity",),
            "lm": ("LmDiversity",),
            "policy": ("PolicyProtection",),
            "projection": ("ProjectionSafety",),
            "reconstruction": ("ReconstructionAnonymity",),
            "sequence_k": ("SequenceKAnonymity",),
            "strict_k": ("StrictKAnonymity",),
            "t_closeness": ("TCloseness",),
        },
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
