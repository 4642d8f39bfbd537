"""Measures of frequent patterns: preserved, spurious, covered, similar."""
