"""Segmentation: from positions to histories, trails, stops and moves, on several levels."""
