"""What to run instead of a run with near-total loss, in words."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.methods.alternative import Alternative
from sfumato.methods.preparation_texts import step_of_text, step_words
from sfumato.utility.heavy_losses import HeavyLoss

__all__ = ["alternative_words", "alternatives_of"]


def alternatives_of(losses: Iterable[HeavyLoss]) -> list[Alternative]:
    """The alternatives of all losses, each once."""
    alternatives: list[Alternative] = []
    for loss in losses:
        alternatives += [other for other in loss.alternatives if other not in alternatives]
    return alternatives


def alternative_words(alternative: Alternative) -> str:
    """An alternative as a text.

    >>> alternative_words(Alternative("cluster", {"k": 5}, "table", "keeps the same promise"))
    'cluster with k = 5 (keeps the same promise; not tried on these data)'
    """
    parameters = ", ".join(f"{name} = {value}" for name, value in alternative.parameters.items())
    policy = f" and the privacy policy {alternative.privacy_policy}" if alternative.privacy_policy else ""
    chosen = f" with {parameters}{policy}" if parameters else ""
    steps = ", ".join(step_words(step_of_text(text)) for text in alternative.preparation)
    chosen += f" on {steps}" if steps else ""
    return f"{alternative.method}{chosen} ({alternative.note}; {alternative.outcome})"
