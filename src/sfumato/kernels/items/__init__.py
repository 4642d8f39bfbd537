"""Loops over sets of items: partitions, chunks, cuts through the hierarchy, merged items."""
