"""Counting loops of verifiers and attacks; no method imports them."""
