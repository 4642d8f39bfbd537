"""Frequent pattern mining: sequences, itemsets, and subgraphs of one large graph."""

from typing import TYPE_CHECKING

from sfumato.lazy_names import loaded_on_use

if TYPE_CHECKING:
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

if not TYPE_CHECKING:  # a type checker knows the names from above, and no others
    __getattr__ = loaded_on_use(
        __name__,
        {
            "itemsets": ("FrequentItemsets",),
            "mobility": ("mobility_graph",),
            "patterns": ("Patterns",),
            "sequences": ("FrequentSequences",),
            "subgraphs.grami": ("FrequentSubgraphs", "Pattern", "Subgraphs", "frequent_subgraphs"),
        },
    )
