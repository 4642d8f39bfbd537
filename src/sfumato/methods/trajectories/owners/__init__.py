"""Suppression and splitting against adversaries who own places (Terrovitis et al., 2017)."""
