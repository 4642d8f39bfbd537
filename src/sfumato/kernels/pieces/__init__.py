"""Kernels that suppress visits or cut trajectories until every short sequence of labels is well supported."""
