"""Attacks on releases that publish a trajectory as several pieces."""
