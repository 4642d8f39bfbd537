"""Sets of items on a cluster: local recoding, disassociation, and reconstruction anonymity."""
