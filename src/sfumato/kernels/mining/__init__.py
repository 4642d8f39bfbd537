"""Loops of frequent itemsets and sequences."""
