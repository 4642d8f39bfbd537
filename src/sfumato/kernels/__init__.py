"""Compiled loops: arrays in, arrays out; no frames, no checks, no randomness, no printing.

No method imports from ``verify/``: a promise checked by the code that made it is not checked.
"""
