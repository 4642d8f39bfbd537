"""Methods for sets of items, one paper a file."""
