"""The sections of the report, in their order.  A new section is one file and one line here.

Installed packages cannot add sections: the public edition depends on the published directory alone.
"""

from __future__ import annotations

from collections.abc import Callable

from sfumato.experiments.reports.board.about_release import about_release, heading
from sfumato.experiments.reports.board.attacks import attacks
from sfumato.experiments.reports.board.digests import digests
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.ledger import ledger
from sfumato.experiments.reports.board.limits import limits
from sfumato.experiments.reports.board.losses import losses
from sfumato.experiments.reports.board.promise import promise
from sfumato.experiments.reports.board.summary import summary
from sfumato.experiments.reports.board.verification import verification
from sfumato.experiments.reports.documents.document import Block, Document, Section

__all__ = ["SECTIONS", "board_document", "checks_document"]

SECTIONS: dict[str, tuple[str, Callable[[Facts], tuple[Block, ...]]]] = {
    "summary": ("In short", summary),
    "release": ("What was released", about_release),
    "promise": ("The promise", promise),
    "verification": ("Who checked what", verification),
    "attacks": ("What attackers can do", attacks),
    "losses": ("What was lost", losses),
    "limits": ("What is not covered", limits),
    "ledger": ("Other releases about the same people", ledger),
    "digests": ("Digests of the files", digests),
}


def board_document(facts: Facts) -> Document:
    """The whole report."""
    return _document(facts, tuple(SECTIONS))


def checks_document(facts: Facts) -> Document:
    """The sections about the promise and its verification, for `verify`."""
    return _document(facts, ("promise", "verification", "limits", "digests"))


def _document(facts: Facts, keys: tuple[str, ...]) -> Document:
    title, subtitle = heading(facts)
    return Document(
        title, subtitle, facts.private, tuple(Section(key, SECTIONS[key][0], SECTIONS[key][1](facts)) for key in keys)
    )
