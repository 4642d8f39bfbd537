"""Movements: positions, segments in hierarchies, annotations and patterns (Definitions 1 to 5 of Baquara2, 2015)."""
