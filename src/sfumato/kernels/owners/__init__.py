"""Projections of trajectories on the owners of places, and how suppressing, splitting and unifying change them."""
