"""Descriptions of movement (segment and pattern categories), their SPARQL, and answers as GeoJSON and maps."""
