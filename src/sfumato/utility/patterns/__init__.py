"""Measures of frequent patterns: preserved, spurious, similar."""
