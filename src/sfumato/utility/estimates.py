"""The parameter of measures that count generalized items."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.data.queries import ESTIMATES
from sfumato.params import Declared, param

__all__ = ["EstimatedCounts"]


@dataclass(frozen=True, kw_only=True)
class EstimatedCounts(Declared):
    """What measures of expected counts have in common: how a generalized item is counted."""

    estimate: str = param(
        "share",
        choices=ESTIMATES,
        help="how generalized items are counted: j items under a label of n members as n^-j (share), or every "
        "non-empty subset of a label equally probable (subsets)",
    )
