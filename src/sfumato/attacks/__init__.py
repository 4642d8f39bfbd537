"""What an adversary can do with a dataset: one attack a file."""

from sfumato.attacks.audit.audit import Audit
from sfumato.attacks.audit.findings import Findings
from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.attacks.audit.table_risks import TableRisks
from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.composition import Composition
from sfumato.attacks.covers import Covers, find_covers
from sfumato.attacks.crossings import Crossings
from sfumato.attacks.downcoding import Downcoding
from sfumato.attacks.enrichment.enrichment import Enrichment
from sfumato.attacks.inference import Inference
from sfumato.attacks.leaks.search import Leaks, find_leaks
from sfumato.attacks.linkage import Linkage
from sfumato.attacks.membership import Membership
from sfumato.attacks.owners import OwnerAudit, OwnerFindings
from sfumato.attacks.pieces.relinking import Relinking
from sfumato.attacks.promises.weighing import PromiseResult, weigh
from sfumato.attacks.reidentify import Reidentify
from sfumato.attacks.sensitive_places import GuessFindings, GuessSensitivePlaces
from sfumato.attacks.timed_visits import TimedVisits
from sfumato.attacks.top_places import HomeWork, TopPlaces
from sfumato.attacks.view.setting import AttackSetting, Exposed

__all__ = [
    "Attack",
    "AttackSetting",
    "Audit",
    "Composition",
    "Covers",
    "Crossings",
    "Downcoding",
    "Enrichment",
    "Exposed",
    "Finding",
    "Findings",
    "GuessFindings",
    "GuessSensitivePlaces",
    "HomeWork",
    "Inference",
    "Leaks",
    "Linkage",
    "Membership",
    "OwnerAudit",
    "OwnerFindings",
    "PromiseResult",
    "Reidentify",
    "Relinking",
    "TableAudit",
    "TableRisks",
    "TimedVisits",
    "TopPlaces",
    "find_covers",
    "find_leaks",
    "weigh",
]
