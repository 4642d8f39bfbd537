"""(k,l)^m-anonymity of trajectories: ZGA and SGA (Poulis et al., 2013)."""
