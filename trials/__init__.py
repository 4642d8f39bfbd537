"""Attempts to break the product: many small releases, judged by code that shares nothing with it.

`python -m trials` runs them in large; `tests/trials/` runs them in small.
"""
