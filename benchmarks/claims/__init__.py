"""One claim a file; the list is in `benchmarks/__init__.py`."""
