"""Readers and writers of road networks and road trajectories."""
