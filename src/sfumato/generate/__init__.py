"""Synthetic data with the shape of the real ones."""

from sfumato.generate.checkins import Checkins

__all__ = ["Checkins"]
