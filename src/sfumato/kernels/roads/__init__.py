"""Loops over road networks: routes, traffic, map matching, clusters of road trajectories."""
