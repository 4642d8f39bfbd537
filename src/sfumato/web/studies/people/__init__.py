"""Centres, participants, their grants, and inspections."""
