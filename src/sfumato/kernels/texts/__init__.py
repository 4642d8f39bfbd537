"""Loops over texts that are stored as code points: similar names, and tags matched with labels."""
