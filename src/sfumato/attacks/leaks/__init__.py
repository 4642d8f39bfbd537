"""Leak checks: what a published directory reveals beside its data."""
