"""What an adversary can do with a dataset: one attack a file."""

from sfumato.attacks.audit import Audit
from sfumato.attacks.findings import Findings

__all__ = ["Audit", "Findings"]
