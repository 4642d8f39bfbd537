"""Measures of utility on a cluster: sums over records, and counts of labels, queries and patterns."""
