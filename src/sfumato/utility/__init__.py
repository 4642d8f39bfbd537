"""Measures of information loss and utility, one family a file."""
