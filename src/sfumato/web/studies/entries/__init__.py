"""Lists of entries, their history, notes and conflicts."""
