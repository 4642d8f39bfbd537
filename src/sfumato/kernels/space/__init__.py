"""Loops over points: nearest sites, regions, tracks, displacement."""
