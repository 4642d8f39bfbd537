"""Movements on a map: trails, stops, moves, and the places that stops and positions are linked to."""

from sfumato.experiments.reports.maps.trails.trails import Trails

__all__ = ["Trails"]
