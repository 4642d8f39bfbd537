"""k^m-anonymity of trajectories: SEQANON and its variants (Poulis et al., 2014)."""
