"""What an adversary can do with a dataset: one attack a file."""

from sfumato.attacks.audit import Audit
from sfumato.attacks.covers import Covers, find_covers
from sfumato.attacks.findings import Findings
from sfumato.attacks.owners import OwnerAudit, OwnerFindings
from sfumato.attacks.sensitive_places import GuessFindings, GuessSensitivePlaces

__all__ = [
    "Audit",
    "Covers",
    "Findings",
    "GuessFindings",
    "GuessSensitivePlaces",
    "OwnerAudit",
    "OwnerFindings",
    "find_covers",
]
