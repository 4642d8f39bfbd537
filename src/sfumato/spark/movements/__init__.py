"""Movements on Apache Spark: ZGA and SGA in clusters of units, GSUP on counts of projections, images of places."""
