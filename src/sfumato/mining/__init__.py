"""What occurs often: sequential patterns and itemsets."""

from sfumato.mining.itemsets import FrequentItemsets
from sfumato.mining.patterns import Patterns
from sfumato.mining.sequences import FrequentSequences

__all__ = ["FrequentItemsets", "FrequentSequences", "Patterns"]
