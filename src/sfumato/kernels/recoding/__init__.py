"""Loops of generalization: supports, distances and common ancestors while labels are merged."""
