"""The filtering tool: conditions on entries, in words, SQL and Python."""
