"""Linked data in a directory: loading, selecting, joining and asking them."""
