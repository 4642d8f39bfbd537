"""What is promised: one privacy model a file, each with an exact verifier."""

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
