"""What a user calls: read, audit, advise, anonymize, evaluate, compare, verify, report and maps, one function a file.

Each takes datasets, frames of any make, releases or paths, and returns an object that shows itself in a notebook.
"""
