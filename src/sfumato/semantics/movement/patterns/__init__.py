"""Patterns: sets of segments such as meetings and flocks, and those that a user defines."""
