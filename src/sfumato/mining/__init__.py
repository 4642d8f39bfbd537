"""Frequent pattern mining: sequences, itemsets, and subgraphs of one large graph."""

from sfumato.mining.itemsets import FrequentItemsets
from sfumato.mining.mobility import mobility_graph
from sfumato.mining.patterns import Patterns
from sfumato.mining.sequences import FrequentSequences
from sfumato.mining.subgraphs.grami import FrequentSubgraphs, Pattern, Subgraphs, frequent_subgraphs

__all__ = [
    "FrequentItemsets",
    "FrequentSequences",
    "FrequentSubgraphs",
    "Pattern",
    "Patterns",
    "Subgraphs",
    "frequent_subgraphs",
    "mobility_graph",
]
