"""Road networks and the trajectories on them."""
