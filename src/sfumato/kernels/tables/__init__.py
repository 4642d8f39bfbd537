"""Loops over the rows of tables: equivalence classes, groups, exchange of rows."""
