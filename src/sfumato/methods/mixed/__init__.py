"""Methods for mixed data: rows of a table with sets of items."""
