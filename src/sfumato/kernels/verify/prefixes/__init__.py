"""Supports, risks and associations of short subsequences, by growing prefixes; used by verifiers and attacks only."""
