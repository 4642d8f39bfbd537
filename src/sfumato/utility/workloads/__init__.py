"""Queries of a workload: how they are drawn from records, from the domain, or by frequency."""
