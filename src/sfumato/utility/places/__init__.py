"""Measures of generalized and suppressed locations."""
