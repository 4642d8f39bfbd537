"""Hierarchies, policies and lists of rows while a person edits them."""
