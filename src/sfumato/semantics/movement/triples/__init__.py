"""Movements as triples: N-Triples built from columns, and movements read back from a knowledge base."""
