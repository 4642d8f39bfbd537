"""Experiment files: what an experiment is, its sections, charts, data and side knowledge."""
