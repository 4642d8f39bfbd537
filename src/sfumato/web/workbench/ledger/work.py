"""The job that attacks a planned release together with the earlier ones of the ledger.  Without Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.web.workbench.loading import load
from sfumato.web.workbench.releases.work import LEDGER, find_moved, local

if TYPE_CHECKING:
    from sfumato.methods.composition_check import Composed

__all__ = ["compose_work"]


def compose_work(
    *, source: Mapping[str, Any], folder: str, report: str, progress: Callable[[str, int, int], None]
) -> dict[str, Any]:
    """What a planned release and each earlier one reveal together; nothing is entered."""
    from sfumato.methods.release_entry import attack_with_earlier

    progress("loading", 0, 0)
    original = load(source)
    find_moved()
    progress("attacking it together with earlier releases", 0, 0)
    composed = attack_with_earlier(folder, original=original, report=report or None, ledger=LEDGER)
    earlier = [{**part.to_json(), "sentence": local(part.sentence)} for part in composed]
    refused = any(part.refused for part in composed)
    return {
        "verdict": _verdict(composed),
        "beaten": refused,
        "known": refused or not _unknown(composed),
        "earlier": earlier,
    }


def _verdict(composed: Sequence[Composed]) -> str:
    """One sentence about all earlier releases; it promises nothing about those that were not attacked."""
    refused, unknown = sum(part.refused for part in composed), _unknown(composed)
    count = f"{len(composed)} earlier release{'s' if len(composed) > 1 else ''}"
    if refused:
        return f"Together with {refused} of {count} it breaks a promise: do not publish it so."
    if unknown:
        return (
            f"Together with {unknown} of {count} it could not be attacked, so what they reveal together is not known."
        )
    if any(part.shared != 0 for part in composed):
        return f"It breaks no promise together with {count}."
    return "No earlier release is about the same people."


def _unknown(composed: Sequence[Composed]) -> int:
    return sum(part.shared != 0 and not part.attacked and not part.refused for part in composed)
