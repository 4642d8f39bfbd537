"""What a user calls: read, audit, advise, anonymize, evaluate, compare, draw maps and verify, one function a file.

Each takes datasets, frames of any make, releases or paths, and returns an object that shows itself in a notebook.
"""
