"""Loops of subgraph mining: patterns, their domains in a graph, and the search for solutions."""
