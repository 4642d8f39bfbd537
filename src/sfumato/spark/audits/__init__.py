"""Audits on a cluster: anonymity sets of visits and items, and the risks of tables."""
