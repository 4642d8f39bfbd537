"""Differentially private trajectories from noisy n-grams (Chen et al., 2012)."""
