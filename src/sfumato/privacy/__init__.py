"""What is promised: one privacy model a file, each with an exact verifier."""

from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.k_anonymity import KAnonymity
from sfumato.privacy.km import KmAnonymity

__all__ = ["KAnonymity", "KmAnonymity", "PrivacyModel", "Verdict"]
