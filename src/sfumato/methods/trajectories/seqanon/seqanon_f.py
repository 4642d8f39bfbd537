"""SEQANON_F: SEQANON without its apriori loop, the ablation of Poulis et al. (2013, 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels
from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
from sfumato.methods.trajectories.seqanon.suppression import Recoded, Suppression

__all__ = ["SeqAnonF"]


@dataclass(frozen=True, kw_only=True)
class SeqAnonF(SeqAnon):
    """The same promise as SEQANON, without treating short subsequences first; for comparison.

    Notes
    -----
    The papers set i = m, which would leave trajectories shorter than m unprotected.  Here all sizes from 1
    to m are treated in one pass, rarest first, ties in name order.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Distance-based k^m-anonymization
       of trajectory data", IEEE MDM 2013, Section V.
    """

    name: ClassVar[str] = "seqanon-f"
    title: ClassVar[str] = "SEQANON_F"
    paper: ClassVar[str] = "Poulis et al., IEEE MDM 2013"

    def recoded(self, labels: MergedLabels, rule: Suppression, run: Run) -> Recoded:
        widen = self.widening(labels, rule)
        if labels.protect(1, min(self.m, max(1, labels.longest)), self.k, run, widen):
            return Recoded(labels, None, widen.weights)
        return Recoded(labels, labels.visits_allowed(self.k, self.m), widen.weights)
