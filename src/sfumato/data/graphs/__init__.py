"""Labelled graphs in compressed sparse rows, and their frames."""
