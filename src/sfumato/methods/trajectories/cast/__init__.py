"""c-safety: CAST (Monreale et al., 2011)."""
